/** Connecting to an Espressif board for flashing: a session with the stub, and without it where it does not start. */
import type { EspBoard } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import { ConnectedEsp } from './connected-esp.ts';
import { establishTwice, openSession, type SessionOptions } from './open-session.ts';
import { establish, type SessionPlan } from './session.ts';

/**
 * Opens `device`, brings the board into its bootloader, learns what it is and makes it ready for fast writing.
 * @throws EspError; the port is closed then.
 */
export function connectEsp(device: SerialPort, options: SessionOptions): Promise<EspBoard> {
  return openSession(device, options, makeBoard);
}

/** A stub that does not start is done without, if the ROM goes on. */
async function makeBoard(plan: SessionPlan, signal: AbortSignal): Promise<EspBoard> {
  try {
    return new ConnectedEsp(plan, await establishTwice(plan, establish, signal));
  } catch (error) {
    if (plan.entry.buttons || !(error instanceof EspError) || error.code !== 'stub-failed') {
      throw error;
    }
    const without: SessionPlan = { ...plan, stub: 'failed' };
    return new ConnectedEsp(without, await establish(without, signal));
  }
}

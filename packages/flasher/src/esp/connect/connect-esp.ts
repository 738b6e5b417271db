/** Connects to an Espressif board for flashing, with the stub, or without it if it does not start. */
import type { EspBoard } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';
import { ConnectedEsp } from './connected-esp.ts';
import { establishTwice, openSession, type SessionOptions } from './open-session.ts';
import { establish, type SessionPlan } from './session.ts';

/**
 * Opens `device`, brings the board into its bootloader, identifies it and makes it ready for fast writing.
 *
 * @throws EspError; the port is closed then.
 */
export function connectEsp(device: SerialPort, options: SessionOptions): Promise<EspBoard> {
  return openSession(device, options, makeBoard);
}

/** Establishes the session. If the stub does not start, the ROM is used without it. */
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

/** End of a session: releases every pin that was used, then resets the chip by command and by its control lines. */
import { type RomBoard, writeRegsRequest } from '@wirebench/flasher/esp/rom';
import type { RegisterEntry } from '../macro.ts';
import { type ExchangeOptions, exchangeAll } from './exchange.ts';
import type { WireRequest } from './wire-steps.ts';

/** Milliseconds for the reset request to leave the wire; the chip may not answer it. */
const RESET_TIME = 50;

export interface Leaving {
  /** Entries that release the pins, and the same entries as requests. */
  readonly releases: readonly RegisterEntry[];
  readonly requests: readonly WireRequest[];
  /** Entry that resets the chip; null if the board stays in its ROM. */
  readonly reset: RegisterEntry | null;
  /** True: all entries go as one list, and no answer is waited for. */
  readonly atOnce: boolean;
}

/**
 * Releases the pins and resets the board. A board that no longer answers is reset all the same.
 *
 * @returns True if the board confirmed the release of its pins.
 * @throws PortError if the port is gone.
 */
export async function leaveBoard(
  board: RomBoard,
  { releases, requests, reset, atOnce }: Leaving,
  options: ExchangeOptions,
): Promise<boolean> {
  const { link } = board;
  const inOneGo = atOnce && reset !== null;
  const isReleased = requests.length === 0 || (!inOneGo && (await exchangeAll(requests, options)).kind === 'answered');
  if (reset === null) {
    return isReleased;
  }
  // Only this command resets boards without reset lines. The others are reset twice.
  link.discard();
  link.write(writeRegsRequest(inOneGo ? [...releases, reset] : [reset]).frame);
  await link.listen(RESET_TIME, options.signal);
  if (!board.byButtons) {
    await board.restart(options.signal);
  }
  return isReleased;
}

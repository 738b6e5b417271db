/** The end of a session: every pin that was used is released, then the chip is reset, with its lines and without. */
import { type RomBoard, writeRegsRequest } from '@wirebench/flasher/espressif/rom';
import type { RegisterEntry } from '../macro.ts';
import { type ExchangeOptions, exchangeAll } from './exchange.ts';
import type { WireRequest } from './wire-steps.ts';

/** Milliseconds for the request that resets to leave the wire; the chip may not answer it. */
const RESET_TIME = 50;

export interface Leaving {
  /** What releases the pins, and the same as requests. */
  readonly releases: readonly RegisterEntry[];
  readonly requests: readonly WireRequest[];
  /** Null: the board stays in its ROM. */
  readonly reset: RegisterEntry | null;
  /** All of it goes as one list, and no answer is waited for. */
  readonly atOnce: boolean;
}

/**
 * Goes as far as it gets: a board that no longer answers is reset all the same. Says whether the board confirmed that its pins are
 * released.
 * @throws PortError when it is gone.
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
  // Boards without reset lines know only this; for the others it is one reset more.
  link.discard();
  link.write(writeRegsRequest(inOneGo ? [...releases, reset] : [reset]).frame);
  await link.listen(RESET_TIME, options.signal);
  if (!board.byButtons) {
    await board.restart(options.signal);
  }
  return isReleased;
}

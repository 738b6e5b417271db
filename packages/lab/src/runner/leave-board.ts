/** The end of a session: every pin that was used is released, then the chip is reset, with its lines and without. */
import { type RomBoard, writeRegsRequest } from '@wirebench/flasher/espressif/rom';
import type { RegisterEntry } from '../macro.ts';
import { type ExchangeOptions, exchangeAll } from './exchange.ts';
import type { WireRequest } from './wire-steps.ts';

/** Milliseconds for the request that resets to leave the wire; the chip may not answer it. */
const RESET_TIME = 50;

/** Goes as far as it gets: a board that no longer answers is reset all the same. @throws PortError when it is gone. */
export async function leaveBoard(
  board: RomBoard,
  releases: readonly WireRequest[],
  reset: RegisterEntry,
  options: ExchangeOptions,
): Promise<void> {
  const { link } = board;
  if (releases.length > 0) {
    await exchangeAll(releases, options);
  }
  // Boards without reset lines know only this; for the others it is one reset more.
  link.discard();
  link.write(writeRegsRequest([reset]).frame);
  await link.listen(RESET_TIME, options.signal);
  if (!board.byButtons) {
    await board.restart(options.signal);
  }
}

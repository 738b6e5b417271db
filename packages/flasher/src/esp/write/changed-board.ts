/** An Espressif board as far as planned changes need it: compared and proved by MD5. */
import type { ComparedBoard } from '../../core/begun-changes.ts';
import { md5 } from '../../core/md5.ts';
import type { ChangedBoard } from '../../core/write-changes.ts';
import type { EspBoard } from '../esp-board.ts';
import { asEspError, EspError } from '../esp-failure.ts';

export const comparedBoard = (board: EspBoard): ComparedBoard => ({
  md5: (range, signal) => board.md5(range, { signal }),
  holds: async ({ offset, bytes }, signal) =>
    (await board.md5({ offset, length: bytes.length }, { signal })) === md5(bytes),
  read: (range, signal) => board.read(range, { signal }),
});

/** @param cancelled Signal of the write: its failures after an abort are `cancelled`. */
export function changedBoard(board: EspBoard, cancelled: AbortSignal): ChangedBoard {
  return {
    holds: comparedBoard(board).holds,
    prove: (bytes) => ({ kind: 'md5', value: md5(bytes) }),
    erase: (range, options) => board.erase(range, options),
    write: (regions, options) => board.write(regions, { ...options, secured: true }),
    mismatch: (kind, detail) => new EspError(kind === 'erase' ? 'erase-failed' : 'md5-mismatch', { detail }),
    failureOf: (error, state) => asEspError(error, cancelled, state === undefined ? {} : { state }),
  };
}

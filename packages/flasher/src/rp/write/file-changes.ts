/**
 * Planned changes to file systems at a board over USB: whether they still fit what the board holds, and writing them.
 * Every byte is read back and compared.
 */
import type { Clock } from '@wirebench/clock';
import type { WriteReport } from '../../core/board.ts';
import type { BoardChange } from '../../core/board-change.ts';
import { hexOf, isSame } from '../../core/bytes.ts';
import { md5 } from '../../core/md5.ts';
import { rangeOf, without } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import type { UnrestoredFlash } from '../../core/unrestored.ts';
import {
  type ChangedBoard,
  type ChangeProgress,
  type ChangesOptions,
  changeKey,
  writeChanges,
} from '../../core/write-changes.ts';
import { sha256 } from '../../images/sha256.ts';
import type { RpBoard } from '../rp-board.ts';
import { asRpError, RpError } from '../rp-failure.ts';

/** Changes that an interrupted write of a board has begun. */
interface Begun {
  readonly progress: ChangeProgress;
  /** Contents that each change was made from, by its key. */
  readonly before: Map<string, Uint8Array>;
}

export type BegunChanges = WeakMap<UnrestoredFlash, Begun>;

interface FileChangesParts {
  readonly board: RpBoard;
  readonly clock: Clock;
  readonly unrestored: UnrestoredFlash;
  readonly begun: BegunChanges;
}

export class FileChanges {
  readonly #parts: FileChangesParts;
  /** Ranges as they were read, by offset and length. Empty after a change of the flash. */
  readonly #contents = new Map<string, Uint8Array>();

  constructor(parts: FileChangesParts) {
    this.#parts = parts;
  }

  /** Keeps contents that were read, so that a plan needs not read them again. The board changes only by its client. */
  keep(range: FlashRange, bytes: Uint8Array): void {
    this.#contents.set(keyOf(range), bytes);
  }

  /** Drops what was read, because the flash changes. */
  forget(): void {
    this.#contents.clear();
  }

  /** Forgets changes that an interrupted write has begun: the program may change what their rest builds on. */
  forgetBegun(): void {
    this.#parts.begun.delete(this.#parts.unrestored);
  }

  /** Returns the names of the changes whose contents on the board differ by now from those that they were made from. */
  async outdatedOf(changes: readonly BoardChange[], flash: FlashRange, signal: AbortSignal): Promise<string[]> {
    const { board, begun, unrestored } = this.#parts;
    const known = begun.get(unrestored);
    const outdated: string[] = [];
    for (const change of changes) {
      const { name, range, basis } = change;
      const isInFlash = range.offset >= flash.offset && range.offset + range.length <= flash.offset + flash.length;
      if (basis === null || !isInFlash) {
        continue;
      }
      const key = changeKey(change);
      const now = this.#contents.get(keyOf(range)) ?? (await board.read(range, { signal }));
      this.keep(range, now);
      const before = known?.progress.has(key) === true ? known.before.get(key) : undefined;
      if (before === undefined ? md5(now) !== basis : !isOtherwiseSame(change, before, now)) {
        known?.progress.delete(key);
        outdated.push(name);
      }
    }
    return outdated;
  }

  /**
   * Carries out the changes, and continues those that an interrupted write has begun.
   *
   * @throws RpError with the board's state.
   */
  async write(
    changes: readonly BoardChange[],
    options: Omit<ChangesOptions, 'clock' | 'progress'>,
  ): Promise<WriteReport> {
    const { board, clock, begun, unrestored } = this.#parts;
    const known = begun.get(unrestored) ?? { progress: new Map(), before: new Map() };
    begun.set(unrestored, known);
    for (const change of changes) {
      const contents = this.#contents.get(keyOf(change.range));
      if (contents !== undefined && !known.progress.has(changeKey(change))) {
        known.before.set(changeKey(change), contents);
      }
    }
    this.forget();
    const { progress } = known;
    const report = await writeChanges(changedBoard(board, options.signal), changes, { ...options, clock, progress });
    this.forgetBegun();
    return report;
  }
}

const keyOf = ({ offset, length }: FlashRange): string => `${offset} ${length}`;

/** Returns true if nothing differs outside of the sectors that the change erases or writes. */
function isOtherwiseSame({ range, erases, writes }: BoardChange, before: Uint8Array, now: Uint8Array): boolean {
  return without(range, [...erases, ...writes.map(rangeOf)]).every(({ offset, length }) => {
    const from = offset - range.offset;
    return isSame(before.subarray(from, from + length), now.subarray(from, from + length));
  });
}

/** @param cancelled Signal of the write: its failures after an abort are `cancelled`. */
function changedBoard(board: RpBoard, cancelled: AbortSignal): ChangedBoard {
  return {
    holds: async ({ offset, bytes }, signal) =>
      isSame(await board.read({ offset, length: bytes.length }, { signal }), bytes),
    prove: async (bytes) => ({ kind: 'read-back', value: hexOf(await sha256(bytes)) }),
    erase: (range, options) => board.erase([range], options),
    write: (regions, options) => board.write(regions, options),
    mismatch: (kind, detail) => new RpError(kind === 'erase' ? 'erase-failed' : 'verify-mismatch', { detail }),
    failureOf: (error, state) => asRpError(error, cancelled, state === undefined ? {} : { state }),
  };
}

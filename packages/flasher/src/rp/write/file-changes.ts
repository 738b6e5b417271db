/**
 * Planned changes to file systems at a board over USB: whether they still fit what the board holds, and writing them.
 * Every byte is read back and compared.
 */
import type { Clock } from '@wirebench/clock';
import type { BegunChanges, ComparedBoard } from '../../core/begun-changes.ts';
import type { WriteReport } from '../../core/board.ts';
import type { BoardChange } from '../../core/board-change.ts';
import { hexOf, isSame } from '../../core/bytes.ts';
import { md5 } from '../../core/md5.ts';
import { endOf, rangeOf } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import { type ChangedBoard, type ChangesOptions, writeChanges } from '../../core/write-changes.ts';
import { sha256 } from '../../images/sha256.ts';
import type { RpBoard } from '../rp-board.ts';
import { asRpError, RpError } from '../rp-failure.ts';

interface FileChangesParts {
  readonly board: RpBoard;
  readonly clock: Clock;
  readonly begun: BegunChanges;
}

interface KeptContents {
  readonly range: FlashRange;
  readonly bytes: Uint8Array;
  readonly md5: string;
}

export class FileChanges {
  readonly #parts: FileChangesParts;
  /** Ranges as they were read on this connection. Empty after a change of the flash. */
  #contents: readonly KeptContents[] = [];

  constructor(parts: FileChangesParts) {
    this.#parts = parts;
  }

  /** Keeps contents that were read, so that a plan needs not read them again. The board changes only by its client. */
  keep(range: FlashRange, bytes: Uint8Array): KeptContents {
    const kept = { range, bytes, md5: md5(bytes) };
    const others = this.#contents.filter((one) => one.range.offset !== range.offset);
    this.#contents = [...others, kept];
    this.#parts.begun.keep(range, bytes);
    return kept;
  }

  /** Drops what was read, because the flash changes. */
  forget(): void {
    this.#contents = [];
  }

  /** Returns the names of the changes that do not fit what the board holds. */
  async outdatedOf(changes: readonly BoardChange[], flash: FlashRange, signal: AbortSignal): Promise<string[]> {
    const { begun } = this.#parts;
    const outdated: string[] = [];
    for (const change of changes) {
      const { range, basis, name } = change;
      const isInFlash = range.offset >= flash.offset && endOf(range) <= endOf(flash);
      if (basis !== null && isInFlash) {
        const board = comparedBoard(await this.#contentsOf(range, signal));
        outdated.push(...((await begun.isOutdated(change, board, signal)) ? [name] : []));
      }
    }
    return outdated;
  }

  async #contentsOf(range: FlashRange, signal: AbortSignal): Promise<KeptContents> {
    const isIt = ({ offset, length }: FlashRange) => offset === range.offset && length === range.length;
    return (
      this.#contents.find((one) => isIt(one.range)) ?? this.keep(range, await this.#parts.board.read(range, { signal }))
    );
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
    const { board, clock, begun } = this.#parts;
    begun.begin(changes);
    this.forget();
    const { progress } = begun;
    const report = await writeChanges(changedBoard(board, options.signal), changes, { ...options, clock, progress });
    begun.clear();
    return report;
  }
}

/** Answers about a range from its contents as they were read. */
function comparedBoard({ range, bytes, md5: hash }: KeptContents): ComparedBoard {
  const part = ({ offset, length }: FlashRange) =>
    bytes.subarray(offset - range.offset, offset - range.offset + length);
  return {
    md5: async () => hash,
    holds: async (region) => isSame(part(rangeOf(region)), region.bytes),
    read: async (wanted) => part(wanted),
  };
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

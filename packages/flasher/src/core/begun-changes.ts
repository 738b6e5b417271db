/**
 * Planned changes at one board: whether the board still holds what they were made from, and whether it still holds
 * what an interrupted write of them has left.
 */
import type { BoardChange } from './board-change.ts';
import { isSame } from './bytes.ts';
import { md5 } from './md5.ts';
import { without } from './ranges.ts';
import type { FlashRange, FlashRegion } from './region.ts';
import { type ChangeProgress, type ChangeStep, changeKey, rangesOfStep, stepsOf } from './write-changes.ts';

/** A connected board, as far as its contents are compared with planned changes. */
export interface ComparedBoard {
  /** Returns the MD5 of a range as 32 lower-case hexadecimal digits. */
  md5(range: FlashRange, signal: AbortSignal): Promise<string>;
  /** Returns true if the board holds these bytes. */
  holds(region: FlashRegion, signal: AbortSignal): Promise<boolean>;
  read(range: FlashRange, signal: AbortSignal): Promise<Uint8Array>;
}

/** Changes that interrupted writes of a board have begun, kept while the same board is connected again. */
export class BegunChanges {
  readonly progress: ChangeProgress = new Map();
  /** Contents of ranges as they were read last, by offset and length. */
  readonly #read = new Map<string, Uint8Array>();
  /** Contents that each change was made from, by its key. */
  readonly #before = new Map<string, Uint8Array>();

  /** Keeps contents that were read. A change of this range was most likely made from them. */
  keep({ offset, length }: FlashRange, bytes: Uint8Array): void {
    this.#read.set(`${offset} ${length}`, bytes);
  }

  /** Keeps what these changes were made from. Has to be called before they are carried out. */
  begin(changes: readonly BoardChange[]): void {
    for (const change of changes) {
      const key = changeKey(change);
      const read = this.#read.get(`${change.range.offset} ${change.range.length}`);
      if (read !== undefined && !this.#before.has(key) && md5(read) === change.basis) {
        this.#before.set(key, read);
      }
    }
  }

  /** Forgets what was begun: all changes are done, or the program may have changed what their rest builds on. */
  clear(): void {
    this.progress.clear();
    this.#before.clear();
  }

  /**
   * Returns true if the board holds neither what the change was made from nor what an interrupted write of it has left.
   * Such a change is not continued. A change without a basis is never outdated.
   */
  async isOutdated(change: BoardChange, board: ComparedBoard, signal: AbortSignal): Promise<boolean> {
    if (change.basis === null) {
      return false;
    }
    const key = changeKey(change);
    const done = this.progress.get(key);
    const before = this.#before.get(key);
    const fits =
      done === undefined || before === undefined
        ? (await board.md5(change.range, signal)) === change.basis
        : await isAsLeft({ change, done, before }, board, signal);
    if (!fits) {
      this.progress.delete(key);
    }
    return !fits;
  }
}

interface LeftChange {
  readonly change: BoardChange;
  /** Number of steps that are done. */
  readonly done: number;
  /** Contents of the change's range before its first step. */
  readonly before: Uint8Array;
}

/** Returns true if the board holds what the finished steps have left, and in the sectors of the next one nothing but its traces. */
async function isAsLeft({ change, done, before }: LeftChange, board: ComparedBoard, signal: AbortSignal) {
  const { range } = change;
  const steps = stepsOf(change);
  const left = before.slice();
  for (const step of steps.slice(0, done)) {
    apply(step, left, range.offset);
  }
  const next = steps[done];
  const wanted = left.slice();
  if (next !== undefined) {
    apply(next, wanted, range.offset);
  }
  const cut = next === undefined ? [] : rangesOfStep(next);
  const partOf = (bytes: Uint8Array, { offset, length }: FlashRange) =>
    bytes.subarray(offset - range.offset, offset - range.offset + length);
  for (const part of without(range, cut)) {
    if (!(await board.holds({ offset: part.offset, bytes: partOf(left, part) }, signal))) {
      return false;
    }
  }
  for (const part of cut) {
    if (!isBetween(await board.read(part, signal), partOf(left, part), partOf(wanted, part))) {
      return false;
    }
  }
  return true;
}

/** @param from Offset of the first byte of `contents`. */
function apply(step: ChangeStep, contents: Uint8Array, from: number): void {
  if (step.kind === 'erase') {
    contents.fill(0xff, step.range.offset - from, step.range.offset - from + step.range.length);
    return;
  }
  for (const { offset, bytes } of step.wave) {
    contents.set(bytes, offset - from);
  }
}

/**
 * Returns true if a write that was cut may have left these bytes: an erase only sets bits of what was there, and
 * programming only clears bits that stay set in an empty byte.
 */
const isBetween = (found: Uint8Array, before: Uint8Array, wanted: Uint8Array): boolean =>
  isSame(found, wanted) ||
  found.every((byte, at) => {
    const [old, next] = [before[at] ?? 0, wanted[at] ?? 0];
    return (byte & old) === old || (byte & next) === next;
  });

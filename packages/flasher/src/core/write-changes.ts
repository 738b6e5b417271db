/**
 * Carries out planned changes to what a board holds: erases first, then the writes in their order. Each region is
 * compared, written and verified before a region that touches it or borders on it, because some formats survive a
 * power cut only in this order.
 */
import type { Clock } from '@wirebench/clock';
import type { RegionOutcome, RegionProof, RegionReport, WorkOptions, WriteEvent, WriteReport } from './board.ts';
import type { BoardChange } from './board-change.ts';
import { addressText } from './bytes.ts';
import { changedRegions, erasedBytes } from './changed-regions.ts';
import type { BoardState } from './flash-failure.ts';
import { md5 } from './md5.ts';
import { endOf, partsOutside, rangeOf } from './ranges.ts';
import { type FlashRange, type FlashRegion, sectorSize, splitIntoRegions } from './region.ts';

/** Number of steps of each change that are done, by the change's key. Kept while the same board is connected again. */
export type ChangeProgress = Map<string, number>;

/** A connected board, as far as changes need it. */
export interface ChangedBoard {
  /** Returns true if the board holds these bytes. */
  holds(region: FlashRegion, signal: AbortSignal): Promise<boolean>;
  /** Returns the proof of bytes that the board was found to hold. */
  prove(bytes: Uint8Array): RegionProof | Promise<RegionProof>;
  erase(range: FlashRange, options: WorkOptions): Promise<void>;
  /** Compares, writes and verifies. Regions neither touch nor border on each other, and are in ascending order. */
  write(
    regions: readonly FlashRegion[],
    options: { readonly signal: AbortSignal; readonly onEvent: (event: WriteEvent) => void },
  ): Promise<WriteReport>;
  /** Returns the family's failure for sectors that hold other bytes after an erase or a write. */
  mismatch(kind: 'erase' | 'write', detail: string): Error;
  /** Converts an error to the family's failure. Left out: the board's state is that of the error. */
  failureOf(error: unknown, state?: BoardState): Error;
}

export interface ChangesOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called before each erase and each write. */
  readonly onStage: (stage: 'erasing' | 'writing') => void;
  readonly onEvent: (event: WriteEvent) => void;
  /** True: files of the same plan were written before, so that a failure leaves the board partly written. */
  readonly begun?: boolean;
  /** Steps that an interrupted write has done. They are left out, and counted on. */
  readonly progress: ChangeProgress;
}

/** Identifies a change by everything that it writes. */
export function changeKey({ name, range, basis, erases, writes }: BoardChange): string {
  const written = writes.map(({ offset, bytes }) => [offset, bytes.length, md5(bytes)]);
  return JSON.stringify([name, range.offset, range.length, basis, erases, written]);
}

export type ChangeStep =
  | { readonly kind: 'erase'; readonly range: FlashRange }
  /** Regions that neither touch nor border on each other, in ascending order. */
  | { readonly kind: 'write'; readonly wave: readonly FlashRegion[] };

/** Returns the steps of a change. Regions join a wave as long as their order is kept without waiting. */
export function stepsOf({ erases, writes }: BoardChange): ChangeStep[] {
  const steps: ChangeStep[] = erases.map((range) => ({ kind: 'erase', range }));
  let wave: FlashRegion[] = [];
  for (const region of writes) {
    const last = wave.at(-1);
    if (last !== undefined && region.offset <= last.offset + last.bytes.length) {
      steps.push({ kind: 'write', wave });
      wave = [];
    }
    wave.push(region);
  }
  return wave.length === 0 ? steps : [...steps, { kind: 'write', wave }];
}

export const rangesOfStep = (step: ChangeStep): readonly FlashRange[] =>
  step.kind === 'erase' ? [step.range] : step.wave.map(rangeOf);

/** Returns the bytes that all steps erase and write. */
export function bytesOfChanges(changes: readonly BoardChange[]): number {
  return changes.reduce(
    (sum, { erases, writes }) =>
      sum +
      erases.reduce((total, { length }) => total + length, 0) +
      writes.reduce((total, { bytes }) => total + bytes.length, 0),
    0,
  );
}

/**
 * Carries out the changes one after the other. Progress counts from 0 to `bytesOfChanges`.
 *
 * @returns the report; its regions are those of `changedRegions`. Erased bytes count as written.
 * @throws the family's failure with the board's state. `progress` then tells the steps that are done.
 */
export async function writeChanges(
  board: ChangedBoard,
  changes: readonly BoardChange[],
  options: ChangesOptions,
): Promise<WriteReport> {
  const startedAt = options.clock.now();
  const writer = new ChangeWriter(board, bytesOfChanges(changes), options);
  try {
    for (const change of changes) {
      await writer.carryOut(change);
    }
  } catch (error) {
    const isChanged = writer.hasBegun || options.begun === true;
    throw isChanged ? board.failureOf(error, 'incomplete') : board.failureOf(error);
  }
  return { ...writer.report, duration: options.clock.now() - startedAt };
}

class ChangeWriter {
  readonly #board: ChangedBoard;
  readonly #total: number;
  readonly #options: ChangesOptions;
  #done = 0;
  /** True: flash was erased or written. */
  hasBegun = false;
  report: WriteReport = {
    state: 'complete',
    regions: [],
    written: 0,
    same: 0,
    sent: 0,
    duration: 0,
    repeated: 0,
  };

  constructor(board: ChangedBoard, total: number, options: ChangesOptions) {
    this.#board = board;
    this.#total = total;
    this.#options = options;
  }

  async carryOut(change: BoardChange): Promise<void> {
    const { progress } = this.#options;
    const key = changeKey(change);
    const steps = stepsOf(change);
    const known = progress.get(key) ?? 0;
    this.hasBegun ||= known > 0;
    // A change with a basis was compared with the plan.
    const before = change.basis !== null || (await this.#holds(steps, known)) ? known : 0;
    /** Sectors that were written or erased now. */
    const touched = new Set<number>();
    for (const [index, step] of steps.entries()) {
      const base = this.#done;
      if (index >= before) {
        progress.set(key, index);
        await (step.kind === 'erase' ? this.#erase(step.range, touched) : this.#write(step.wave, touched));
        progress.set(key, index + 1);
      }
      this.#done = base + bytesOf(step);
      this.#tell('verifying', this.#done);
    }
    await this.#settle(change, touched, before === 0 && !repeats(change));
  }

  /** Returns true if the board holds what the first steps leave, beside the sectors of the next one. */
  async #holds(steps: readonly ChangeStep[], done: number): Promise<boolean> {
    const finished = steps.slice(0, done);
    const erases = finished.flatMap((step) => (step.kind === 'erase' ? [step.range] : []));
    const writes = finished.flatMap((step) => (step.kind === 'write' ? step.wave : []));
    const next = steps[done];
    const cut = next === undefined ? [] : rangesOfStep(next);
    for (const { offset, length, bytes } of changedRegions({ erases, writes })) {
      for (const part of partsOutside({ offset, bytes: bytes ?? erasedBytes(length) }, cut)) {
        if (!(await this.#board.holds(part, this.#options.signal))) {
          return false;
        }
      }
    }
    return true;
  }

  async #erase(range: FlashRange, touched: Set<number>): Promise<void> {
    const { signal, onStage } = this.#options;
    const empty = { offset: range.offset, bytes: erasedBytes(range.length) };
    if (await this.#board.holds(empty, signal)) {
      return;
    }
    onStage('erasing');
    this.hasBegun = true;
    addSectors(touched, range);
    const onProgress = (done: number) => this.#tell('writing', this.#done + done);
    await this.#board.erase(range, { signal, onProgress });
    this.report = { ...this.report, written: this.report.written + range.length };
    if (!(await this.#board.holds(empty, signal))) {
      throw this.#board.mismatch('erase', `${addressText(range.offset)} is not empty.`);
    }
  }

  async #write(wave: readonly FlashRegion[], touched: Set<number>): Promise<void> {
    const { signal, onStage } = this.#options;
    onStage('writing');
    const base = this.#done;
    const regions = wave.flatMap(({ offset, bytes }) => splitIntoRegions(offset, bytes));
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress') {
        this.hasBegun ||= event.phase !== 'comparing';
        this.#tell(event.phase, base + event.done, event.speed);
      } else if (event.type === 'region' && event.outcome !== 'same') {
        addSectors(touched, event);
      }
    };
    const { written, sent, repeated } = await this.#board.write(regions, { signal, onEvent });
    const { report } = this;
    this.report = {
      ...report,
      written: report.written + written,
      sent: report.sent + sent,
      repeated: report.repeated + repeated,
    };
  }

  /**
   * Reports the regions of a change that is done.
   *
   * @param isVerified False: compares them again, because a step was done in an earlier write, or a sector was written
   *   more than once.
   */
  async #settle(change: BoardChange, touched: ReadonlySet<number>, isVerified: boolean): Promise<void> {
    const { signal, onEvent } = this.#options;
    for (const { offset, length, bytes } of changedRegions(change)) {
      const after = bytes ?? erasedBytes(length);
      if (!isVerified && !(await this.#board.holds({ offset, bytes: after }, signal))) {
        // The next write begins with the first step, as any of them may have failed.
        this.#options.progress.delete(changeKey(change));
        throw this.#board.mismatch('write', addressText(offset));
      }
      const outcome: RegionOutcome = hasSector(touched, { offset, length }) ? 'verified' : 'same';
      const region: RegionReport = { offset, length, outcome, proof: await this.#board.prove(after) };
      this.report = {
        ...this.report,
        regions: [...this.report.regions, region],
        same: this.report.same + (outcome === 'same' ? length : 0),
      };
      onEvent({ type: 'region', ...region });
    }
  }

  #tell(phase: 'comparing' | 'writing' | 'verifying', done: number, speed: number | null = null): void {
    const remaining = speed === null ? null : ((this.#total - done) / speed) * 1_000;
    this.#options.onEvent({ type: 'progress', phase, done, total: this.#total, speed, remaining });
  }
}

function bytesOf(step: ChangeStep): number {
  return step.kind === 'erase' ? step.range.length : step.wave.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Returns true if a change writes or erases a sector more than once. */
function repeats({ erases, writes }: BoardChange): boolean {
  const ranges = [...erases, ...writes.map(({ offset, bytes }) => ({ offset, length: bytes.length }))];
  const sorted = ranges.toSorted((one, other) => one.offset - other.offset);
  return sorted.some((range, index) => index > 0 && range.offset < endOf(sorted[index - 1] ?? range));
}

function addSectors(sectors: Set<number>, { offset, length }: FlashRange): void {
  for (let at = 0; at < length; at += sectorSize) {
    sectors.add(offset + at);
  }
}

function hasSector(sectors: ReadonlySet<number>, { offset, length }: FlashRange): boolean {
  for (let at = 0; at < length; at += sectorSize) {
    if (sectors.has(offset + at)) {
      return true;
    }
  }
  return false;
}

/** Returns listeners for the files and the changes of a write, which report one progress over both. */
export function splitProgress(
  files: readonly FlashRegion[],
  changes: readonly BoardChange[],
  onEvent: (event: WriteEvent) => void,
) {
  const fileBytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const total = fileBytes + bytesOfChanges(changes);
  const shifted =
    (base: number) =>
    (event: WriteEvent): void => {
      if (event.type !== 'progress') {
        onEvent(event);
        return;
      }
      const done = base + event.done;
      const remaining = event.speed === null ? null : ((total - done) / event.speed) * 1_000;
      onEvent({ ...event, done, total, remaining });
    };
  return { files: shifted(0), changes: shifted(fileBytes) };
}

/** Returns the report of a write of files with the changes behind them. */
export function joinReports(files: WriteReport, changes: WriteReport): WriteReport {
  return {
    state: files.state,
    regions: [...files.regions, ...changes.regions],
    written: files.written + changes.written,
    same: files.same + changes.same,
    sent: files.sent + changes.sent,
    duration: files.duration + changes.duration,
    repeated: files.repeated + changes.repeated,
  };
}

/**
 * Carries out planned changes to what a board holds: erases first, then the writes in their order. Each region is
 * compared, written and verified before a region that touches it or borders on it, because some formats survive a
 * power cut only in this order.
 */
import type { Clock } from '@wirebench/clock';
import type { RegionOutcome, RegionReport, WriteEvent, WriteReport } from '../../core/board.ts';
import type { BoardChange } from '../../core/board-change.ts';
import { addressText } from '../../core/bytes.ts';
import { changedRegions, erasedBytes } from '../../core/changed-regions.ts';
import { md5 } from '../../core/md5.ts';
import { endOf } from '../../core/ranges.ts';
import { type FlashRange, type FlashRegion, sectorSize, splitIntoRegions } from '../../core/region.ts';
import type { EspBoard } from '../esp-board.ts';
import { asEspError, EspError } from '../esp-failure.ts';

/** Number of steps of each change that are done, by the change's key. Kept while the same board is connected again. */
export type ChangeProgress = Map<string, number>;

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

type ChangeStep =
  | { readonly kind: 'erase'; readonly range: FlashRange }
  /** Regions that neither touch nor border on each other, in ascending order. */
  | { readonly kind: 'write'; readonly wave: readonly FlashRegion[] };

/** Returns the steps of a change. Regions join a wave as long as their order is kept without waiting. */
function stepsOf({ erases, writes }: BoardChange): ChangeStep[] {
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
 * @throws EspError with the board's state. `progress` then tells the steps that are done.
 */
export async function writeChanges(
  board: EspBoard,
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
    throw asEspError(error, options.signal, isChanged ? { state: 'incomplete' } : {});
  }
  return { ...writer.report, duration: options.clock.now() - startedAt };
}

class ChangeWriter {
  readonly #board: EspBoard;
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

  constructor(board: EspBoard, total: number, options: ChangesOptions) {
    this.#board = board;
    this.#total = total;
    this.#options = options;
  }

  async carryOut(change: BoardChange): Promise<void> {
    const { progress } = this.#options;
    const key = changeKey(change);
    const before = progress.get(key) ?? 0;
    this.hasBegun ||= before > 0;
    /** Sectors that were written or erased now. */
    const touched = new Set<number>();
    const steps = stepsOf(change);
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

  async #erase(range: FlashRange, touched: Set<number>): Promise<void> {
    const { signal, onStage } = this.#options;
    const empty = md5(erasedBytes(range.length));
    if ((await this.#board.md5(range, { signal })) === empty) {
      return;
    }
    onStage('erasing');
    this.hasBegun = true;
    addSectors(touched, range);
    const onProgress = (done: number) => this.#tell('writing', this.#done + done);
    await this.#board.erase(range, { signal, onProgress });
    this.report = { ...this.report, written: this.report.written + range.length };
    if ((await this.#board.md5(range, { signal })) !== empty) {
      throw new EspError('erase-failed', { detail: `${addressText(range.offset)} is not empty.` });
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
    const { written, sent, repeated } = await this.#board.write(regions, { signal, onEvent, secured: true });
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
   * @param isVerified False: hashes them again, because a step was done in an earlier write, or a sector was written
   *   more than once.
   */
  async #settle(change: BoardChange, touched: ReadonlySet<number>, isVerified: boolean): Promise<void> {
    const { signal, onEvent } = this.#options;
    for (const { offset, length, bytes } of changedRegions(change)) {
      const value = md5(bytes ?? erasedBytes(length));
      if (!isVerified && (await this.#board.md5({ offset, length }, { signal })) !== value) {
        throw new EspError('md5-mismatch', { detail: addressText(offset) });
      }
      const outcome: RegionOutcome = hasSector(touched, { offset, length }) ? 'verified' : 'same';
      const region: RegionReport = { offset, length, outcome, proof: { kind: 'md5', value } };
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

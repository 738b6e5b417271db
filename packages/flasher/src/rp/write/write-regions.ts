/**
 * Writes regions to flash: compares all of them with what is there, erases and writes the sectors that differ, and reads
 * every byte back. Repeating it completes an interrupted write.
 */
import type { RegionReport } from '../../core/board.ts';
import { addressText, hexOf, isSame } from '../../core/bytes.ts';
import { endOf, rangeOf } from '../../core/ranges.ts';
import { type FlashRange, type FlashRegion, sectorSize } from '../../core/region.ts';
import { retry } from '../../core/retry.ts';
import { coverSectors } from '../../core/sector-cover.ts';
import { WriteProgress } from '../../core/write-progress.ts';
import { measureWrite } from '../../core/write-report.ts';
import { sha256 } from '../../images/sha256.ts';
import { PortError } from '../../port-failure.ts';
import { flashStart } from '../files/index.ts';
import { blocksOf, type FlashMemory, inFlight, pageSize } from '../picoboot/flash-memory.ts';
import { findFlashSize } from '../picoboot/flash-size.ts';
import type { RpWriteOptions, RpWriteReport } from '../rp-board.ts';
import { asRpError, RpError, type RpFailure } from '../rp-failure.ts';
import { SectorState } from './sector-state.ts';

/** Sectors that are compared by one READ. */
const COMPARED = 8;
/** Sectors that are erased, written and read back together. A cancel waits for them. */
const WRITTEN = 4;
/** Groups that are under way while the oldest one is awaited, so that the bus is always busy. */
const AHEAD = 2;

/** Failures after which another try may succeed. */
const transient: ReadonlySet<RpFailure> = new Set<RpFailure>([
  'stopped-answering',
  'refused',
  'out-of-step',
  'verify-mismatch',
]);

/**
 * Runs repeatable work, and gets the board to answer again after a fault.
 *
 * @param progress Returns how far the work is.
 */
export function retryOn<Result>(
  memory: FlashMemory,
  signal: AbortSignal,
  work: () => Promise<Result>,
  progress: () => number = () => 0,
  onFault: (failure: RpError) => void = () => undefined,
): Promise<Result> {
  return retry(work, {
    failureOf: (error) => asRpError(goneOr(error, memory), signal),
    isTransient: ({ code }) => transient.has(code),
    progress,
    recover: async (failure) => {
      onFault(failure);
      signal.throwIfAborted();
      await memory.link.recover();
    },
  });
}

/** If the device is gone, that is the failure, even if the error came from interrupted work. */
function goneOr(error: unknown, { link }: FlashMemory): unknown {
  const { reason } = link.over;
  return link.over.aborted && reason instanceof PortError && !(error instanceof RpError) ? reason : error;
}

/**
 * Writes `regions`.
 *
 * @throws RpError with the board's state and with `unrestored`. @throws RangeError for invalid regions.
 */
export async function writeRegions(
  memory: FlashMemory,
  regions: readonly FlashRegion[],
  options: RpWriteOptions,
  signal: AbortSignal,
): Promise<RpWriteReport> {
  const write = new RegionWrite(memory, regions, options, signal);
  try {
    return await write.run();
  } catch (error) {
    if (error instanceof RangeError) {
      throw error;
    }
    throw asRpError(goneOr(error, memory), signal, {
      ...(write.hasTouched && { state: 'incomplete' as const }),
      unrestored: write.unrestored,
    });
  }
}

class RegionWrite {
  /** True: flash has been changed, or may have been. */
  hasTouched = false;
  readonly #memory: FlashMemory;
  readonly #regions: readonly FlashRegion[];
  readonly #options: RpWriteOptions;
  readonly #signal: AbortSignal;
  readonly #progress: WriteProgress;
  readonly #sectors: readonly SectorState[];
  readonly #reports: RegionReport[] = [];
  /** Sectors that were handed to the board and have not been read back. */
  readonly #underWay = new Set<SectorState>();
  #repeated = 0;

  constructor(memory: FlashMemory, regions: readonly FlashRegion[], options: RpWriteOptions, signal: AbortSignal) {
    this.#memory = memory;
    this.#regions = regions.toSorted((one, other) => one.offset - other.offset);
    this.#options = options;
    this.#signal = signal;
    const sectors = blocksOf(memory.range, sectorSize);
    this.#sectors = coverSectors(sectors, this.#regions, RpError).map((touched) => new SectorState(touched));
    const total = regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#progress = new WriteProgress(memory.link.clock, total, (event) => options.onEvent?.(event));
  }

  /** Contents beside the regions that were erased and are not back. */
  get unrestored(): FlashRegion[] {
    return [...this.#underWay].flatMap((state) =>
      state.kept.map(({ offset, length }) => {
        const from = offset - state.offset;
        return { offset, bytes: state.image.slice(from, from + length) };
      }),
    );
  }

  async run(): Promise<RpWriteReport> {
    const report = measureWrite(this.#memory.link.clock, () => this.#memory.link.sent);
    await this.#compare();
    const different = this.#sectors.filter(({ differs }) => differs);
    const toWrite = sum(different);
    const same = sum(this.#sectors) - toWrite;
    this.#options.onEvent?.({ type: 'compared', same, toWrite });
    const left = new Set(different);
    await this.#report(left, different);
    if (different.length > 0) {
      this.#progress.enter('writing');
      await this.#write(different, left);
    }
    return report({
      state: 'complete',
      regions: this.#reports,
      written: toWrite,
      same,
      repeated: this.#repeated,
      kept: different.flatMap((state) => state.kept),
    });
  }

  /** Decides for each sector whether it differs. */
  async #compare(): Promise<void> {
    // The first sector alone shows whether the next ones are read or only looked at.
    const [first, ...others] = this.#sectors;
    const groups = first === undefined ? [] : [[first], ...groupsOf(others, COMPARED)];
    let done = 0;
    // After a group that differs as a whole, the next one likely does: a page of each sector shows it.
    let looks = false;
    const compareGroup = async (group: readonly SectorState[]) => {
      const rest: SectorState[] = [];
      if (looks) {
        const pages = await Promise.all(group.map(({ probe }) => this.#memory.read(probe)));
        rest.push(...group.filter((state, index) => !state.decideBy(pages[index] ?? new Uint8Array(0))));
      } else {
        rest.push(...group);
      }
      const read = await Promise.all(groupsOf(rest, COMPARED).map((part) => this.#memory.read(spanOf(part))));
      groupsOf(rest, COMPARED).forEach((part, index) => {
        part.forEach((state, place) => {
          state.compare((read[index] ?? new Uint8Array(0)).subarray(place * sectorSize, (place + 1) * sectorSize));
        });
      });
    };
    const compareAll = (some: readonly (readonly SectorState[])[]) =>
      inFlight(some, AHEAD, this.#signal, compareGroup, (_, group) => {
        done++;
        looks = group.every(({ differs, needsErase }) => differs && needsErase);
        this.#progress.settle(sum(group.filter(({ differs }) => !differs)));
      });
    const work = async () => {
      await compareAll(groups.slice(done, 1));
      await compareAll(groups.slice(done));
    };
    await this.#retry(work, () => done);
  }

  async #write(different: readonly SectorState[], left: Set<SectorState>): Promise<void> {
    const groups = groupsOf(different, WRITTEN, (one, other) => one.needsErase === other.needsErase);
    let done = 0;
    const work = () =>
      inFlight(
        groups.slice(done),
        AHEAD,
        this.#signal,
        (group) => this.#writeGroup(group),
        async (found, group) => {
          this.#verify(found, group);
          done++;
          for (const state of group) {
            left.delete(state);
            this.#underWay.delete(state);
          }
          const bytes = sum(group);
          this.#progress.moving(0, bytes);
          this.#progress.settle(bytes);
          await this.#report(left, different);
          await this.#measure(group);
        },
      );
    await this.#retry(
      work,
      () => done,
      () => {
        this.#repeated++;
        for (const state of this.#underWay) {
          state.doubt();
        }
      },
    );
  }

  /** Hands the commands for adjacent sectors to the board. Resolves with their contents afterwards. */
  #writeGroup(group: readonly SectorState[]): Promise<Uint8Array> {
    const span = spanOf(group);
    this.hasTouched = true;
    for (const state of group) {
      this.#underWay.add(state);
    }
    const steps: Promise<unknown>[] = [];
    if (group.some(({ needsErase }) => needsErase)) {
      // After a fault, sectors that needed no erase are erased with the others of their group.
      for (const state of group) {
        state.doubt();
      }
      steps.push(this.#memory.erase(span));
    }
    for (const { offset, bytes } of stretchesOf(group)) {
      steps.push(this.#memory.write(offset, bytes));
    }
    steps.push(this.#memory.read(span));
    return Promise.all(steps).then((results) => results.at(-1) as Uint8Array);
  }

  #verify(found: Uint8Array, group: readonly SectorState[]): void {
    group.forEach((state, index) => {
      const bytes = found.subarray(index * sectorSize, (index + 1) * sectorSize);
      if (!isSame(bytes, state.image)) {
        const at = bytes.findIndex((byte, place) => byte !== state.image[place]);
        throw new RpError('verify-mismatch', { detail: `${addressText(state.offset + at)} differs.` });
      }
    });
  }

  /** Finds the size of a flash that was empty, once something is in it. */
  async #measure(written: readonly SectorState[]): Promise<void> {
    const [page] = stretchesOf(written);
    if (this.#memory.size !== null || page === undefined) {
      return;
    }
    const size = await findFlashSize(this.#memory, this.#signal, page.offset - flashStart);
    this.#memory.size = size;
    const last = this.#sectors.at(-1)?.touched.sector;
    if (size !== null && last !== undefined && endOf(last) > endOf(this.#memory.range)) {
      throw new RpError('too-large', { detail: `The flash has ${size} bytes.` });
    }
  }

  #retry(work: () => Promise<void>, progress: () => number, onFault?: (failure: RpError) => void): Promise<void> {
    return retryOn(this.#memory, this.#signal, work, progress, onFault);
  }

  /** Reports the regions that have no sector left to be written. */
  async #report(left: ReadonlySet<SectorState>, different: readonly SectorState[]): Promise<void> {
    for (const region of this.#regions) {
      const range = rangeOf(region);
      const isOpen = [...left].some((state) => state.touches(range));
      if (isOpen || this.#reports.some(({ offset }) => offset === range.offset)) {
        continue;
      }
      const report: RegionReport = {
        ...range,
        outcome: different.some((state) => state.touches(range)) ? 'verified' : 'same',
        // Every byte was read and matched, so the hash of the region is the hash of the bytes read.
        proof: { kind: 'read-back', value: hexOf(await sha256(region.bytes)) },
      };
      this.#reports.push(report);
      this.#options.onEvent?.({ type: 'region', ...report });
    }
  }
}

const sum = (states: readonly SectorState[]): number => states.reduce((total, { wanted }) => total + wanted, 0);

const spanOf = (group: readonly SectorState[]): FlashRange => ({
  offset: group[0]?.offset ?? 0,
  length: group.length * sectorSize,
});

/** Groups adjacent sectors, at most `most` each. */
function groupsOf(
  states: readonly SectorState[],
  most: number,
  belongs: (one: SectorState, other: SectorState) => boolean = () => true,
): SectorState[][] {
  const groups: SectorState[][] = [];
  for (const state of states) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const follows = last !== undefined && last.offset + sectorSize === state.offset && belongs(last, state);
    if (group !== undefined && follows && group.length < most) {
      group.push(state);
    } else {
      groups.push([state]);
    }
  }
  return groups;
}

/** Joins the pages to write of adjacent sectors. */
function stretchesOf(group: readonly SectorState[]): FlashRegion[] {
  const stretches: { offset: number; parts: Uint8Array[]; length: number }[] = [];
  for (const state of group) {
    for (const at of state.pagesToWrite()) {
      const last = stretches.at(-1);
      const offset = state.offset + at;
      const page = state.image.subarray(at, at + pageSize);
      if (last !== undefined && last.offset + last.length === offset) {
        last.parts.push(page);
        last.length += pageSize;
      } else {
        stretches.push({ offset, parts: [page], length: pageSize });
      }
    }
  }
  return stretches.map(({ offset, parts, length }) => {
    const bytes = new Uint8Array(length);
    parts.forEach((part, index) => {
      bytes.set(part, index * pageSize);
    });
    return { offset, bytes };
  });
}

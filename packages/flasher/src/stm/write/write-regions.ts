/**
 * Writes regions to flash: compares sector by sector, writes those that differ in runs, and reports the outcome of
 * each region. Ranges that share a sector with a region are read first and written back. It knows no protocol.
 */
import type { RegionOutcome, RegionProof, RegionReport } from '../../core/board.ts';
import { addressText, hexOf } from '../../core/bytes.ts';
import { endOf, overlapOf, rangeOf } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { coverSectors, runsOf } from '../../core/sector-cover.ts';
import { WriteProgress } from '../../core/write-progress.ts';
import { measureWrite } from '../../core/write-report.ts';
import { sha256 } from '../../images/sha256.ts';
import { crcOfWords } from '../an3155/crc-words.ts';
import type { KnownBoard } from '../connect/identify.ts';
import type { Loader } from '../loader.ts';
import type { StmTouchedSector } from '../parts/flash-layout.ts';
import type { StmWriteOptions, StmWriteReport } from '../stm-board.ts';
import { asStmError, StmError } from '../stm-failure.ts';
import { checkWrite } from './check-write.ts';
import { canCheck, findDifference, findDifferences, hasChecksumOf, readSurely } from './flash-memory.ts';
import { blockSizeOf, type RunHost, writeRun } from './run-writer.ts';
import { SectorRun } from './sector-run.ts';

/** Most bytes that are erased ahead of their writing, if sectors are small. An unplugged cable loses at most these. */
const RUN_BYTES = 32_768;
/**
 * Bytes that are compared first if the previous sector differed, because comparing all of a sector takes as long as
 * writing it.
 */
const LOOK_BYTES = 16;

/**
 * Writes the regions.
 *
 * @throws StmError with the board's state.
 * @throws RangeError for invalid regions.
 */
export async function writeRegions(
  loader: Loader,
  board: KnownBoard,
  regions: readonly FlashRegion[],
  options: StmWriteOptions,
  signal: AbortSignal,
): Promise<StmWriteReport> {
  const writer = new SectorWriter(loader, board, regions, options, signal);
  try {
    return await writer.run();
  } catch (error) {
    if (error instanceof RangeError) {
      throw error;
    }
    const { touched, unrestored } = writer;
    const state = touched ? 'incomplete' : 'unchanged';
    throw asStmError(error, signal, { state, ...(unrestored.length > 0 && { unrestored }) });
  }
}

class SectorWriter {
  readonly #loader: Loader;
  readonly #board: KnownBoard;
  readonly #regions: readonly FlashRegion[];
  readonly #options: StmWriteOptions;
  readonly #signal: AbortSignal;
  readonly #progress: WriteProgress;
  readonly #reports: RegionReport[] = [];
  readonly #kept: FlashRange[] = [];
  readonly #before = new Map<StmTouchedSector, FlashRegion>();
  /** Hashes of the regions, calculated while the wire is busy. */
  readonly #hashes: ReadonlyMap<FlashRegion, Promise<Uint8Array>>;
  /**
   * True: verify by checksums instead of reading. Only if they cover every region, so that all proofs are of one
   * kind.
   */
  readonly #checks: boolean;
  #repeated = 0;
  /** True: flash may have been erased. */
  touched = false;
  /** Contents that were read to be kept and erased, and are not verified yet. */
  unrestored: readonly FlashRegion[] = [];

  constructor(
    loader: Loader,
    board: KnownBoard,
    regions: readonly FlashRegion[],
    options: StmWriteOptions,
    signal: AbortSignal,
  ) {
    this.#loader = loader;
    this.#board = board;
    this.#regions = regions.toSorted((one, other) => one.offset - other.offset);
    this.#options = options;
    this.#signal = signal;
    this.#checks = regions.every((region) => canCheck(loader, rangeOf(region)));
    this.#hashes = new Map(this.#regions.map((region) => [region, sha256(region.bytes)]));
    this.#progress = new WriteProgress(loader.clock, bytesOf(regions), (event) => options.onEvent?.(event));
  }

  async run(): Promise<StmWriteReport> {
    const { info, sectors } = this.#board;
    checkWrite(info, this.#regions, this.#options);
    const touched = coverSectors(sectors, this.#regions, StmError);
    const report = measureWrite(this.#loader.clock, () => this.#loader.sent);
    const different = await this.#compare(touched);
    const toWrite = bytesOf(different.flatMap(({ pieces }) => pieces));
    const same = bytesOf(this.#regions) - toWrite;
    this.#options.onEvent?.({ type: 'compared', same, toWrite });
    const left = new Set(different);
    await this.#report(left, different);
    for (const run of runsOf(different, RUN_BYTES)) {
      await this.#write(run);
      for (const sector of run) {
        left.delete(sector);
      }
      await this.#report(left, different);
    }
    return report({
      state: 'complete',
      regions: this.#reports,
      written: toWrite,
      same,
      repeated: this.#repeated,
      kept: this.#kept,
    });
  }

  /** Returns the sectors that do not have their wanted contents yet. */
  async #compare(touched: readonly StmTouchedSector[]): Promise<StmTouchedSector[]> {
    const different: StmTouchedSector[] = [];
    const add = (sector: StmTouchedSector, found: FlashRegion) => {
      different.push(sector);
      this.#before.set(sector, found);
    };
    for (let index = 0; index < touched.length; ) {
      const { count, found } = await this.#findSame(touched.slice(index));
      index += count;
      const sector = touched[index];
      if (sector !== undefined && found !== null) {
        add(sector, found);
        index++;
        for (const next of await this.#lookAt(touched.slice(index))) {
          add(touched[index++] ?? sector, next);
        }
      }
    }
    return different;
  }

  /** Returns the number of `sectors` that match before the first difference, and that difference. */
  async #findSame(
    sectors: readonly StmTouchedSector[],
  ): Promise<{ readonly count: number; readonly found: FlashRegion | null }> {
    let count = 0;
    const isSame = () => this.#progress.settle(bytesOf(sectors[count++]?.pieces ?? []));
    if (!this.#checks) {
      const found = await this.#differs(sectors, isSame);
      return { count, found };
    }
    for (const sector of sectors) {
      const found = await this.#differsByChecksum(sector);
      if (found !== null) {
        return { count, found };
      }
      isSame();
    }
    return { count, found: null };
  }

  /**
   * Reads `sectors` up to the first difference.
   *
   * @param isSame Called after each sector that matches.
   */
  async #differs(sectors: readonly StmTouchedSector[], isSame: () => void): Promise<FlashRegion | null> {
    const ends = sectors.map(({ pieces }) => pieces.at(-1)).map((last) => (last ? endOf(rangeOf(last)) : 0));
    let done = 0;
    let compared = 0;
    return findDifference(
      this.#loader,
      sectors.flatMap(({ pieces }) => pieces),
      this.#signal,
      (block) => {
        compared += block.length;
        if (endOf(block) === ends[done]) {
          done++;
          compared = 0;
          isSame();
        } else {
          this.#progress.moving(compared, 0);
        }
      },
    );
  }

  async #differsByChecksum(sector: StmTouchedSector): Promise<FlashRegion | null> {
    for (const piece of sector.pieces) {
      if (!(await hasChecksumOf(this.#loader, piece, this.#signal))) {
        return this.#differs([sector], () => undefined);
      }
    }
    return null;
  }

  /**
   * Returns the differences at the beginnings of the next sectors, up to the first that matches. Comparing all of a
   * sector takes as long as writing it.
   */
  #lookAt(sectors: readonly StmTouchedSector[]): Promise<FlashRegion[]> {
    const looks = sectors.flatMap(({ pieces: [first] }) =>
      first === undefined ? [] : [{ offset: first.offset, bytes: first.bytes.subarray(0, LOOK_BYTES) }],
    );
    return findDifferences(this.#loader, looks, this.#signal);
  }

  /** Reads the kept contents, then erases, writes and verifies a run. */
  async #write(touched: readonly StmTouchedSector[]): Promise<void> {
    const { erasedValue } = this.#board.info;
    const kept: FlashRegion[] = [];
    for (const range of touched.flatMap(({ others }) => others)) {
      kept.push({ offset: range.offset, bytes: await readSurely(this.#loader, range, erasedValue, this.#signal) });
    }
    const run = new SectorRun(touched, kept, erasedValue, blockSizeOf(this.#board, this.#loader));
    this.#signal.throwIfAborted();
    this.touched = true;
    this.unrestored = run.kept;
    await writeRun(this.#hostOf(run), run);
    this.unrestored = [];
    this.#kept.push(...run.kept.map(rangeOf));
    this.#progress.settle(run.wanted);
  }

  /** Returns the host of a run. Reading back takes as long as sending, so each is half of the progress. */
  #hostOf({ wanted }: SectorRun): RunHost {
    const sending = this.#checks ? 1 : 0.5;
    const reading = 1 - sending;
    return {
      loader: this.#loader,
      board: this.#board,
      signal: this.#signal,
      before: this.#before,
      checks: this.#checks,
      enter: (phase) => this.#progress.enter(phase),
      moved: (sent, total, more) =>
        this.#progress.moving((wanted * sending * sent) / total, (wanted * sending * more) / total),
      proven: (read, total, more) =>
        this.#progress.moving(wanted * (sending + (reading * read) / total), (wanted * reading * more) / total),
      repeated: () => {
        this.#repeated++;
      },
    };
  }

  /** Reports the regions that have no sector left to be written. */
  async #report(left: ReadonlySet<StmTouchedSector>, different: readonly StmTouchedSector[]): Promise<void> {
    const sectorsOf = (some: Iterable<StmTouchedSector>) => [...some].map(({ sector }) => sector);
    const [open, written] = [sectorsOf(left), sectorsOf(different)];
    for (const region of this.#regions) {
      const { offset, length } = rangeOf(region);
      const touches = (sectors: readonly FlashRange[]) => sectors.some((one) => overlapOf(one, { offset, length }));
      if (this.#reports.some((report) => report.offset === offset) || touches(open)) {
        continue;
      }
      const outcome: RegionOutcome = touches(written) ? 'verified' : 'same';
      const report: RegionReport = { offset, length, outcome, proof: await this.#proofOf(region) };
      this.#reports.push(report);
      this.#options.onEvent?.({ type: 'region', ...report });
    }
  }

  /** @throws StmError `verify-mismatch` if the final checksum differs. */
  async #proofOf(region: FlashRegion): Promise<RegionProof> {
    if (!this.#checks) {
      // Every byte was read and matched, so the hash of the region is the hash of the bytes read.
      return { kind: 'read-back', value: hexOf((await this.#hashes.get(region)) ?? (await sha256(region.bytes))) };
    }
    if (!(await hasChecksumOf(this.#loader, region, this.#signal))) {
      throw new StmError('verify-mismatch', { detail: `The checksum at ${addressText(region.offset)} differs.` });
    }
    return { kind: 'crc32', value: crcOfWords(region.bytes).toString(16).padStart(8, '0') };
  }
}

function bytesOf(regions: readonly FlashRegion[]): number {
  return regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

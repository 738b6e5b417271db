/**
 * Writes regions of flash and EEPROM: compares by reading, writes the pages that differ, reads them back, and reports the
 * outcome of each region. It knows no protocol.
 */
import type { RegionReport } from '../../core/board.ts';
import { addressText, hexOf, isErased, isSame } from '../../core/bytes.ts';
import { endOf, joinRanges, overlapOf, rangeOf, without } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { maximumTries } from '../../core/retry.ts';
import { WriteProgress } from '../../core/write-progress.ts';
import { measureWrite } from '../../core/write-report.ts';
import { sha256 } from '../../images/sha256.ts';
import type { AvrInfo, AvrWriteOptions, AvrWriteReport } from '../avr-board.ts';
import { AvrError, asAvrError } from '../avr-failure.ts';
import type { Session } from '../connect/session.ts';
import { pagesOf, withRegions } from '../parts/page-cover.ts';
import { type RetryOptions, retryOn } from './avr-retry.ts';
import { checkWrite } from './check-write.ts';
import { readEepromSurely, readPageSurely } from './read-memory.ts';

/**
 * Bytes that are compared first if the page before differed: reading a whole page takes about as long as writing it.
 */
const LOOK_BYTES = 16;

/** Compared pages that differ in a row, from which on pages count as different without being compared. */
const LONG_RUN = 4;
/** Most pages in a row that are not compared. */
const MOST_ASSUMED = 16;

interface WriteOptions extends AvrWriteOptions {
  readonly signal: AbortSignal;
}

/** A page to write. */
interface Page extends FlashRange {
  readonly bytes: Uint8Array;
}

/**
 * Writes the regions.
 *
 * @throws AvrError with the board's state.
 */
export async function writeRegions(
  session: Session,
  info: AvrInfo,
  regions: readonly FlashRegion[],
  options: WriteOptions,
): Promise<AvrWriteReport> {
  const writer = new PageWriter(session, info, regions, options);
  try {
    return await writer.run();
  } catch (error) {
    const { touched, unrestored } = writer;
    const state = touched ? 'incomplete' : 'unchanged';
    throw asAvrError(error, options.signal, { state, ...(unrestored.length > 0 && { unrestored }) });
  }
}

class PageWriter {
  readonly #session: Session;
  readonly #info: AvrInfo;
  readonly #regions: readonly FlashRegion[];
  readonly #eeprom: readonly FlashRegion[];
  readonly #options: WriteOptions;
  readonly #signal: AbortSignal;
  readonly #progress: WriteProgress;
  #repeated = 0;
  /** Pages that had their wanted contents, by one reading. */
  readonly #same: Page[] = [];
  /** Pages that did not match when they were read back. */
  readonly #failed = new Set<Page>();
  /** True: flash or EEPROM may have been changed. */
  touched = false;
  /** Flash beside the regions whose pages are being written. */
  unrestored: readonly FlashRegion[] = [];

  constructor(session: Session, info: AvrInfo, regions: readonly FlashRegion[], options: WriteOptions) {
    this.#session = session;
    this.#info = info;
    this.#regions = inOrder(regions);
    this.#eeprom = inOrder(options.eeprom ?? []);
    this.#options = options;
    this.#signal = options.signal;
    const total = bytesOf([...this.#regions, ...this.#eeprom]);
    this.#progress = new WriteProgress(session.clock, total, (event) => options.onEvent?.(event));
  }

  async run(): Promise<AvrWriteReport> {
    checkWrite(this.#info, this.#regions, this.#options);
    const report = measureWrite(this.#session.clock, () => this.#session.sent);
    const pages = await this.#comparePages();
    const eeprom = await this.#compareEeprom();
    const changed = this.#eeprom.filter((region) => eeprom?.changed.slice(...spanOf(region)).includes(true));
    const toWrite = pages.reduce((sum, page) => sum + this.#wantedIn(page), 0) + bytesOf(changed);
    const same = bytesOf([...this.#regions, ...this.#eeprom]) - toWrite;
    this.#options.onEvent?.({ type: 'compared', same, toWrite });
    this.#progress.settle(same);
    const flashReports = await this.#reportsOf(this.#regions, (region) =>
      pages.some((page) => overlapOf(page, rangeOf(region)) !== null),
    );
    for (const one of flashReports.filter(({ outcome }) => outcome === 'same')) {
      this.#options.onEvent?.({ type: 'region', ...one });
    }
    const run = await this.#completeRun(pages);
    await this.#writePages(run, pages);
    const doubtful = this.#isDoubtful ? await this.#unconfirmed(this.#same) : [];
    if (doubtful[0] !== undefined) {
      throw new AvrError('verify-mismatch', { detail: `${addressText(doubtful[0].offset)} differs.` });
    }
    for (const one of flashReports.filter(({ outcome }) => outcome !== 'same')) {
      this.#options.onEvent?.({ type: 'region', ...one });
    }
    if (eeprom !== null && changed.length > 0) {
      await this.#writeEeprom(eeprom);
      this.#progress.settle(bytesOf(changed));
    }
    return report({
      state: (await this.#hasStray(run)) ? 'damaged' : 'complete',
      regions: flashReports,
      written: toWrite,
      same,
      repeated: this.#repeated,
      kept: joinRanges(run.map(({ offset, length }) => ({ offset, length }))).flatMap((range) =>
        without(range, this.#regions.map(rangeOf)),
      ),
      eeprom: await this.#reportsOf(this.#eeprom, (region) => changed.includes(region)),
    });
  }

  /**
   * Returns the pages to write: those that do not have their wanted contents. In a long run of them, pages between two
   * compared ones are not compared: for a sketch that is all new, that would take about a tenth of the write.
   */
  async #comparePages(): Promise<Page[]> {
    const ranges = this.#regions.map(rangeOf);
    const different: Page[] = [];
    let compared = 0;
    let differentInRow = 0;
    let assumed = 0;
    for (const range of pagesOf(ranges, this.#info.pageSize)) {
      const isWhole = without(range, ranges).length === 0;
      if (isWhole && assumed > 0) {
        assumed--;
        different.push({ ...range, bytes: this.#wantedPage(range) });
        continue;
      }
      const page = isWhole ? await this.#compareWhole(range, differentInRow > 0) : await this.#comparePart(range);
      if (page !== null) {
        different.push(page);
        differentInRow++;
        assumed = differentInRow < LONG_RUN ? 0 : Math.min(2 ** (differentInRow - LONG_RUN), MOST_ASSUMED);
      } else {
        if (isWhole) {
          this.#same.push({ ...range, bytes: this.#wantedPage(range) });
        }
        differentInRow = 0;
        assumed = 0;
        compared += this.#wantedIn(range);
        this.#progress.moving(compared, 0);
      }
    }
    return different;
  }

  /** Returns the wanted contents of a page that the regions cover. */
  #wantedPage(range: FlashRange): Uint8Array {
    return withRegions(range, new Uint8Array(range.length), this.#regions);
  }

  /** Compares a page that the regions cover in part. */
  async #comparePart(range: FlashRange): Promise<Page | null> {
    const before = await readPageSurely(this.#session, range, this.#signal);
    const bytes = withRegions(range, before, this.#regions);
    return isSame(bytes, before) ? null : { ...range, bytes };
  }

  /** @param looksFirst True: read the beginning of the page first. */
  async #compareWhole(range: FlashRange, looksFirst: boolean): Promise<Page | null> {
    const bytes = this.#wantedPage(range);
    const differsIn = async (length: number) =>
      !isSame(await this.#read({ offset: range.offset, length }), bytes.subarray(0, length));
    const differs = (looksFirst && (await differsIn(LOOK_BYTES))) || (await differsIn(range.length));
    return differs ? { ...range, bytes } : null;
  }

  /**
   * Returns all pages to write: those that differ, and for a bootloader that erases in order, those before them, with
   * their contents.
   */
  async #completeRun(different: readonly Page[]): Promise<readonly Page[]> {
    if (!this.#info.writesInOrder || different.length === 0) {
      return different;
    }
    // Known pages are the same objects in both lists.
    const run: Page[] = [];
    for (const range of pagesOf(different, this.#info.pageSize, true)) {
      const known = different.find(({ offset }) => offset === range.offset);
      run.push(known ?? { ...range, bytes: await readPageSurely(this.#session, range, this.#signal) });
    }
    return run;
  }

  /** Writes the pages and reads them back. Those that do not match are written again. */
  async #writePages(run: readonly Page[], different: readonly Page[]): Promise<void> {
    if (run.length === 0) {
      return;
    }
    const wanted = different.reduce((sum, page) => sum + this.#wantedIn(page), 0);
    let left = run;
    this.unrestored = this.#keptIn(run);
    let tries = maximumTries;
    for (let attempt = 1; left.length > 0; attempt++) {
      if (attempt > tries) {
        throw new AvrError('verify-mismatch', { detail: `${addressText(left[0]?.offset ?? 0)} differs.` });
      }
      if (attempt > 1) {
        this.#repeated++;
      }
      const last = left.at(-1) ?? run[0];
      const pages = this.#info.writesInOrder ? run.filter(({ offset }) => offset <= (last?.offset ?? 0)) : left;
      this.#progress.enter('writing');
      const sent = (done: number, more: number) =>
        this.#progress.moving((wanted * 0.5 * done) / pages.length, (wanted * 0.5 * more) / pages.length);
      await this.#send(pages, attempt === 1 ? different : [], sent);
      this.#progress.enter('verifying');
      const failed: Page[] = [];
      for (const [index, page] of pages.entries()) {
        if (!isSame(await this.#read(page), page.bytes)) {
          failed.push(page);
        }
        const share = (wanted * 0.5) / pages.length;
        this.#progress.moving(wanted * 0.5 + share * (index + 1), share);
      }
      left = failed;
      if (left.length === 0 && this.#isDoubtful) {
        left = await this.#unconfirmed(run);
        // A page that only looked written has not had its tries.
        tries = left.length > 0 && tries === maximumTries ? attempt + maximumTries : tries;
      }
      for (const page of left) {
        this.#failed.add(page);
      }
    }
    this.unrestored = [];
    this.#progress.settle(wanted);
  }

  /**
   * Writes pages. After a fault the work continues at the page where it happened.
   *
   * @param different Pages whose contents differ from what the board held.
   * @param sent Receives the number of written pages, and how many of them are new.
   */
  async #send(
    pages: readonly Page[],
    different: readonly Page[],
    sent: (done: number, more: number) => void,
  ): Promise<void> {
    const { driver } = this.#session;
    let next = 0;
    let furthest = 0;
    let isBegun = false;
    const work = async () => {
      this.#signal.throwIfAborted();
      this.touched = true;
      if (!isBegun) {
        next = driver.writesInOrder ? 0 : next;
        await this.#session.beginWrite(this.#signal);
        isBegun = true;
      }
      for (let page = pages[next]; page !== undefined; page = pages[next]) {
        this.#signal.throwIfAborted();
        await driver.writePage(page.offset, page.bytes, this.#signal);
        next++;
        sent(next, next > furthest ? 1 : 0);
        furthest = Math.max(furthest, next);
      }
    };
    const recover = async () => {
      const page = pages[next];
      const isWritten = page !== undefined && different.includes(page) ? await this.#isWritten(page) : null;
      isBegun = isWritten !== null;
      if (isWritten === null) {
        await this.#session.recover(this.#signal);
      } else if (isWritten) {
        next++;
      }
    };
    await this.#retry(work, { progress: () => furthest, ...(driver.writesInOrder && { recover }) });
  }

  /**
   * Returns true if a page was written before the fault, without a reset, which would restart the order of erases. Null
   * if that cannot be known.
   */
  async #isWritten(page: Page): Promise<boolean | null> {
    const { driver } = this.#session;
    try {
      const answers = await driver.resync(this.#signal);
      return answers ? isSame(await driver.readFlash(page.offset, page.length, this.#signal), page.bytes) : null;
    } catch (error) {
      if (error instanceof AvrError) {
        return null;
      }
      throw error;
    }
  }

  /** True: the protocol has no checksum and the wire has damaged something, so that one reading proves too little. */
  get #isDoubtful(): boolean {
    return !this.#session.driver.isChecked && this.#repeated > 0;
  }

  /**
   * Reads pages that matched once more. A bit that was flipped on its way to the board, and back on its way from it, looks
   * like a match once.
   *
   * @returns Pages that did not match again.
   */
  async #unconfirmed(pages: readonly Page[]): Promise<Page[]> {
    const unconfirmed: Page[] = [];
    for (const page of pages) {
      let isConfirmed = false;
      for (let reading = 0; reading < maximumTries && !isConfirmed; reading++) {
        isConfirmed = isSame(await this.#read(page), page.bytes);
      }
      if (!isConfirmed) {
        unconfirmed.push(page);
      }
    }
    return unconfirmed;
  }

  /** Compares EEPROM from its start to the end of the last region. */
  async #compareEeprom(): Promise<{ readonly bytes: Uint8Array; readonly changed: readonly boolean[] } | null> {
    const last = this.#eeprom.at(-1);
    if (last === undefined) {
      return null;
    }
    const whole = { offset: 0, length: Math.max(...this.#eeprom.map((region) => endOf(rangeOf(region)))) };
    const before = await readEepromSurely(this.#session, whole.length, this.#signal);
    const bytes = withRegions(whole, before, this.#eeprom);
    return { bytes, changed: Array.from(bytes, (byte, index) => byte !== before[index]) };
  }

  async #writeEeprom({
    bytes,
    changed,
  }: {
    readonly bytes: Uint8Array;
    readonly changed: readonly boolean[];
  }): Promise<void> {
    const { driver } = this.#session;
    for (let attempt = 1; attempt <= maximumTries; attempt++) {
      this.#progress.enter('writing');
      this.touched = true;
      await this.#retry(() => driver.writeEeprom(bytes, changed, this.#signal, () => undefined));
      this.#progress.enter('verifying');
      const matches = async () =>
        isSame(await this.#retry(() => driver.readEeprom(bytes.length, this.#signal, () => undefined)), bytes);
      if ((await matches()) && (!this.#isDoubtful || (await matches()))) {
        return;
      }
      this.#repeated++;
    }
    throw new AvrError('verify-mismatch', { detail: 'EEPROM differs.' });
  }

  #read({ offset, length }: FlashRange): Promise<Uint8Array> {
    return this.#retry(() => this.#session.driver.readFlash(offset, length, this.#signal));
  }

  #retry<Result>(work: () => Promise<Result>, options: RetryOptions = {}): Promise<Result> {
    const repeated = () => {
      this.#repeated++;
    };
    return retryOn(this.#session, this.#signal, work, { ...options, repeated });
  }

  /**
   * Returns true if a page that did not match is somewhere else instead: without a checksum, a damaged address makes a
   * bootloader write another page.
   */
  async #hasStray(run: readonly Page[]): Promise<boolean> {
    if (this.#session.driver.isChecked || this.#failed.size === 0) {
      return false;
    }
    const { flashSize, pageSize } = this.#info;
    const others = without({ offset: 0, length: flashSize }, run);
    for (const range of pagesOf(others, pageSize)) {
      const contents = await this.#read(range);
      if ([...this.#failed].some(({ bytes }) => isSame(bytes, contents))) {
        return true;
      }
    }
    return false;
  }

  /** Returns what pages hold beside the regions, without empty flash. */
  #keptIn(pages: readonly Page[]): FlashRegion[] {
    return pages.flatMap(({ bytes, ...page }) =>
      without(page, this.#regions.map(rangeOf))
        .map(({ offset, length }) => ({
          offset,
          bytes: bytes.slice(offset - page.offset, offset - page.offset + length),
        }))
        .filter((kept) => !isErased(kept.bytes)),
    );
  }

  /** Returns the bytes of the regions within a range. */
  #wantedIn(range: FlashRange): number {
    return this.#regions.reduce((sum, region) => sum + (overlapOf(range, rangeOf(region))?.length ?? 0), 0);
  }

  /** Every byte was read and matched, so the hash of the region is the hash of the bytes read. */
  #reportsOf(
    regions: readonly FlashRegion[],
    isWritten: (region: FlashRegion) => boolean,
  ): Promise<readonly RegionReport[]> {
    return Promise.all(
      regions.map(async (region) => ({
        ...rangeOf(region),
        outcome: isWritten(region) ? ('verified' as const) : ('same' as const),
        proof: { kind: 'read-back' as const, value: hexOf(await sha256(region.bytes)) },
      })),
    );
  }
}

const inOrder = (regions: readonly FlashRegion[]) => regions.toSorted((one, other) => one.offset - other.offset);

function bytesOf(regions: readonly FlashRegion[]): number {
  return regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function spanOf({ offset, bytes }: FlashRegion): [start: number, end: number] {
  return [offset, offset + bytes.length];
}

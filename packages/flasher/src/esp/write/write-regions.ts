/**
 * Writes regions to flash: compares, writes those that differ, verifies. Regions are compared one by one; adjacent
 * ones are written and verified as one run. After a fault, the chip's hashes show which regions are written. The rest
 * is sent again, because a compressed stream cannot be resumed in the middle.
 */
import type { Clock } from '@wirebench/clock';
import type { RegionOutcome, RegionReport, WriteReport } from '../../core/board.ts';
import { addressText } from '../../core/bytes.ts';
import { md5 } from '../../core/md5.ts';
import { type FlashRegion, sectorSize, splitIntoRegions } from '../../core/region.ts';
import { maximumTries } from '../../core/retry.ts';
import { WriteProgress } from '../../core/write-progress.ts';
import { measureWrite } from '../../core/write-report.ts';
import { tellFlashSize } from '../connect/flash-chip.ts';
import type { Session } from '../connect/session.ts';
import { deadlines } from '../deadlines.ts';
import type { EspNotice, EspWriteOptions } from '../esp-board.ts';
import { asEspError, EspError } from '../esp-failure.ts';
import type { FlashAbility } from '../flash-ability.ts';
import { longestErase, longestProgram, longestStubWork } from '../flash-times.ts';
import type { Reply, Step } from '../protocol/command-link.ts';
import { mustBeDone } from '../protocol/must-be-done.ts';
import { checkWrite, endOf } from './check-write.ts';
import { type Host, isTransient, retryOn } from './esp-retry.ts';
import { hashStep } from './flash-memory.ts';
import { certainSize, checkNeighbours, hashNeighbours, REACH } from './neighbours.ts';
import { isLoneSector, type LoadPass, loadRun, type RunLoad, runsOf } from './run-load.ts';

/** Flash size sent to a ROM if it cannot be detected and the plan fits, in bytes. */
const USUAL_FLASH = 4 * 1_024 * 1_024;

/**
 * Most regions that differ of which only the changed sectors are written. More of them are another build, whose regions
 * have changed throughout.
 */
const MAX_NARROWED = 4;

/** A board as a write needs it. */
export interface WriteHost extends Host {
  readonly clock: Clock;
  readonly onNotice: (notice: EspNotice) => void;
}

/**
 * Writes the regions.
 *
 * @throws EspError with the board's state.
 * @throws RangeError for invalid regions.
 */
export async function writeRegions(
  host: WriteHost,
  regions: readonly FlashRegion[],
  options: EspWriteOptions,
  signal: AbortSignal,
): Promise<WriteReport> {
  const writer = new RegionWriter(host, regions, options, signal);
  try {
    return await writer.run();
  } catch (error) {
    if (error instanceof RangeError || (error instanceof EspError && error.code === 'neighbour-changed')) {
      throw error;
    }
    throw asEspError(error, signal, { state: writer.touched ? 'incomplete' : 'unchanged' });
  }
}

/** A region and its MD5, computed on first use because large images take long. */
class Hashed {
  readonly region: FlashRegion;
  #md5: string | null = null;

  constructor(region: FlashRegion) {
    this.region = region;
  }

  md5(): string {
    this.#md5 ??= md5(this.region.bytes);
    return this.#md5;
  }
}

interface SendEvents {
  /** Receives the number of image bytes that have just been written. */
  readonly moved: (share: number) => void;
  /** Called while a block is on the wire. */
  readonly meanwhile: (index: number) => void;
}

class RegionWriter {
  readonly #host: WriteHost;
  readonly #regions: readonly FlashRegion[];
  readonly #options: EspWriteOptions;
  readonly #signal: AbortSignal;
  readonly #progress: WriteProgress;
  readonly #reports: RegionReport[] = [];
  #repeated = 0;
  /** Faults in a row without a verified region between them. */
  #faults = 0;
  /** Parts that differ of regions whose rest is in flash already. Used once: a region that is repeated is written whole. */
  readonly #parts = new Map<Hashed, FlashRegion>();
  /** The next run, prepared while the wire is busy with the current one. */
  #ahead: { readonly run: readonly Hashed[]; readonly load: RunLoad } | null = null;
  /** True: flash may have been erased. */
  touched = false;

  constructor(host: WriteHost, regions: readonly FlashRegion[], options: EspWriteOptions, signal: AbortSignal) {
    this.#host = host;
    this.#regions = regions.toSorted((one, other) => one.offset - other.offset);
    this.#options = options;
    this.#signal = signal;
    const total = regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#progress = new WriteProgress(host.clock, total, (event) => options.onEvent?.(event));
  }

  async run(): Promise<WriteReport> {
    const { clock, session } = this.#host;
    checkWrite(session, this.#regions, this.#options);
    const report = measureWrite(clock, () => this.#host.session.link.sent);
    const { ability } = session;
    const verifiable = ability.canHash;
    mustSpareNeighbours(this.#regions, ability);
    const targets = this.#regions.map((region) => new Hashed(region));
    await this.#tellSize();
    const isEncrypted = ({ region }: Hashed) => region.encrypted === true;
    const comparable = targets.filter((target) => !isEncrypted(target));
    const compares = verifiable && this.#options.compare !== false;
    const missing = compares ? await this.#compared(comparable) : comparable;
    const different = targets.filter((target) => isEncrypted(target) || missing.includes(target));
    if (compares && missing.length <= MAX_NARROWED && canNarrow(ability)) {
      for (const target of missing) {
        await this.#narrow(target);
      }
    }
    const toWrite = different.reduce((sum, one) => sum + (this.#parts.get(one) ?? one.region).bytes.length, 0);
    const same = this.#regions.reduce((sum, { bytes }) => sum + bytes.length, 0) - toWrite;
    this.#options.onEvent?.({ type: 'compared', same, toWrite });
    const touched = different.map(({ region }) => region);
    const isSuspect = verifiable && !ability.sparesNeighbours;
    const neighbours = isSuspect ? await hashNeighbours(this.#host, touched, this.#signal) : null;
    const runs = this.#runsOf(different);
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      const left = await this.#write(run, runs[0]);
      runs.unshift(...runsOf(left, this.#host.session.ability));
    }
    const unchecked = neighbours && (await checkNeighbours(this.#host, neighbours, this.#signal));
    if (unchecked !== null) {
      this.#host.onNotice({ kind: 'neighbours-unchecked', ...unchecked });
    }
    return report({
      state: verifiable && comparable.length === targets.length ? 'complete' : 'unverified',
      regions: this.#reports,
      written: toWrite,
      same,
      repeated: this.#repeated,
    });
  }

  /** Returns the regions that are not in flash, by the known hashes where there are some. */
  async #compared(targets: readonly Hashed[]): Promise<Hashed[]> {
    const { known } = this.#options;
    const asked: Hashed[] = [];
    const missing: Hashed[] = [];
    for (const target of targets) {
      const hash = known?.get(target.region);
      if (hash === undefined) {
        asked.push(target);
      } else if (hash === target.md5()) {
        this.#settle(target, 'same');
      } else {
        missing.push(target);
      }
    }
    return [...missing, ...(await this.#missing(asked, true, (target) => this.#settle(target, 'same'), false))];
  }

  /** Finds the part of a region that differs, by hashes of halves as long as one of them is in flash already. */
  async #narrow(target: Hashed): Promise<void> {
    let part = target.region;
    while (part.bytes.length > sectorSize) {
      const half = Math.ceil(part.bytes.length / sectorSize / 2) * sectorSize;
      const [first, second] = splitIntoRegions(part.offset, part.bytes, half);
      if (first === undefined || second === undefined) {
        break;
      }
      if (await this.#isInFlash(first)) {
        part = second;
      } else if (await this.#isInFlash(second)) {
        part = first;
      } else {
        break;
      }
    }
    if (part !== target.region) {
      this.#parts.set(target, part);
    }
  }

  async #isInFlash(region: FlashRegion): Promise<boolean> {
    return (await this.#missing([new Hashed(region)], true, () => undefined, false)).length === 0;
  }

  /** Returns the runs of regions that differ. A region of which only a part is written is a run of its own. */
  #runsOf(different: readonly Hashed[]): Hashed[][] {
    const { ability } = this.#host.session;
    const whole = different.filter((target) => !this.#parts.has(target));
    const runs = [...runsOf(whole, ability), ...[...this.#parts.keys()].map((target) => [target])];
    return runs.toSorted(([one], [other]) => (one?.region.offset ?? 0) - (other?.region.offset ?? 0));
  }

  /**
   * Returns the regions that are not in flash, and calls `found` for the others.
   *
   * @param likely True if the first region is probably in flash.
   * @param confirms True: ask again for a hash that differs before it counts, because answers are not protected on
   *   the wire. Not worth a request if the region is written anyway.
   */
  async #missing(
    targets: readonly Hashed[],
    likely: boolean,
    found: (target: Hashed) => void,
    confirms: boolean,
  ): Promise<Hashed[]> {
    const missing: Hashed[] = [];
    const open = [...targets];
    // After a region that differs, the next one probably differs too. Hashing its first sector is cheaper than
    // hashing all of it.
    let likelySame = likely;
    /** Regions whose first sector is in flash. */
    const begun: Hashed[] = [];
    const asked = new Set<Hashed>();
    /** Regions whose hash differed once. */
    const doubted = new Set<Hashed>();
    const questions = (session: Session) => (): Step | null => {
      const whole = begun.shift();
      const target = whole ?? open.find((one) => !asked.has(one));
      if (target === undefined) {
        return null;
      }
      asked.add(target);
      const { offset, bytes } = target.region;
      const isFirst = whole === undefined && !likelySame && bytes.length > sectorSize && !doubted.has(target);
      const length = isFirst ? sectorSize : bytes.length;
      return hashStep(session, { offset, length }, this.#signal, (hash) => {
        if (isFirst && hash === md5(bytes.subarray(0, sectorSize))) {
          begun.push(target);
          return;
        }
        const isThere = !isFirst && hash === target.md5();
        if (!isThere && confirms && !doubted.has(target)) {
          doubted.add(target);
          asked.delete(target);
          return;
        }
        open.splice(open.indexOf(target), 1);
        likelySame = isThere;
        if (likelySame) {
          found(target);
        } else {
          missing.push(target);
        }
      });
    };
    const ask = async (session: Session) => {
      begun.length = 0;
      asked.clear();
      await session.link.exchanges(questions(session), aheadOf(session));
    };
    await retryOn(this.#host, this.#signal, ask, () => targets.length - open.length);
    return missing.toSorted((one, other) => one.region.offset - other.region.offset);
  }

  /**
   * Writes a run and verifies its regions. Returns those that have to be written again.
   *
   * @param next Following run, which is prepared during the write.
   */
  async #write(run: readonly Hashed[], next: readonly Hashed[] | undefined): Promise<Hashed[]> {
    this.#progress.enter('writing');
    const load = this.#load(run);
    const isEncrypted = run[0]?.region.encrypted === true;
    const whole = run.length > 1 && !isEncrypted ? new Hashed(load.region) : null;
    let failure: EspError | null = null;
    try {
      await this.#send(load, whole === null ? run : [whole, ...run], next);
    } catch (error) {
      failure = asEspError(error, this.#signal);
      await this.#recover(failure);
    }
    const left = await this.#verify(run, whole, failure === null);
    const [first] = left;
    if (first !== undefined) {
      // Drops the prepared run, because it may depend on a stub that no longer runs.
      this.#ahead = null;
      this.#repeated++;
      const { offset } = first.region;
      if (failure === null) {
        await this.#recover(new EspError('md5-mismatch', { detail: `${addressText(offset)} and what follows.` }));
      }
      this.#host.onNotice({ kind: 'region-repeated', offset, attempt: this.#faults + 1 });
    }
    return left;
  }

  async #recover(failure: EspError): Promise<void> {
    if (++this.#faults >= maximumTries || !isTransient(failure)) {
      throw failure;
    }
    await this.#host.recover(failure, this.#faults, this.#signal);
    await this.#tellSize();
  }

  /**
   * Verifies a run, and returns the regions that are not in flash.
   *
   * @param whole The run as one region if it has several. If its hash matches, one request verifies all of them.
   * @param sent True: all blocks were acknowledged. Counts as success if the chip cannot hash.
   */
  async #verify(run: readonly Hashed[], whole: Hashed | null, sent: boolean): Promise<Hashed[]> {
    // The hash of encrypted flash says nothing about the bytes that were sent.
    if (!this.#host.session.ability.canHash || run[0]?.region.encrypted === true) {
      for (const target of sent ? run : []) {
        this.#settle(target, 'unverified');
      }
      return sent ? [] : [...run];
    }
    this.#progress.enter('verifying');
    const verified = (target: Hashed) => {
      this.#settle(target, 'verified');
      this.#faults = 0;
    };
    if (sent && whole !== null && (await this.#missing([whole], true, () => undefined, false)).length === 0) {
      run.forEach(verified);
      return [];
    }
    return this.#missing(run, sent, verified, sent);
  }

  #load(run: readonly Hashed[]): RunLoad {
    const ahead = this.#ahead;
    this.#ahead = null;
    return ahead?.run === run ? ahead.load : this.#newLoad(run);
  }

  #newLoad(run: readonly Hashed[]): RunLoad {
    const { ability } = this.#host.session;
    const [first] = run;
    const part = first === undefined ? undefined : this.#parts.get(first);
    if (first === undefined || part === undefined) {
      return loadTargets(run, ability);
    }
    this.#parts.delete(first);
    return { region: first.region, passes: loadRun([part], ability).passes };
  }

  /** @param verifiedNext Regions to verify afterwards. Their hashes are calculated while the wire is busy. */
  async #send(load: RunLoad, verifiedNext: readonly Hashed[], next: readonly Hashed[] | undefined): Promise<void> {
    const { session } = this.#host;
    this.#signal.throwIfAborted();
    this.touched = true;
    const total = load.passes.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    const moved = (share: number) => {
      done += share;
      this.#progress.moving(done, share);
    };
    const meanwhile = (index: number) => {
      if (index === 0 && next !== undefined) {
        this.#ahead = { run: next, load: this.#newLoad(next) };
      }
      verifiedNext[index]?.md5();
    };
    for (const pass of load.passes) {
      const steps = this.#stepsOf(pass, load.region, (pass.length / total) * load.region.bytes.length, {
        moved,
        meanwhile,
      });
      await session.link.exchanges(() => steps.next().value ?? null, aheadOf(session));
    }
  }

  /** @param size Bytes of progress for the pass. Data that is written twice counts once. */
  *#stepsOf(
    pass: LoadPass,
    region: FlashRegion,
    size: number,
    { moved, meanwhile }: SendEvents,
  ): Generator<Step, null> {
    const { begin, blocks, block } = pass;
    const place = addressText(region.offset);
    const signal = this.#signal;
    const answered = (what: string, then?: () => void) => (reply: Reply) => {
      mustBeDone(reply, 'write-failed', what);
      then?.();
    };
    let request = block(0);
    yield { request: begin, ...beginTimes(pass), signal, answered: answered(`begin to write at ${place}`) };
    for (let index = 0; index < blocks; index++) {
      yield {
        request,
        ...blockTimes(pass, index),
        signal,
        meanwhile: () => {
          if (index + 1 < blocks) {
            request = block(index + 1);
          }
          meanwhile(index);
        },
        answered: answered(`block ${index} of ${blocks} at ${place}`, () => moved(size / blocks)),
      };
    }
    return null;
  }

  #settle(target: Hashed, outcome: RegionOutcome): void {
    const { offset, bytes } = target.region;
    const proof = outcome === 'unverified' ? null : ({ kind: 'md5', value: target.md5() } as const);
    this.#reports.push({ offset, length: bytes.length, outcome, proof });
    this.#options.onEvent?.({ type: 'region', offset, length: bytes.length, outcome, proof });
    this.#progress.settle(bytes.length);
  }

  /**
   * Sends a flash size to the ROM if the connection could not. In Secure Download Mode the flash chip cannot be
   * identified, and some flash chips do not report their size. The ROM needs a value, again after each reset. It
   * includes the neighbouring ranges if they can be hashed.
   */
  async #tellSize(): Promise<void> {
    const { link, ability, info } = this.#host.session;
    if (!ability.needsFlashSize || info.flash?.size) {
      return;
    }
    const end = endOf(this.#regions) + (ability.canHash ? REACH : 0);
    const size = Math.max(USUAL_FLASH, certainSize(end));
    await tellFlashSize(size, { link, ability, signal: this.#signal });
  }
}

function loadTargets(run: readonly Hashed[], ability: FlashAbility): RunLoad {
  return loadRun(
    run.map(({ region }) => region),
    ability,
  );
}

/**
 * Refuses a single sector on the ESP8266's ROM, which erases the following sector as well.
 *
 * @param regions In order.
 * @throws EspError `not-in-rom` unless the following sector is written too.
 */
function mustSpareNeighbours(regions: readonly FlashRegion[], ability: FlashAbility): void {
  const parts = regions.map((region) => ({ region }));
  for (const [first, ...others] of runsOf(parts, ability)) {
    if (first === undefined || others.length > 0 || !isLoneSector(first.region, ability)) {
      continue;
    }
    const { offset } = first.region;
    if (regions.every((region) => region.offset !== offset + sectorSize)) {
      throw new EspError('not-in-rom', {
        detail: `It would erase the sector at ${addressText(offset + sectorSize)} together with the one at ${addressText(offset)}.`,
      });
    }
  }
}

/** Returns the number of requests under way. */
function aheadOf({ link, ability }: Session): number {
  return ability.canQueueRequests ? link.ahead : 1;
}

/** Returns true if single sectors are hashed and written fast, and nothing beside them changes. */
const canNarrow = ({ canHash, readsSectors, writesInBackground, sparesNeighbours }: FlashAbility): boolean =>
  canHash && readsSectors && writesInBackground && sparesNeighbours;

/** Longest time until the answer, and longest work after it, in milliseconds. */
type StepTimes = Required<Pick<Step, 'limit' | 'backlog'>>;

function beginTimes(pass: LoadPass): StepTimes {
  return { limit: deadlines.flashBegin + (pass.erasesFirst ? longestErase(pass) : 0), backlog: 0 };
}

/** Returns the times of a block. A ROM answers after the block is in flash, a stub when it has received the block. */
function blockTimes(pass: LoadPass, index: number): StepTimes {
  const from = index === 0 ? 0 : pass.endOf(index - 1);
  const to = pass.endOf(index);
  return pass.erasesFirst
    ? { limit: deadlines.flashData + longestProgram(to - from), backlog: 0 }
    : { limit: deadlines.flashData, backlog: longestStubWork(pass, from, to) };
}

/**
 * Making flash hold what it should: compare, write what differs, verify. Regions are compared one by one; those that follow
 * each other are written and verified in one run. After a fault the chip is asked which of them are there, and the rest is
 * written again: a compressed stream cannot be taken up in its middle.
 */
import type { Clock } from '@wirebench/clock';
import type { RegionOutcome, RegionReport, WriteReport } from '../../core/board.ts';
import { addressText } from '../../core/bytes.ts';
import { md5 } from '../../core/md5.ts';
import { type FlashRegion, sectorSize } from '../../core/region.ts';
import { maximumTries } from '../../core/retry.ts';
import { WriteProgress } from '../../core/write-progress.ts';
import { tellFlashSize } from '../connect/flash-chip.ts';
import type { Session } from '../connect/session.ts';
import type { EspNotice, EspWriteOptions } from '../esp-board.ts';
import { asEspError, EspError } from '../esp-failure.ts';
import type { Reply, Step } from '../protocol/command-link.ts';
import { mustBeDone } from '../protocol/must-be-done.ts';
import { checkWrite, endOf } from './check-write.ts';
import { type Host, isTransient, retryOn } from './esp-retry.ts';
import { hashStep } from './flash-memory.ts';
import { certainSize, checkNeighbours, hashNeighbours, REACH } from './neighbours.ts';
import { isLoneSector, type LoadPass, loadRun, type RunLoad, runsOf } from './run-load.ts';
import { beginTimes, blockTimes } from './step-times.ts';

/** What a ROM is told that nobody could tell the size of flash, when all of it fits. */
const USUAL_FLASH = 4 * 1_024 * 1_024;

/** What a write needs of the board. */
export interface WriteHost extends Host {
  readonly clock: Clock;
  readonly onNotice: (notice: EspNotice) => void;
}

/** @throws EspError with the state of the board; RangeError for regions that are none. */
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

/** Bytes and their hash, which is calculated when it is first asked for: a large image would take long all at once. */
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
  /** So many bytes of the image have been written. */
  readonly moved: (share: number) => void;
  /** A block is on its way. */
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
  /** Faults in a row without a region that was verified between them. */
  #faults = 0;
  /** The next run, made ready while the wire is busy with the one before it. */
  #ahead: { readonly run: readonly Hashed[]; readonly load: RunLoad } | null = null;
  /** Something may have been erased. */
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
    checkWrite(session.info, this.#regions, this.#options);
    const start = clock.now();
    const sentBefore = session.link.sent;
    const verifiable = canHash(session);
    mustSpareNeighbours(this.#regions, session);
    const targets = this.#regions.map((region) => new Hashed(region));
    await this.#tellSize();
    const different =
      verifiable && this.#options.compare !== false
        ? await this.#missing(targets, true, (target) => this.#settle(target, 'same'), false)
        : targets;
    const toWrite = bytesOf(different);
    const same = this.#reports.reduce((sum, { length }) => sum + length, 0);
    this.#options.onEvent?.({ type: 'compared', same, toWrite });
    const touched = different.map(({ region }) => region);
    const neighbours = verifiable && !session.runsStub ? await hashNeighbours(this.#host, touched, this.#signal) : null;
    const runs = runsOf(different, session);
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      const left = await this.#write(run, runs[0]);
      runs.unshift(...runsOf(left, this.#host.session));
    }
    const unchecked = neighbours && (await checkNeighbours(this.#host, neighbours, this.#signal));
    if (unchecked !== null) {
      this.#host.onNotice({ kind: 'neighbours-unchecked', ...unchecked });
    }
    return {
      state: verifiable ? 'complete' : 'unverified',
      regions: this.#reports.toSorted((one, other) => one.offset - other.offset),
      written: toWrite,
      same,
      sent: this.#host.session.link.sent - sentBefore,
      duration: clock.now() - start,
      repeated: this.#repeated,
    };
  }

  /**
   * Those that are not in flash; `found` is called for each of the others.
   * @param likely whether the first one probably is there.
   * @param confirms whether a hash that differs is asked for once more before it counts: nothing protects an answer on its way. Where
   *   the region is written in either case, that is not worth a question.
   */
  async #missing(
    targets: readonly Hashed[],
    likely: boolean,
    found: (target: Hashed) => void,
    confirms: boolean,
  ): Promise<Hashed[]> {
    const missing: Hashed[] = [];
    const open = [...targets];
    // After a region that differs the next one likely differs as well: a look at its first sector is cheaper than at all.
    let likelySame = likely;
    /** Those whose first sector is there. */
    const begun: Hashed[] = [];
    const asked = new Set<Hashed>();
    /** Those whose hash differed once. */
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
   * Writes a run and verifies its regions; gives those that have to be written again.
   * @param next what follows, to be made ready meanwhile.
   */
  async #write(run: readonly Hashed[], next: readonly Hashed[] | undefined): Promise<Hashed[]> {
    this.#progress.enter('writing');
    const load = this.#load(run);
    const whole = run.length > 1 ? new Hashed(load.region) : null;
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
      // What was made ready may have been made for a stub that is no more.
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
   * @param whole the run as one, if it is several: where it is there, all of its regions are, for one question to the chip.
   * @param sent all of it was acknowledged: where nobody can ask the chip, that has to do.
   */
  async #verify(run: readonly Hashed[], whole: Hashed | null, sent: boolean): Promise<Hashed[]> {
    if (!canHash(this.#host.session)) {
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
    return ahead?.run === run ? ahead.load : loadTargets(run, this.#host.session);
  }

  /** @param verifiedNext what will be verified: its hashes are calculated while the wire is busy. */
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
        this.#ahead = { run: next, load: loadTargets(next, session) };
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

  /** @param size what the pass makes of the image, in bytes: what is written twice is no more of it. */
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
   * In Secure Download Mode nobody can ask the flash chip, and some flash chips do not tell their size: the ROM has to be told
   * something, and again when it was reset. It has to reach the neighbours, too, where they can be hashed. For all others the
   * connection does it.
   */
  async #tellSize(): Promise<void> {
    const { link, chip, runsStub, info } = this.#host.session;
    if (runsStub || info.flash?.size) {
      return;
    }
    const end = endOf(this.#regions) + (info.security.secureDownload ? 0 : REACH);
    const size = Math.max(USUAL_FLASH, certainSize(end));
    await tellFlashSize(size, { link, chip, runsStub, signal: this.#signal });
  }
}

function loadTargets(run: readonly Hashed[], session: Session): RunLoad {
  return loadRun(
    run.map(({ region }) => region),
    session,
  );
}

/**
 * The ROM of the ESP8266 erases the sector behind a single one as well.
 * @param regions in order.
 * @throws EspError `not-in-rom` when that sector is not to be written anyway.
 */
function mustSpareNeighbours(regions: readonly FlashRegion[], session: Session): void {
  const parts = regions.map((region) => ({ region }));
  for (const [first, ...others] of runsOf(parts, session)) {
    if (first === undefined || others.length > 0 || !isLoneSector(first.region, session)) {
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

/** A stub alone answers in one length, and has its own way to say that something is wrong: what waits at the board goes by that. */
function aheadOf({ link, runsStub }: Session): number {
  return runsStub ? link.ahead : 1;
}

function bytesOf(targets: readonly Hashed[]): number {
  return targets.reduce((sum, { region }) => sum + region.bytes.length, 0);
}

function canHash({ runsStub, chip, info }: Session): boolean {
  return !info.security.secureDownload && (runsStub || chip.richRom);
}

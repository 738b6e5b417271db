/**
 * A board that is open as an instrument. One loop owns the link, runs the waiting jobs in turns, and restores the
 * link after a fault.
 */
import type { Clock } from '@wirebench/clock';
import type { CommandLink, RomBoard } from '@wirebench/flasher/esp/rom';
import type { LabChip, LinkLimits } from '../chips/lab-chip.ts';
import { releaseEntries } from '../instruments/routing.ts';
import type { Answerer, Lab, LabCounters, LabInfo, LabTraffic, LeaveOptions, RunOptions } from '../lab.ts';
import { asLabError, LabError, refused } from '../lab-failure.ts';
import type { Macro, RegisterEntry } from '../macro.ts';
import { type Policy, policyOf } from '../policy/policy.ts';
import { attemptTurn } from './attempt-turn.ts';
import { ANSWER_LIMIT, exchangeAll, type Outcome } from './exchange.ts';
import { JobQueue, type MacroJob } from './job-queue.ts';
import { leaveBoard } from './leave-board.ts';
import { asOfProgram, type ChipState, recover } from './recovery.ts';
import { RoundTrips } from './round-trips.ts';
import { listRequests, readRequest, type WireRequest, wireSteps } from './wire-steps.ts';

/** Maximum attempts at a macro; a link that loses more answers is unusable. */
const ATTEMPTS = 3;
/** Milliseconds from the first lost answer of a turn to the turn's end, and milliseconds of one recovery. */
const FAULT_LIMIT = 2_400;
const RECOVERY_LIMIT = 1_900;
/** Factor for these limits if a program in RAM answers. A simulated program is as slow as the computer. */
const PROGRAM_PATIENCE = 3;
/** Milliseconds that another attempt needs: a lost answer, and a recovery. */
const ATTEMPT_TIME = 800;
const NOT_CONFIRMED = 'The board did not confirm that its pins were released.';
/** Maximum of a timer in milliseconds, about three weeks. */
const LONGEST = 2 ** 31 - 1;

export interface LabParts {
  readonly clock: Clock;
  readonly board: RomBoard;
  readonly chip: LabChip;
  readonly info: LabInfo;
  /** Factor for answer time limits, from `OpenLabOptions`. */
  readonly patience: number;
  readonly onTraffic: (event: LabTraffic) => void;
  /** Returns the number of flash commands sent so far. */
  readonly flashCommands: () => number;
}

export class ConnectedLab implements Lab {
  readonly chip: LabChip;
  readonly info: LabInfo;
  readonly patience: number;
  readonly #clock: Clock;
  readonly #board: RomBoard;
  readonly #policy: Policy;
  readonly #onTraffic: (event: LabTraffic) => void;
  readonly #flashCommands: () => number;
  readonly #queue = new JobQueue();
  readonly #over = new AbortController();
  readonly #roundTrips = new RoundTrips();
  /** Pins that any entry sent so far could move. */
  readonly #pins = new Set<number>();
  #writes = 0;
  #reads = 0;
  #answerer: Answerer;
  /** True: a program in RAM answers instead of the ROM. */
  #hasProgram = false;
  /** Jobs of the current turn. */
  #turn: readonly MacroJob[] = [];
  #wake = new AbortController();
  #isLeaving = false;
  #leaving: Required<LeaveOptions> = { restart: true, atOnce: false };
  #ended: Promise<void> | null = null;
  /** True: the reset mark was set and read back, so it can reveal a reset. */
  #isMarked = false;
  readonly #loop: Promise<void>;

  constructor({ clock, board, chip, info, patience, onTraffic, flashCommands }: LabParts) {
    this.#clock = clock;
    this.#board = board;
    this.chip = chip;
    this.info = info;
    this.patience = patience;
    this.#policy = policyOf(chip);
    this.#onTraffic = onTraffic;
    this.#flashCommands = flashCommands;
    this.#answerer = this.#rom;
    board.link.port.over.addEventListener('abort', this.#onPortOver, { once: true });
    this.#loop = this.#run();
  }

  get runsProbe(): boolean {
    return this.#board.runsProgram;
  }

  get baudRate(): number {
    return this.#board.link.port.baudRate;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  get counters(): LabCounters {
    return {
      writes: this.#writes,
      reads: this.#reads,
      flashCommands: this.#flashCommands(),
      roundTrip: this.#roundTrips.median,
    };
  }

  run<T>(macro: Macro<T>, { signal, priority = 'user' }: RunOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#mustBeOpen();
      if (signal?.aborted) {
        throw new LabError('cancelled', { cause: signal.reason });
      }
      const steps = wireSteps(macro.steps, this.#policy, this.#answerer.limits);
      const onAbort = () => {
        job.isCancelled = true;
        reject(new LabError('cancelled', { cause: signal?.reason }));
      };
      const end = (settle: () => void) => {
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const job: MacroJob = {
        kind: 'macro',
        macro,
        steps,
        priority,
        isCancelled: false,
        settle: (words) => end(() => resolve(macro.value(words))),
        fail: (error) => end(() => reject(error)),
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(job);
      this.#wake.abort();
    });
  }

  withLink<T>(work: (link: CommandLink, signal: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#mustBeOpen();
      this.#queue.push({
        kind: 'work',
        run: () => work(this.#board.link, this.over).then(resolve, reject),
        fail: reject,
      });
      this.#wake.abort();
    });
  }

  answerBy(answerer: Answerer | null): void {
    this.#answerer = answerer ?? this.#rom;
    this.#hasProgram = answerer !== null;
    this.#board.link.handleEvents(answerer?.onEvent ?? null);
  }

  async setBaudRate(rate: number): Promise<void> {
    if (!(Number.isInteger(rate) && rate >= 9_600 && rate <= 4_000_000)) {
      throw refused('The baud rate is 9,600 to 4,000,000.');
    }
    const change = await this.withLink((_link, signal) =>
      this.#board.changeBaudRate(rate, signal, this.runsProbe || this.#hasProgram),
    ).catch((error: unknown) => {
      throw asLabError(error);
    });
    if (change === 'lost') {
      await this.#end(new LabError('baud-refused', { detail: `Nothing arrives at ${rate} baud.` }), 'restart');
    }
    if (change !== 'changed' && rate !== this.baudRate) {
      throw new LabError('baud-refused');
    }
  }

  async leave({ restart = true, atOnce = false }: LeaveOptions = {}): Promise<void> {
    if (this.#isLeaving) {
      // Combines concurrent calls: any `atOnce` and any `restart` win. A caller in a hurry does not wait for the
      // other.
      this.#leaving = { restart: this.#leaving.restart || restart, atOnce: this.#leaving.atOnce || atOnce };
    } else if (!this.over.aborted) {
      this.#isLeaving = true;
      this.#leaving = { restart, atOnce };
      this.#failWaiting(new LabError('left'));
      this.#wake.abort();
    }
    await this.#loop;
    await this.#ended;
  }

  async #run(): Promise<void> {
    try {
      await this.#mark();
      while (!this.over.aborted && !this.#isLeaving) {
        const next = this.#queue.next();
        if (next === null) {
          await this.#idle();
        } else if ('kind' in next) {
          await next.run();
        } else {
          await this.#runTurn(next);
        }
      }
      if (!this.over.aborted) {
        const { restart, atOnce } = this.#leaving;
        const releases = [...this.#pins].flatMap((pin) => releaseEntries(this.chip, pin));
        const requests = releases.length === 0 ? [] : listRequests(releases, this.#policy, this.#limits);
        const leaving = { releases, requests, reset: restart ? this.chip.reset : null, atOnce };
        const isReleased = await leaveBoard(this.#board, leaving, this.#exchangeOptions());
        if (!restart && this.#leaving.restart) {
          // A later call of `leave` asked for the restart.
          const { reset } = this.chip;
          await leaveBoard(this.#board, { releases: [], requests: [], reset, atOnce: true }, this.#exchangeOptions());
        }
        await this.#end(new LabError('left', isReleased ? {} : { detail: NOT_CONFIRMED }), 'close');
      }
    } catch (error) {
      await this.#end(asLabError(error), 'close');
    }
  }

  /** Sets the reset mark, which a reset clears. If the chip does not keep it, only printed text reveals a reset. */
  async #mark(): Promise<void> {
    const outcome = await this.#exchange(listRequests([this.chip.resetMark], this.#policy, this.chip.limits));
    const isMarked = outcome.kind === 'answered' ? await this.#readMark() : null;
    if (isMarked === null) {
      // Nothing is set yet that a reset could have changed.
      await this.#recover('The reset mark', RECOVERY_LIMIT * this.patience, 'kept');
    }
    this.#isMarked = isMarked === true;
  }

  /** Asks for the reset mark after a fault. Null without an answer. */
  async #readState(): Promise<ChipState | null> {
    if (!this.#isMarked) {
      return 'unknown';
    }
    const isSet = await this.#readMark();
    return isSet === null ? null : isSet ? 'kept' : 'lost';
  }

  /** Returns true if the reset mark is set; null without an answer. */
  async #readMark(): Promise<boolean | null> {
    const { address, value } = this.chip.resetMark;
    const outcome = await this.#exchange([readRequest(address, this.#policy)]);
    return outcome.kind === 'answered' ? outcome.words[0] === value : null;
  }

  /** Listens until a job arrives. Text in between means that the board restarted by itself. */
  async #idle(): Promise<void> {
    const { link } = this.#board;
    this.#wake = new AbortController();
    link.forgetText();
    const signal = AbortSignal.any([this.#wake.signal, this.over]);
    try {
      await link.listen(LONGEST, signal, () => link.text !== '');
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
      return;
    }
    if (link.text !== '') {
      await this.#recover('An idle board', RECOVERY_LIMIT * this.patience);
    }
  }

  async #runTurn(jobs: readonly MacroJob[]): Promise<void> {
    const startedAt = this.#clock.now();
    let deadline: number | null = null;
    this.#turn = jobs;
    try {
      for (let attempt = 1; ; attempt++) {
        this.#board.link.forgetText();
        this.#notePins(jobs);
        const words = await attemptTurn(jobs, (requests) => this.#exchange(requests));
        if (words !== null) {
          this.#settle(jobs, words, startedAt);
          return;
        }
        const patience = Math.max(this.patience, this.#hasProgram ? PROGRAM_PATIENCE : 1);
        deadline ??= this.#clock.now() + FAULT_LIMIT * patience;
        if (!(await this.#recover(titleOf(jobs), Math.min(RECOVERY_LIMIT * patience, deadline - this.#clock.now())))) {
          return;
        }
        const isLast = attempt === ATTEMPTS || deadline - this.#clock.now() < ATTEMPT_TIME * this.patience;
        const failure = jobs.some(mayNotRepeat) ? 'outcome-unknown' : isLast ? 'stopped-answering' : null;
        if (failure !== null) {
          this.#fail(jobs, new LabError(failure));
          return;
        }
      }
    } finally {
      this.#turn = [];
    }
  }

  async #exchange(requests: readonly WireRequest[]): Promise<Outcome> {
    for (const { entries } of requests) {
      this.#writes += entries ?? 0;
      this.#reads += entries === null ? 1 : 0;
    }
    return exchangeAll(requests, this.#exchangeOptions());
  }

  #exchangeOptions() {
    return {
      clock: this.#clock,
      link: this.#board.link,
      limits: this.#limits,
      answerLimit: this.#answerer.answerLimit ?? ANSWER_LIMIT * this.patience,
      signal: this.over,
      onRoundTrip: (duration: number) => this.#roundTrips.add(duration),
    };
  }

  get #limits(): LinkLimits {
    return this.#answerer.limits;
  }

  get #rom(): Answerer {
    return { limits: this.chip.limits, synchronise: (_link, signal) => this.#board.synchronise(signal) };
  }

  #notePins(jobs: readonly MacroJob[]): void {
    for (const entry of jobs.flatMap(({ macro }) => macro.steps).flatMap(entriesOf)) {
      for (const pin of this.#policy.pinsMovedBy(entry)) {
        this.#pins.add(pin);
      }
    }
  }

  /**
   * Tries to restore the link. Returns true if the board answers again and has not restarted. Returns false if the
   * board is lost; the session has then ended. `state` is what is known without asking the chip.
   */
  async #recover(title: string, limit: number, state?: ChipState): Promise<boolean> {
    const failure = await recover({
      clock: this.#clock,
      board: this.#board,
      limit,
      signal: this.over,
      synchronise: (signal) => this.#answerer.synchronise(this.#board.link, signal),
      readState: async () => state ?? this.#readState(),
    });
    if (failure !== null) {
      await this.#end(this.#hasProgram ? asOfProgram(failure) : failure, 'restart');
      return false;
    }
    this.#onTraffic({ kind: 'resynchronised', at: this.#clock.wallTime(), title });
    return true;
  }

  #settle(jobs: readonly MacroJob[], words: readonly (readonly number[])[], startedAt: number): void {
    const at = this.#clock.wallTime();
    const duration = this.#clock.now() - startedAt;
    for (const [index, { macro, priority, settle }] of jobs.entries()) {
      this.#onTraffic({ kind: 'done', at, title: macro.title, priority, duration });
      settle(words[index] ?? []);
    }
  }

  #fail(jobs: readonly MacroJob[], error: LabError): void {
    const at = this.#clock.wallTime();
    for (const { macro, priority, fail } of jobs) {
      this.#onTraffic({ kind: 'failed', at, title: macro.title, priority, error });
      fail(error);
    }
  }

  #failWaiting(error: LabError): void {
    for (const job of this.#queue.drain()) {
      job.fail(error);
    }
  }

  readonly #onPortOver = (): void => {
    void this.#end(asLabError(this.#board.link.port.over.reason), 'close');
  };

  /** Ends the session once: rejects all jobs with `error`, then restarts the board if asked, and closes the port. */
  #end(error: LabError, how: 'restart' | 'close'): Promise<void> {
    if (this.#ended === null) {
      const { port } = this.#board.link;
      port.over.removeEventListener('abort', this.#onPortOver);
      const restarting = how === 'restart' ? this.#board.restart(port.over).catch(() => undefined) : Promise.resolve();
      this.#ended = restarting.then(() => this.#board.close());
      this.#over.abort(error);
      this.#fail(this.#turn, error);
      this.#failWaiting(error);
    }
    return this.#ended;
  }

  #mustBeOpen(): void {
    if (this.over.aborted) {
      throw this.over.reason;
    }
    if (this.#isLeaving) {
      throw new LabError('left');
    }
  }
}

function entriesOf(step: Macro<unknown>['steps'][number]): readonly RegisterEntry[] {
  return step.kind === 'write' ? step.entries : [];
}

function mayNotRepeat({ macro }: MacroJob): boolean {
  return !macro.repeatable;
}

function titleOf(jobs: readonly MacroJob[]): string {
  return jobs.map(({ macro }) => macro.title).join('; ');
}

/**
 * Order of what is sent on one port while sending takes time: texts in pieces, pasted lines, code for Python. Each job
 * has the port to itself, and what is given while it runs follows behind it. The queue knows bytes and time, and no port.
 */
import type { Clock } from '@wirebench/clock';
import { pieceLimits, type SendPieces } from './send-input.ts';

/** Bytes of all jobs since the queue was empty. */
export interface QueueProgress {
  readonly sent: number;
  readonly total: number;
}

/** The part of a job that has its turn. */
export interface Turn {
  /** Aborts when the queue is stopped, and when the connection ends. */
  readonly signal: AbortSignal;
  /** Counts bytes that the port was given. */
  readonly count: (bytes: number) => void;
}

interface QueuedJob {
  readonly bytes: number;
  /** Expected time of the job, in milliseconds. */
  readonly time: number;
  /** Aborts when the connection ends. */
  readonly over: AbortSignal;
}

/** The end of a job before its time. `cause` is the reason. */
export class JobEnd extends Error {
  /** Bytes of all jobs; null if they were reported before. */
  readonly progress: QueueProgress | null;

  constructor(cause: unknown, progress: QueueProgress | null) {
    super('The job has ended before its time.', { cause });
    this.name = 'JobEnd';
    this.progress = progress;
  }
}

/** Time of the queue from which its progress is shown, in milliseconds. */
const SHOWN_FROM = 1_000;

/** @throws RangeError for pieces that would never be sent. */
export function checkPieces({ bytes, pause }: SendPieces): void {
  const { mostBytes, leastPause, mostPause } = pieceLimits;
  if (!(Number.isInteger(bytes) && bytes >= 1 && bytes <= mostBytes && pause >= leastPause && pause <= mostPause)) {
    throw new RangeError(`A piece has 1 to ${mostBytes} bytes, and a rest of ${leastPause} to ${mostPause} ms`);
  }
}

export class SendQueue {
  readonly #clock: Clock;
  #last: Promise<void> | null = null;
  #jobs = 0;
  #stop = new AbortController();
  #sent = 0;
  #total = 0;
  #time = 0;
  #hasReported = false;
  /** Time before which nothing is sent. */
  #restUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isBusy(): boolean {
    return this.#jobs > 0;
  }

  /** Progress to show; null while the queue is empty or takes less than a second. */
  get shownProgress(): QueueProgress | null {
    return this.isBusy && this.#time >= SHOWN_FROM ? { sent: this.#sent, total: this.#total } : null;
  }

  /** Returns the progress at an end of all jobs, once; null for the later ones. */
  takeEnd(): QueueProgress | null {
    if (this.#hasReported || !this.isBusy) {
      return null;
    }
    this.#hasReported = true;
    return { sent: this.#sent, total: this.#total };
  }

  /** Ends all jobs at once. Those that wait do not begin. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** Runs `work` when all jobs before it have ended. Rejects with a `JobEnd`. */
  async run<Result>({ bytes, time, over }: QueuedJob, work: (turn: Turn) => Promise<Result>): Promise<Result> {
    const signal = AbortSignal.any([this.#stop.signal, over]);
    const before = this.#last;
    const done = Promise.withResolvers<void>();
    this.#last = done.promise;
    this.#jobs++;
    this.#total += bytes;
    this.#time += time;
    try {
      await before;
      signal.throwIfAborted();
      return await work({
        signal,
        count: (count) => {
          this.#sent += count;
        },
      });
    } catch (error) {
      throw new JobEnd(error, this.takeEnd());
    } finally {
      done.resolve();
      this.#jobs--;
      if (this.#jobs === 0) {
        this.#sent = 0;
        this.#total = 0;
        this.#time = 0;
        this.#last = null;
        this.#hasReported = false;
      }
    }
  }

  /** Waits until the receiver has had its rest. Rejects as soon as `signal` aborts. */
  async rest(signal: AbortSignal): Promise<void> {
    const left = this.#restUntil - this.#clock.now();
    if (left > 0) {
      await this.#clock.sleep(left, signal);
    }
    signal.throwIfAborted();
  }

  /** Nothing is sent for `time` milliseconds from now. */
  restFor(time: number): void {
    this.#restUntil = this.#clock.now() + time;
  }
}

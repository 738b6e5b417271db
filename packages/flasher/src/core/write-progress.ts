/** Reports the progress of a write, at a rate that is cheap to paint and still looks continuous. */
import type { Clock } from '@wirebench/clock';
import type { WriteEvent, WritePhase } from './board.ts';

/** Milliseconds between two reports. */
const INTERVAL = 50;
/** Period over which the speed is measured, in milliseconds. Short enough to follow a board that slows down. */
const WINDOW = 2_000;
/** Shortest period that gives a meaningful speed, in milliseconds. */
const SHORTEST = 250;

type Progress = Extract<WriteEvent, { type: 'progress' }>;

export class WriteProgress {
  readonly #clock: Clock;
  readonly #total: number;
  readonly #emit: (event: Progress) => void;
  #phase: WritePhase = 'comparing';
  #settled = 0;
  #done = 0;
  #lastReport = Number.NEGATIVE_INFINITY;
  /** Bytes written at each time, oldest first. */
  readonly #samples: { at: number; bytes: number }[] = [];
  #written = 0;

  constructor(clock: Clock, total: number, emit: (event: Progress) => void) {
    this.#clock = clock;
    this.#total = total;
    this.#emit = emit;
  }

  /** Changes the phase and reports it at once. */
  enter(phase: WritePhase): void {
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#report(true);
    }
  }

  /** Records that a region of `bytes` bytes is done. */
  settle(bytes: number): void {
    this.#settled += bytes;
    this.#advance(this.#settled);
    this.#report(this.#settled === this.#total);
  }

  /**
   * Records progress in the current region. A region that is repeated restarts without reducing the reported
   * progress.
   *
   * @param bytes Bytes of the region that are on their way.
   * @param more Bytes written since the last call.
   */
  moving(bytes: number, more: number): void {
    this.#written += more;
    const now = this.#clock.now();
    this.#samples.push({ at: now, bytes: this.#written });
    while ((this.#samples[1]?.at ?? now) < now - WINDOW) {
      this.#samples.shift();
    }
    this.#advance(this.#settled + bytes);
    this.#report(false);
  }

  #advance(done: number): void {
    this.#done = Math.max(this.#done, Math.min(done, this.#total));
  }

  #report(always: boolean): void {
    const now = this.#clock.now();
    if (!always && now - this.#lastReport < INTERVAL) {
      return;
    }
    this.#lastReport = now;
    const speed = this.#phase === 'comparing' ? null : this.#speed();
    const remaining = speed === null ? null : ((this.#total - this.#done) / speed) * 1_000;
    this.#emit({ type: 'progress', phase: this.#phase, done: this.#done, total: this.#total, speed, remaining });
  }

  #speed(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < SHORTEST) {
      return null;
    }
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1_000;
  }
}

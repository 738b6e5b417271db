/** Progress of a file on its way: bytes, rate over the last seconds and time left. */
import type { Clock } from '@wirebench/clock';

export interface SendProgress {
  /** Bytes that the port has taken. */
  readonly sent: number;
  readonly total: number;
  /** Bytes per second over the last few seconds. */
  readonly rate: number;
  /** Time for the rest at this rate, in milliseconds; null until bytes were sent. */
  readonly left: number | null;
}

/** Time over which the rate is measured, and the interval between its samples, in milliseconds. */
const RATE_WINDOW = 3_000;
const NOTE_INTERVAL = 100;

interface Note {
  readonly at: number;
  readonly sent: number;
}

export class ProgressMeter {
  readonly #clock: Clock;
  readonly #total: number;
  /** Samples of the number of sent bytes over `RATE_WINDOW`; at least one. */
  readonly #notes: [Note, ...Note[]];
  #sent: number;

  /** @param sent Bytes that were there before this transfer. They do not count for the rate. */
  constructor(clock: Clock, total: number, sent = 0) {
    this.#clock = clock;
    this.#total = total;
    this.#sent = sent;
    this.#notes = [{ at: clock.now(), sent }];
  }

  get sent(): number {
    return this.#sent;
  }

  add(bytes: number): SendProgress {
    const at = this.#clock.now();
    const notes = this.#notes;
    this.#sent += bytes;
    if (at - (notes.at(-1) ?? notes[0]).at >= NOTE_INTERVAL) {
      notes.push({ at, sent: this.#sent });
    }
    // Keeps the newest sample before the window, so that the rate covers the whole window.
    while ((notes[1]?.at ?? Number.POSITIVE_INFINITY) <= at - RATE_WINDOW) {
      notes.shift();
    }
    const [oldest] = notes;
    const rate = at > oldest.at ? Math.max(0, ((this.#sent - oldest.sent) * 1_000) / (at - oldest.at)) : 0;
    const left = rate > 0 ? Math.max(0, ((this.#total - this.#sent) * 1_000) / rate) : null;
    return { sent: this.#sent, total: this.#total, rate, left };
  }
}

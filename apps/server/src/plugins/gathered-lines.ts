/**
 * Buffers log lines and writes several at once to the standard output. One write per line took a tenth of the main
 * thread's time (decision 19).
 */
import type { Clock } from '@wirebench/clock';
import type { LogDestination } from './request-log.ts';

/** Milliseconds that a line waits at most. A killed process loses the lines of this period. */
const LONGEST_WAIT = 100;

/** Code units after which the buffer is written at once. */
const ENOUGH = 16_384;

/** Pino's number for `warn` (https://getpino.io/#/docs/api?id=logger-level). */
const URGENT = 40;

/** Pino sets the level of each line on a destination with this property before it writes the line. */
const tellMe = Symbol.for('pino.metadata');

export class GatheredLines implements LogDestination {
  readonly [tellMe] = true;
  /** Set by pino. */
  lastLevel = 0;
  readonly #out: LogDestination;
  readonly #clock: Clock;
  #lines = '';
  #cancel: (() => void) | null = null;

  constructor(out: LogDestination, clock: Clock) {
    this.#out = out;
    this.#clock = clock;
  }

  /** Buffers a line. Warnings and errors are written at once, together with all earlier lines. */
  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= ENOUGH || this.lastLevel >= URGENT) {
      this.flush();
    } else {
      this.#cancel ??= this.#clock.schedule(LONGEST_WAIT, () => this.flush());
    }
  }

  /** Writes the buffered lines. Call it before the process ends. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') {
      this.#out.write(lines);
    }
  }
}

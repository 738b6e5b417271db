/**
 * Log lines on their way to the standard output, many in one write: a write for each took a tenth of the main thread's time
 * (decision 19). Knows no requests.
 */
import type { Clock } from '@wirebench/clock';
import type { LogDestination } from './request-log.ts';

/** Milliseconds that a line waits at the most: what is lost of the log when the process is killed. */
const LONGEST_WAIT = 100;

/** Code units that are written without waiting any longer. */
const ENOUGH = 16_384;

/** Pino's number for `warn` (https://getpino.io/#/docs/api?id=logger-level). */
const URGENT = 40;

/** Pino tells a destination with this property the level of each line before it writes it. */
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

  /** Warnings and errors go out at once, with all that was said before them. */
  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= ENOUGH || this.lastLevel >= URGENT) {
      this.flush();
    } else {
      this.#cancel ??= this.#clock.schedule(LONGEST_WAIT, () => this.flush());
    }
  }

  /** Writes what has been gathered; to be called before the process ends. */
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

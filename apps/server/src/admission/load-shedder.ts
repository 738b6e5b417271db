/**
 * Decides what share of the requests is refused while the event loop is late, so that the accepted ones are answered
 * in time. The share follows the delay in small steps: a lasting overload leads to a steady share, not to an
 * alternation of all and nothing.
 */

/** Late samples in a row before anything is refused: a single block, however long, is over when it is noticed. */
const LATE_IN_A_ROW = 3;

/** The amount by which each late sample raises the share, and each sample well below the limit lowers it. */
const STEP_UP = 0.2;
const STEP_DOWN = 0.02;

export class LoadShedder {
  readonly #limit: number;
  #lateInARow = 0;
  #share = 0;
  #owed = 0;
  #onChange: (isShedding: boolean) => void = () => undefined;

  /** @param limit Milliseconds that the event loop may be late; 0 refuses nothing. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The share of the requests that is refused, from 0 to 1. */
  get share(): number {
    return this.#share;
  }

  /** Registers the listener that is called when refusing begins and when it ends. */
  onChange(listener: (isShedding: boolean) => void): void {
    this.#onChange = listener;
  }

  /**
   * Records how late the event loop was, in milliseconds. A delay between half of the limit and the limit keeps the
   * share.
   */
  sample(delay: number): void {
    const before = this.#share;
    if (this.#limit > 0 && delay > this.#limit) {
      this.#lateInARow++;
      if (before > 0 || this.#lateInARow >= LATE_IN_A_ROW) {
        this.#share = Math.min(1, before + STEP_UP);
      }
    } else {
      this.#lateInARow = 0;
      if (delay <= this.#limit / 2) {
        this.#share = before <= STEP_DOWN ? 0 : before - STEP_DOWN;
      }
    }
    if (before > 0 !== this.#share > 0) {
      this.#onChange(this.#share > 0);
    }
  }

  /** Returns true if the next request has to be refused. Refusals are spread evenly over the requests. */
  refuses(): boolean {
    this.#owed += this.#share;
    if (this.#owed < 1) {
      return false;
    }
    this.#owed -= 1;
    return true;
  }
}

/** Milliseconds between two samples. */
const INTERVAL = 100;

/**
 * Calls `onSample` ten times a second, or as soon as the event loop is free, with the milliseconds by which the call
 * is late.
 */
export function watchEventLoop(onSample: (delay: number) => void): Disposable {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    onSample(Math.max(0, now - last - INTERVAL));
    last = now;
  }, INTERVAL).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Which share of the requests is turned away while the event loop is late, so that those that are let in are answered in time.
 * The share follows the delay in small steps: an overload that lasts meets a steady share and not all or nothing in turn. Knows
 * neither requests nor timers.
 */

/** Late samples in a row before anything is turned away: a single block, however long, is over when it is noticed. */
const LATE_IN_A_ROW = 3;

/** By how much each late sample raises the share, and each sample well below the limit lowers it. */
const STEP_UP = 0.2;
const STEP_DOWN = 0.02;

export class LoadShedder {
  readonly #limit: number;
  #lateInARow = 0;
  #share = 0;
  #owed = 0;
  #onChange: (isShedding: boolean) => void = () => undefined;

  /** @param limit milliseconds that the event loop may be late; 0 turns nothing away */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What part of the requests is turned away, from 0 to 1. */
  get share(): number {
    return this.#share;
  }

  /** `listener` hears when turning away begins and when it ends. */
  onChange(listener: (isShedding: boolean) => void): void {
    this.#onChange = listener;
  }

  /** Takes in how late the event loop was, in milliseconds. Between half of the limit and the limit the share stays. */
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

  /** Whether the next request is to be turned away. Of many requests in a row those are spread evenly. */
  refuses(): boolean {
    this.#owed += this.#share;
    if (this.#owed < 1) {
      return false;
    }
    this.#owed -= 1;
    return true;
  }
}

/** Milliseconds between two looks. */
const INTERVAL = 100;

/** Tells `onSample` ten times a second, or as soon as the event loop gets to it, how many milliseconds late that is. */
export function watchEventLoop(onSample: (delay: number) => void): Disposable {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    onSample(Math.max(0, now - last - INTERVAL));
    last = now;
  }, INTERVAL).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

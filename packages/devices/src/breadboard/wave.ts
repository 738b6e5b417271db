/** A digital signal that is known some time ahead, such as the bits of a byte in transmission. */
import { type Drive, drives, type Level, type Source } from './net.ts';

/** A digital signal: its level at a time, and the time of its next change after a time. Times are in milliseconds. */
export interface Signal {
  level(time: number): Level;
  next(time: number): number;
  /** See `Source.period`. */
  period?(): number;
  /** True: a high level is left to the pull-up. */
  readonly openDrain?: boolean;
}

export class Wave implements Signal {
  readonly openDrain: boolean;
  #times: number[] = [];
  #levels: Level[] = [];
  #before: Level;

  constructor(level: Level, openDrain = false) {
    this.#before = level;
    this.openDrain = openDrain;
  }

  /** Time of the last known change. */
  get end(): number {
    return this.#times.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  level(time: number): Level {
    const index = this.#after(time);
    return index === 0 ? this.#before : (this.#levels[index - 1] ?? this.#before);
  }

  next(time: number): number {
    return this.#times[this.#after(time)] ?? Infinity;
  }

  /** Appends a change to `level` at `time`. Times must not decrease; an earlier time is replaced by the last one. */
  push(time: number, level: Level): void {
    if ((this.#levels.at(-1) ?? this.#before) !== level) {
      this.#times.push(Math.max(time, this.end));
      this.#levels.push(level);
    }
  }

  /** Drops the changes before `time`, once more than 64 have accumulated. */
  forget(time: number): void {
    const index = this.#after(time);
    if (index > 64) {
      this.#before = this.level(time);
      this.#times = this.#times.slice(index);
      this.#levels = this.#levels.slice(index);
    }
  }

  /** Discards the changes after `time` and sets `level` from `time` on. */
  cut(time: number, level: Level): void {
    const index = this.#after(time);
    this.#times.length = index;
    this.#levels.length = index;
    this.push(time, level);
  }

  /** Returns the index of the first change after `time`. */
  #after(time: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] ?? Infinity) <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** A push-pull or open-drain output that carries `signal`: a pin of a part. */
export class SignalSource implements Source {
  readonly #signal: Signal;

  constructor(signal: Signal) {
    this.#signal = signal;
  }

  drive(time: number): Drive | null {
    const high = this.#signal.level(time) === 1;
    return high && this.#signal.openDrain ? null : high ? drives.high : drives.low;
  }

  next(time: number): number {
    return this.#signal.next(time);
  }
}

/**
 * Appends a character as a UART sends it: start bit, data bits with the lowest first, stop bits. Returns the end of
 * the last stop bit.
 */
export function pushCharacter(
  wave: Wave,
  start: number,
  byte: number,
  bitTime: number,
  stopBits = 1,
  bits = 8,
): number {
  wave.push(start, 0);
  for (let bit = 0; bit < bits; bit++) {
    wave.push(start + (bit + 1) * bitTime, ((byte >> bit) & 1) as Level);
  }
  wave.push(start + (bits + 1) * bitTime, 1);
  return start + (bits + 1 + stopBits) * bitTime;
}

/** A digital signal that is known some time ahead, such as the bits of a byte that is being sent. */
import { type Drive, drives, type Level, type Source } from './net.ts';

/** What a signal is at a time, and when it changes next by itself. Milliseconds. */
export interface Signal {
  level(time: number): Level;
  next(time: number): number;
  /** As that of a `Source`. */
  period?(): number;
  /** A high level is left to the pull-up. */
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

  /** When the last change is that is known. */
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

  /** From `time` on the level is another. Times come in order; one that does not counts as the last one. */
  push(time: number, level: Level): void {
    if ((this.#levels.at(-1) ?? this.#before) !== level) {
      this.#times.push(Math.max(time, this.end));
      this.#levels.push(level);
    }
  }

  /** Drops what was before `time`, of which nobody wants to hear any more. */
  forget(time: number): void {
    const index = this.#after(time);
    if (index > 64) {
      this.#before = this.level(time);
      this.#times = this.#times.slice(index);
      this.#levels = this.#levels.slice(index);
    }
  }

  /** Stops at `time` where it is, and is `level` from then on. */
  cut(time: number, level: Level): void {
    const index = this.#after(time);
    this.#times.length = index;
    this.#levels.length = index;
    this.push(time, level);
  }

  /** The index of the first change after `time`. */
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

/** An output with `signal` on it: a pin of a part. */
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

/** Adds a character as a UART sends it: start bit, eight bits, lowest first, stop bit. Gives when it ends. */
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

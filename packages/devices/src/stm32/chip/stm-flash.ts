/**
 * The flash of a part: pages or sectors that are erased as a whole, units that are programmed as a whole. Work goes on step by
 * step in its time; a power cut leaves the step at hand half done and forgets those after it.
 */
import type { FlashView } from '../../esp/nor-flash.ts';
import type { Random } from '../../random.ts';

/** Erases bytes, or programs `data` (null: it erases). */
export interface FlashStep {
  readonly offset: number;
  readonly length: number;
  readonly data: Uint8Array | null;
  /** Milliseconds. */
  readonly duration: number;
}

interface TimedStep extends FlashStep {
  readonly start: number;
  readonly end: number;
}

export class StmFlash implements FlashView {
  readonly size: number;
  readonly #erasedByte: 0x00 | 0xff;
  readonly #cells: Uint8Array<ArrayBuffer>;
  readonly #random: Random;
  #steps: TimedStep[] = [];
  #erased = 0;
  #programmed = 0;

  /** An erased flash of `size` bytes. */
  constructor(size: number, erasedByte: 0x00 | 0xff, random: Random) {
    this.size = size;
    this.#erasedByte = erasedByte;
    this.#cells = new Uint8Array(size).fill(erasedByte);
    this.#random = random;
  }

  get erasedBytes(): number {
    return this.#erased;
  }

  get programmedBytes(): number {
    return this.#programmed;
  }

  resetCounts(): void {
    this.#erased = 0;
    this.#programmed = 0;
  }

  /** What is in the cells at the time of the last `settle`. What lies beyond the end reads as 0xff. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(length).fill(0xff);
    result.set(this.#cells.subarray(offset, offset + length));
    return result;
  }

  isErased(offset: number, length: number): boolean {
    return this.#cells.subarray(offset, offset + length).every((byte) => byte === this.#erasedByte);
  }

  /** Puts bytes into the cells as a factory does, without time and counts. */
  preload(offset: number, data: Uint8Array): void {
    this.#cells.set(data.subarray(0, Math.max(0, this.size - offset)), offset);
  }

  /** Begins with `steps` at `now`, after what runs. Gives the time at which all is done. */
  run(now: number, steps: readonly FlashStep[]): number {
    let at = Math.max(now, this.#steps.at(-1)?.end ?? now);
    for (const step of steps) {
      this.#steps.push({ ...step, start: at, end: at + step.duration });
      at += step.duration;
    }
    this.settle(now);
    return at;
  }

  /** Time is `now`: what has ended by then is in the cells. */
  settle(now: number): void {
    let ended = 0;
    for (const step of this.#steps) {
      if (step.end > now) {
        break;
      }
      this.#complete(step);
      ended++;
    }
    this.#steps.splice(0, ended);
  }

  /** The supply is gone, or the core was reset, at `now`. */
  interrupt(now: number): void {
    this.settle(now);
    const [running] = this.#steps;
    if (running !== undefined && running.start < now) {
      this.#leaveHalfDone(running, (now - running.start) / running.duration);
    }
    this.#steps = [];
  }

  #complete({ offset, length, data }: FlashStep): void {
    if (data === null) {
      this.#erased += length;
      this.#cells.fill(this.#erasedByte, offset, offset + length);
      return;
    }
    this.#programmed += length;
    for (const [index, byte] of data.entries()) {
      this.#programByte(offset + index, byte);
    }
  }

  /** `share` of the step is done: bytes before it are programmed; an erase has changed a part of the bits everywhere. */
  #leaveHalfDone({ offset, length, data }: FlashStep, share: number): void {
    if (data !== null) {
      for (const [index, byte] of data.subarray(0, Math.floor(share * length)).entries()) {
        this.#programByte(offset + index, byte);
      }
      return;
    }
    for (let at = offset; at < Math.min(this.size, offset + length); at++) {
      const mask = this.#random.next() < share ? this.#random.below(256) : 0;
      this.#cells[at] = ((this.#cells[at] ?? 0) & ~mask) | (this.#erasedByte & mask);
    }
  }

  /** Programming moves bits away from the erased state only. */
  #programByte(at: number, byte: number): void {
    if (at < this.size) {
      const cell = this.#cells[at] ?? 0;
      this.#cells[at] = this.#erasedByte === 0xff ? cell & byte : cell | byte;
    }
  }
}

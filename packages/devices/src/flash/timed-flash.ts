/**
 * Flash that takes its time: programming moves bits away from the erased state and never back, erasing brings all of them back, and
 * the cells change when an operation ends. What is asked for while one runs waits for it. How much is erased at once, and how long
 * anything takes, is the chip's.
 */
import type { Random } from '../random.ts';
import type { FlashView } from './flash-view.ts';

export interface FlashOperation {
  readonly offset: number;
  readonly length: number;
  /** `length` bytes to program, which must not be changed afterwards; null: it is an erase. */
  readonly data: Uint8Array | null;
  /** Milliseconds. */
  readonly duration: number;
}

interface TimedOperation extends FlashOperation {
  readonly start: number;
  readonly end: number;
}

interface FlashMake {
  /** Bytes. */
  readonly size: number;
  /** What an erased byte reads as. */
  readonly erased: 0x00 | 0xff;
  /** Bytes that are programmed all together or not at all, where the supply goes in the middle. */
  readonly unit: number;
  /** Decides which bits an erase has set when it was interrupted. */
  readonly random: Random;
}

export class TimedFlash implements FlashView {
  readonly #make: FlashMake;
  readonly #cells: Uint8Array<ArrayBuffer>;
  #operations: TimedOperation[] = [];
  #busyUntil = Number.NEGATIVE_INFINITY;
  #now = Number.NEGATIVE_INFINITY;
  #erasedBytes = 0;
  #programmedBytes = 0;
  #version = 0;

  /** All of it is erased. */
  constructor(make: FlashMake) {
    this.#make = make;
    this.#cells = new Uint8Array(make.size).fill(make.erased);
  }

  get size(): number {
    return this.#make.size;
  }

  get erasedBytes(): number {
    return this.#erasedBytes;
  }

  get programmedBytes(): number {
    return this.#programmedBytes;
  }

  /** Until when the flash is busy, in the clock's milliseconds. */
  get busyUntil(): number {
    return this.#busyUntil;
  }

  /** Another number whenever a cell may have changed. */
  get version(): number {
    return this.#version;
  }

  resetCounts(): void {
    this.#erasedBytes = 0;
    this.#programmedBytes = 0;
  }

  /** Time is `now`: what has ended by then is in the cells. Called before anything else whenever time may have passed. */
  settle(now: number): void {
    this.#now = Math.max(this.#now, now);
    const open = this.#operations.findIndex(({ end }) => end > this.#now);
    for (const operation of this.#operations.splice(0, open === -1 ? this.#operations.length : open)) {
      this.#complete(operation);
    }
  }

  /** What is in the cells at the time of the last `settle`. What lies beyond the end reads as 0xff. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(length).fill(0xff);
    result.set(this.#cells.subarray(offset, offset + length));
    return result;
  }

  isErased(offset: number, length: number): boolean {
    return this.#cells.subarray(offset, offset + length).every((byte) => byte === this.#make.erased);
  }

  /** Puts bytes into the cells as the maker of a board does, without time and counts. */
  preload(offset: number, data: Uint8Array): void {
    this.#version++;
    this.#cells.set(data.subarray(0, Math.max(0, this.size - offset)), offset);
  }

  /** Begins with `operation` not before the time `at`, and after what runs. */
  run(at: number, operation: FlashOperation): void {
    const start = Math.max(at, this.#busyUntil);
    const timed = { ...operation, start, end: start + operation.duration };
    this.#busyUntil = timed.end;
    if (operation.data === null) {
      this.#erasedBytes += operation.length;
    } else {
      this.#programmedBytes += operation.length;
    }
    if (timed.end <= this.#now && this.#operations.length === 0) {
      this.#complete(timed);
    } else {
      this.#operations.push(timed);
    }
  }

  /** Nobody drives the flash any more, which keeps its supply: it ends the operation at hand, and is asked for no other. */
  abandon(now: number): void {
    this.settle(now);
    this.#operations = this.#operations.filter(({ start }) => start < now);
    this.#busyUntil = this.#operations[0]?.end ?? now;
  }

  /** The operation at hand stops half done, as without a supply, and those that have not begun are forgotten. */
  interrupt(now: number): void {
    this.settle(now);
    const [running] = this.#operations;
    if (running !== undefined && running.start < now) {
      this.#leaveHalfDone(running, (now - running.start) / running.duration);
    }
    this.#operations = [];
    this.#busyUntil = now;
  }

  #complete({ offset, length, data }: FlashOperation): void {
    this.#version++;
    if (data === null) {
      this.#cells.fill(this.#make.erased, offset, offset + length);
    } else {
      this.#program(offset, data);
    }
  }

  /** `share` of the operation is done: units before it are programmed; an erase has changed a part of the bits everywhere. */
  #leaveHalfDone({ offset, length, data }: FlashOperation, share: number): void {
    const { erased, random, unit } = this.#make;
    this.#version++;
    if (data !== null) {
      this.#program(offset, data.subarray(0, Math.floor((share * length) / unit) * unit));
      return;
    }
    for (let at = offset; at < Math.min(this.size, offset + length); at++) {
      const mask = random.next() < share ? random.below(256) : 0;
      this.#cells[at] = ((this.#cells[at] ?? erased) & ~mask) | (erased & mask);
    }
  }

  #program(offset: number, data: Uint8Array): void {
    const clearsBits = this.#make.erased === 0xff;
    const end = Math.min(data.length, this.size - offset);
    for (let at = 0; at < end; at++) {
      const cell = this.#cells[offset + at] ?? 0;
      const byte = data[at] ?? 0;
      this.#cells[offset + at] = clearsBits ? cell & byte : cell | byte;
    }
  }
}

/**
 * Flash whose operations take time. Programming moves bits away from the erased state and never back; erasing
 * restores all of them. The cells change at the end of an operation, and operations wait for each other. The chip
 * decides the erase sizes and durations.
 */
import type { Random } from '../random.ts';
import type { FlashView } from './flash-view.ts';

export interface FlashOperation {
  readonly offset: number;
  readonly length: number;
  /** `length` bytes to program, or null for an erase. The caller must not change them afterwards. */
  readonly data: Uint8Array | null;
  /** Duration in milliseconds. */
  readonly duration: number;
}

interface TimedOperation extends FlashOperation {
  readonly start: number;
  readonly end: number;
}

interface FlashMake {
  /** Size in bytes. */
  readonly size: number;
  /** Value of an erased byte. */
  readonly erased: 0x00 | 0xff;
  /** Smallest piece in bytes. A power loss during programming leaves it either programmed or unchanged. */
  readonly unit: number;
  /** Decides the bits that an interrupted erase has set. */
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

  /** Creates erased flash. */
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

  /** End of the last queued operation, in the clock's milliseconds. */
  get busyUntil(): number {
    return this.#busyUntil;
  }

  /** Changes whenever a cell may have changed. */
  get version(): number {
    return this.#version;
  }

  resetCounts(): void {
    this.#erasedBytes = 0;
    this.#programmedBytes = 0;
  }

  /**
   * Applies all operations that have ended by `now`. Must be called before any other method if time may have passed.
   */
  settle(now: number): void {
    this.#now = Math.max(this.#now, now);
    const open = this.#operations.findIndex(({ end }) => end > this.#now);
    for (const operation of this.#operations.splice(0, open === -1 ? this.#operations.length : open)) {
      this.#complete(operation);
    }
  }

  /** Returns the content at the last `settle`. Bytes beyond the end read as 0xff. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const present = this.#cells.slice(offset, offset + length);
    if (present.length === length) {
      return present;
    }
    const result = new Uint8Array(length).fill(0xff);
    result.set(present);
    return result;
  }

  isErased(offset: number, length: number): boolean {
    return this.#cells.subarray(offset, offset + length).every((byte) => byte === this.#make.erased);
  }

  /** Writes bytes as they leave the factory, without duration and without counting them. */
  preload(offset: number, data: Uint8Array): void {
    this.#version++;
    this.#cells.set(data.subarray(0, Math.max(0, this.size - offset)), offset);
  }

  /** Queues `operation`. It starts after the operations before it, at the time `at` at the earliest. */
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

  /**
   * Handles a reset of the flash's controller. The supply stays, so the running operation completes; queued ones are
   * dropped.
   */
  abandon(now: number): void {
    this.settle(now);
    this.#operations = this.#operations.filter(({ start }) => start < now);
    this.#busyUntil = this.#operations[0]?.end ?? now;
  }

  /** Handles a loss of the supply. The running operation stops partly done; queued ones are dropped. */
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

  /**
   * Applies the fraction `share` of an operation. A program writes the units up to there; an erase sets a part of the
   * bits everywhere.
   */
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

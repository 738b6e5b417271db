/**
 * The flash inside of an nRF52: erasing sets all bits of a page, writing a word clears bits and never sets one. Operations take the
 * time of the chip; what is asked for while one runs waits for it. A power cut leaves the operation at hand half done and
 * forgets those that have not begun.
 * Source: nRF52840 Product Specification, chapter "NVMC — Non-volatile memory controller".
 */
import type { FlashView } from '../esp/nor-flash.ts';
import type { Random } from '../random.ts';
import { type NvmTimes, pageSize } from './boards.ts';

const wordSize = 4;

interface Operation {
  readonly offset: number;
  /** What is written; null: the page is erased. */
  readonly data: Uint8Array | null;
  readonly start: number;
  readonly end: number;
}

export class Nvm implements FlashView {
  readonly size: number;
  readonly #cells: Uint8Array<ArrayBuffer>;
  readonly times: NvmTimes;
  readonly #random: Random;
  #operations: Operation[] = [];
  #busyUntil = Number.NEGATIVE_INFINITY;
  #now = Number.NEGATIVE_INFINITY;
  #erased = 0;
  #programmed = 0;

  /** Erased flash of `size` bytes. */
  constructor(size: number, times: NvmTimes, random: Random) {
    this.size = size;
    this.#cells = new Uint8Array(size).fill(0xff);
    this.times = times;
    this.#random = random;
  }

  get erasedBytes(): number {
    return this.#erased;
  }

  get programmedBytes(): number {
    return this.#programmed;
  }

  /** Until when the flash is busy, in the clock's milliseconds. */
  get busyUntil(): number {
    return this.#busyUntil;
  }

  resetCounts(): void {
    this.#erased = 0;
    this.#programmed = 0;
  }

  /** Time is `now`: what has ended by then is in the cells. Called before anything else whenever time may have passed. */
  settle(now: number): void {
    this.#now = Math.max(this.#now, now);
    const open = this.#operations.findIndex(({ end }) => end > this.#now);
    for (const operation of this.#operations.splice(0, open === -1 ? this.#operations.length : open)) {
      this.#complete(operation);
    }
  }

  /** What is in the cells at the time of the last `settle`. What lies beyond the end reads as erased. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(length).fill(0xff);
    result.set(this.#cells.subarray(offset, offset + length));
    return result;
  }

  /** Erases the pages that begin from `offset` on and before `end`; `offset` is a multiple of a page. */
  erase(at: number, offset: number, end: number): void {
    for (let page = offset; page < end; page += pageSize) {
      this.#erased += pageSize;
      this.#add(at, { offset: page, data: null }, this.times.page);
    }
  }

  /** Writes `data`, which must not be changed afterwards, word by word. */
  program(at: number, offset: number, data: Uint8Array): void {
    this.#programmed += data.length;
    this.#add(at, { offset, data }, Math.ceil(data.length / wordSize) * this.times.word);
  }

  /** Puts bytes into the cells as the maker of a board does, without time and counts. */
  preload(offset: number, data: Uint8Array): void {
    this.#cells.set(data.subarray(0, Math.max(0, this.size - offset)), offset);
  }

  /** The processor was reset: the operation at hand ends, the others are forgotten. */
  abandon(now: number): void {
    this.settle(now);
    this.#operations = this.#operations.filter(({ start }) => start < now);
    this.#busyUntil = this.#operations[0]?.end ?? now;
  }

  /** The supply is gone at `now`. */
  powerCut(now: number): void {
    this.settle(now);
    const [running] = this.#operations;
    if (running !== undefined && running.start < now) {
      this.#leaveHalfDone(running, (now - running.start) / (running.end - running.start));
    }
    this.#operations = [];
    this.#busyUntil = now;
  }

  #add(at: number, what: Pick<Operation, 'offset' | 'data'>, duration: number): void {
    const start = Math.max(at, this.#busyUntil);
    const operation = { ...what, start, end: start + duration };
    this.#busyUntil = operation.end;
    if (operation.end <= this.#now && this.#operations.length === 0) {
      this.#complete(operation);
    } else {
      this.#operations.push(operation);
    }
  }

  #complete({ offset, data }: Operation): void {
    if (data === null) {
      this.#cells.fill(0xff, offset, offset + pageSize);
    } else {
      this.#clearBits(offset, data);
    }
  }

  /** `share` of the operation is done: words before it are written; an erase has set a part of the bits everywhere. */
  #leaveHalfDone({ offset, data }: Operation, share: number): void {
    if (data !== null) {
      this.#clearBits(offset, data.subarray(0, Math.floor((share * data.length) / wordSize) * wordSize));
      return;
    }
    for (let at = offset; at < Math.min(this.size, offset + pageSize); at++) {
      if (this.#random.next() < share) {
        this.#cells[at] = (this.#cells[at] ?? 0xff) | this.#random.below(256);
      }
    }
  }

  #clearBits(offset: number, data: Uint8Array): void {
    const end = Math.min(data.length, this.size - offset);
    for (let at = 0; at < end; at++) {
      this.#cells[offset + at] = (this.#cells[offset + at] ?? 0) & (data[at] ?? 0xff);
    }
  }
}

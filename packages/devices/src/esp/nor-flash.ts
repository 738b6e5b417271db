/**
 * A NOR flash chip: erasing sets all bits of a sector or block, programming clears bits and never sets one. Operations take the
 * time of a profile; what is asked for while one runs waits for it. A power cut leaves the operation at hand half done and
 * forgets those that have not begun.
 * Sizes: any serial NOR flash data sheet (page 256 bytes, sector 4 KiB, block 64 KiB). Times: the profiles of EspProfile.
 */
import type { Random } from '../random.ts';
import type { EspProfile } from './options.ts';

const pageSize = 256;
export const sectorSize = 4_096;
export const blockSize = 65_536;

interface FlashTimes {
  readonly sector: number;
  readonly block: number;
  readonly page: number;
}

/** Milliseconds. */
const times = {
  'instant-flash': { sector: 0, block: 0, page: 0 },
  'real-flash': { sector: 45, block: 150, page: 0.4 },
} satisfies Record<EspProfile, FlashTimes>;

/** Looked at from outside of the chip. */
export interface FlashView {
  readonly size: number;
  /** Bytes erased and programmed since the counts were reset. */
  readonly erasedBytes: number;
  readonly programmedBytes: number;
  /** A copy of what is in the chip now. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer>;
  resetCounts(): void;
}

interface Operation {
  readonly offset: number;
  readonly length: number;
  /** What is programmed; null: it is an erase. */
  readonly data: Uint8Array | null;
  readonly start: number;
  readonly end: number;
}

export class NorFlash implements FlashView {
  readonly size: number;
  readonly #cells: Uint8Array<ArrayBuffer>;
  readonly #times: FlashTimes;
  readonly #random: Random;
  #operations: Operation[] = [];
  #busyUntil = Number.NEGATIVE_INFINITY;
  #now = Number.NEGATIVE_INFINITY;
  #erased = 0;
  #programmed = 0;
  #version = 0;

  /** An erased chip of `size` bytes. */
  constructor(size: number, profile: EspProfile, random: Random) {
    this.size = size;
    this.#cells = new Uint8Array(size).fill(0xff);
    this.#times = times[profile];
    this.#random = random;
  }

  get erasedBytes(): number {
    return this.#erased;
  }

  get programmedBytes(): number {
    return this.#programmed;
  }

  /** Until when the chip is busy, in the clock's milliseconds. */
  get busyUntil(): number {
    return this.#busyUntil;
  }

  /** Another number whenever a cell may have changed. */
  get version(): number {
    return this.#version;
  }

  resetCounts(): void {
    this.#erased = 0;
    this.#programmed = 0;
  }

  /** Time is `now`: what has ended by then is in the cells. Called before anything else whenever time may have passed. */
  settle(now: number): void {
    this.#now = Math.max(this.#now, now);
    let ended = 0;
    for (const operation of this.#operations) {
      if (operation.end > this.#now) {
        break;
      }
      this.#complete(operation);
      ended++;
    }
    this.#operations.splice(0, ended);
  }

  /** What is in the cells at the time of the last `settle`. What lies beyond the end reads as erased. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(length).fill(0xff);
    result.set(this.#cells.subarray(offset, offset + length));
    return result;
  }

  /**
   * Erases one sector or block, not before the time `at` and after what runs. `length` is 4096 or 65536, `offset` a
   * multiple of it.
   */
  erase(at: number, offset: number, length: number): void {
    this.#erased += length;
    const duration = length === blockSize ? this.#times.block : this.#times.sector;
    this.#add(at, { offset, length, data: null }, duration);
  }

  /** Erases the sectors from `offset` to `end`, both multiples of 4096, whole blocks at once where they are aligned. */
  eraseRange(at: number, offset: number, end: number): void {
    for (let next = offset; next < end; ) {
      const length = next % blockSize === 0 && end - next >= blockSize ? blockSize : sectorSize;
      this.erase(at, next, length);
      next += length;
    }
  }

  /** Programs `data`, which must not be changed afterwards, page by page, not before `at` and after what runs. */
  program(at: number, offset: number, data: Uint8Array): void {
    this.#programmed += data.length;
    const pages = Math.ceil(((offset % pageSize) + data.length) / pageSize);
    this.#add(at, { offset, length: data.length, data }, pages * this.#times.page);
  }

  /** Puts bytes into the cells as the maker of a board does, without time and counts. */
  preload(offset: number, data: Uint8Array): void {
    this.#version++;
    this.#cells.set(data.subarray(0, Math.max(0, this.size - offset)), offset);
  }

  /** Nobody drives the chip any more: it ends the operation at hand, and hears of no other. */
  abandon(now: number): void {
    this.settle(now);
    this.#operations.length = Math.min(this.#operations.length, 1);
    const [running] = this.#operations;
    if (running !== undefined && running.start >= now) {
      this.#operations.length = 0;
    }
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

  #add(at: number, what: Pick<Operation, 'offset' | 'length' | 'data'>, duration: number): void {
    const start = Math.max(at, this.#busyUntil);
    const operation = { ...what, start, end: start + duration };
    this.#busyUntil = operation.end;
    if (operation.end <= this.#now && this.#operations.length === 0) {
      this.#complete(operation);
    } else {
      this.#operations.push(operation);
    }
  }

  #complete({ offset, length, data }: Operation): void {
    this.#version++;
    if (data === null) {
      this.#cells.fill(0xff, offset, offset + length);
    } else {
      clearBits(this.#cells, offset, data);
    }
  }

  /** `share` of the operation is done: pages before it are programmed; an erase has set a part of the bits everywhere. */
  #leaveHalfDone({ offset, length, data }: Operation, share: number): void {
    this.#version++;
    if (data !== null) {
      const upTo = Math.floor((share * length) / pageSize) * pageSize;
      clearBits(this.#cells, offset, data.subarray(0, upTo));
      return;
    }
    for (let at = offset; at < Math.min(this.size, offset + length); at++) {
      if (this.#random.next() < share) {
        this.#cells[at] = (this.#cells[at] ?? 0xff) | this.#random.below(256);
      }
    }
  }
}

function clearBits(cells: Uint8Array, offset: number, data: Uint8Array): void {
  const end = Math.min(data.length, cells.length - offset);
  for (let at = 0; at < end; at++) {
    cells[offset + at] = (cells[offset + at] ?? 0) & (data[at] ?? 0xff);
  }
}

/**
 * A serial NOR flash (W25Q16JV and its larger relatives) as its commands show it: one command for each chip select,
 * 24 address bits that wrap at the size of the chip, programming that only clears bits, and commands that are ignored
 * while it is busy. Source: W25Q16JV datasheet, revision I, sections 8.2 and 9.6.
 */
import type { FlashView } from '../../flash/flash-view.ts';
import { TimedFlash } from '../../flash/timed-flash.ts';
import { createRandom } from '../../random.ts';

/** Bytes of a page, which a program command does not leave, and of a sector. */
export const pageSize = 256;
export const sectorSize = 4096;

/** Durations in milliseconds. */
export interface FlashTimes {
  readonly erase: number;
  readonly program: number;
}

/** W25Q16JV datasheet, section 9.6: tSE and tPP, typical and maximum. */
export const typicalTimes: FlashTimes = { erase: 45, program: 0.4 };
export const maximumTimes: FlashTimes = { erase: 400, program: 3 };

/** An event of the chip, in order. Equal neighbours are joined. */
export type FlashEvent =
  | { readonly what: 'erase'; readonly at: number; readonly size: number; readonly sent: number }
  | { readonly what: 'program'; readonly at: number; readonly bytes: number; readonly pages: number }
  | { readonly what: 'ignored-busy'; readonly command: number }
  | { readonly what: 'unknown'; readonly command: number; readonly bytes: number };

const command = { program: 0x02, read: 0x03, writeEnable: 0x06, fastRead: 0x0b, eraseSector: 0x20 } as const;
/** A command and its 24 address bits. */
const addressBytes = 4;

export interface SpiFlashOptions {
  /** Bytes, a power of two. */
  readonly size: number;
  readonly times: FlashTimes;
  readonly seed?: number;
  /** Returns false for a sector or page that does not take. Offset in bytes. */
  readonly takes?: (offset: number, what: 'erase' | 'program') => boolean;
}

export class SpiFlash {
  readonly #size: number;
  readonly #times: FlashTimes;
  readonly #takes: (offset: number, what: 'erase' | 'program') => boolean;
  readonly #cells: TimedFlash;
  readonly #events: FlashEvent[] = [];
  #isWriteEnabled = false;

  constructor({ size, times, seed = 1, takes = () => true }: SpiFlashOptions) {
    this.#size = size;
    this.#times = times;
    this.#takes = takes;
    this.#cells = new TimedFlash({ size, erased: 0xff, unit: 1, random: createRandom(seed, 'rp flash') });
  }

  get size(): number {
    return this.#size;
  }

  get events(): readonly FlashEvent[] {
    return this.#events;
  }

  /** End of the running operation, in the clock's milliseconds. */
  get busyUntil(): number {
    return this.#cells.busyUntil;
  }

  /** The content at the time `now`. */
  view(now: number): FlashView {
    this.#cells.settle(now);
    return this.#cells;
  }

  /** Writes bytes without duration, as a programmer outside the board does. */
  preload(offset: number, data: Uint8Array): void {
    this.#cells.preload(offset, data);
  }

  /** Write Enable. */
  enableWrites(now: number): void {
    if (!this.#ignores(command.writeEnable, now)) {
      this.#isWriteEnabled = true;
    }
  }

  /**
   * Sends the ROM's erase command. The ROM puts the address into the low bits of one word and the command above it, so
   * that an address above 16 MiB changes the command.
   */
  eraseSector(now: number, address: number): void {
    const code = command.eraseSector | (address >>> 24);
    if (this.#ignores(code, now)) {
      return;
    }
    if (code !== command.eraseSector) {
      this.#note({ what: 'unknown', command: code, bytes: addressBytes });
      return;
    }
    if (!this.#isWriteEnabled) {
      return;
    }
    this.#isWriteEnabled = false;
    const sent = address & 0xff_ffff;
    const offset = sent & (this.#size - 1) & ~(sectorSize - 1);
    this.#note({ what: 'erase', at: offset, size: sectorSize, sent });
    const duration = this.#times.erase;
    if (this.#takes(offset, 'erase')) {
      this.#cells.run(now, { offset, length: sectorSize, data: null, duration });
    } else {
      this.#cells.run(now, { offset, length: 0, data: new Uint8Array(), duration });
    }
  }

  /** Sends the ROM's program command with 256 bytes. */
  programPage(now: number, address: number, data: Uint8Array): void {
    const code = command.program | (address >>> 24);
    if (this.#ignores(code, now)) {
      return;
    }
    if (code === command.writeEnable) {
      this.#isWriteEnabled = true;
      return;
    }
    if (code !== command.program) {
      if (code !== command.read && code !== command.fastRead) {
        this.#note({ what: 'unknown', command: code, bytes: addressBytes + pageSize });
      }
      return;
    }
    if (!this.#isWriteEnabled) {
      return;
    }
    this.#isWriteEnabled = false;
    const offset = address & 0xff_ffff & (this.#size - 1) & ~(pageSize - 1);
    this.#note({ what: 'program', at: offset, bytes: pageSize, pages: 1 });
    const taken = this.#takes(offset, 'program') ? data.slice(0, pageSize) : new Uint8Array();
    this.#cells.run(now, { offset, length: taken.length, data: taken, duration: this.#times.program });
  }

  /** Sends the ROM's read command. Returns `length` bytes; a command that the chip does not know reads as 0xff. */
  read(now: number, address: number, length: number): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(length).fill(0xff);
    const code = command.read | (address >>> 24);
    if (this.#ignores(code, now)) {
      return result;
    }
    if (code !== command.read && code !== command.fastRead) {
      this.#note({ what: 'unknown', command: code, bytes: addressBytes + length });
      return result;
    }
    this.#cells.settle(now);
    // The byte behind the address of a fast read is a dummy.
    const late = code === command.fastRead ? 1 : 0;
    for (let index = late; index < length; ) {
      const offset = (address + index - late) & (this.#size - 1);
      const run = Math.min(length - index, this.#size - offset);
      result.set(this.#cells.read(offset, run), index);
      index += run;
    }
    return result;
  }

  /** The supply is cut: a running operation stays partly done. */
  cutPower(now: number): void {
    this.#cells.interrupt(now);
    this.#isWriteEnabled = false;
  }

  #ignores(code: number, now: number): boolean {
    this.#cells.settle(now);
    if (now >= this.busyUntil) {
      return false;
    }
    this.#note({ what: 'ignored-busy', command: code });
    return true;
  }

  #note(event: FlashEvent): void {
    const last = this.#events.at(-1);
    if (event.what === 'erase' && last?.what === 'erase' && last.at + last.size === event.at) {
      this.#events[this.#events.length - 1] = { ...last, size: last.size + event.size };
    } else if (event.what === 'program' && last?.what === 'program' && last.at + last.bytes === event.at) {
      const pages = last.pages + event.pages;
      this.#events[this.#events.length - 1] = { ...last, bytes: last.bytes + event.bytes, pages };
    } else {
      this.#events.push(event);
    }
  }
}

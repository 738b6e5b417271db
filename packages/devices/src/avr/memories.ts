/**
 * Flash, EEPROM, fuses and lock bits of an AVR as its bootloader reaches them: pages are loaded into a buffer, erased
 * and written by SPM. Source: ATmega328P data sheet (DS40002061B), chapters 26 "Boot Loader Support" and 8.4 "EEPROM".
 */

import { filler } from '../filler.ts';
import type { FlashView } from '../flash/flash-view.ts';
import { TimedFlash } from '../flash/timed-flash.ts';
import { createRandom } from '../random.ts';
import type { AvrBoard } from './boards.ts';

/** Durations in milliseconds: of a page erase or a page write, and of one EEPROM byte. */
export interface AvrTimes {
  readonly page: number;
  readonly eepromByte: number;
}

/** Lock bits that forbid SPM to change the application section (BLB01) and the boot section (BLB11). */
const applicationLock = 1 << 2;
const bootLock = 1 << 4;

export class AvrMemories {
  readonly board: AvrBoard;
  readonly #times: AvrTimes;
  readonly #flash: TimedFlash;
  readonly #eeprom: TimedFlash;
  /** The temporary page buffer. A word that is loaded a second time keeps its first value. */
  readonly #page: (number | null)[];
  #lock: number;

  constructor(board: AvrBoard, times: AvrTimes, seed: number, lock: number) {
    const { chip, bootStart } = board;
    this.board = board;
    this.#times = times;
    this.#lock = lock;
    this.#page = new Array<number | null>(chip.pageSize / 2).fill(null);
    const random = createRandom(seed, 'half done');
    this.#flash = new TimedFlash({ size: chip.flashSize, erased: 0xff, unit: 2, random });
    this.#eeprom = new TimedFlash({ size: chip.eepromSize, erased: 0xff, unit: 1, random });
    this.#flash.preload(bootStart, filler(chip.flashSize - bootStart, seed));
  }

  get flash(): FlashView {
    return this.#flash;
  }

  get eeprom(): FlashView {
    return this.#eeprom;
  }

  get lock(): number {
    return this.#lock;
  }

  /** Programs those lock bits that are zero in `bits`. Only a chip erase by another programmer sets them again. */
  programLock(bits: number): void {
    this.#lock &= bits;
  }

  /** True if the first word of the flash is programmed, which bootloaders take as the presence of a sketch. */
  get hasSketch(): boolean {
    return this.#flash.read(0, 2).some((byte) => byte !== 0xff);
  }

  /** End of the last queued operation, in the clock's milliseconds. */
  get busyUntil(): number {
    return Math.max(this.#flash.busyUntil, this.#eeprom.busyUntil);
  }

  settle(now: number): void {
    this.#flash.settle(now);
    this.#eeprom.settle(now);
  }

  /** Handles a loss of power. */
  interrupt(now: number): void {
    this.#flash.interrupt(now);
    this.#eeprom.interrupt(now);
    this.clearPage();
  }

  /** Handles a reset: the supply stays, and a running operation completes. */
  abandon(now: number): void {
    this.#flash.abandon(now);
    this.#eeprom.abandon(now);
    this.clearPage();
  }

  /** Writes flash as it leaves the factory. */
  preloadFlash(address: number, data: Uint8Array): void {
    this.#flash.preload(address, data);
  }

  preloadEeprom(data: Uint8Array): void {
    this.#eeprom.preload(0, data);
  }

  /** Erases the page that contains `address`. Has no effect in a locked section. */
  erasePage(at: number, address: number): void {
    const { pageSize } = this.board.chip;
    const offset = this.#pageStart(address);
    if (this.#mayWrite(offset)) {
      this.#flash.run(at, { offset, length: pageSize, data: null, duration: this.#times.page });
    }
  }

  /** Loads a word into the page buffer, at the place that the low bits of `address` select. */
  fillPage(address: number, word: number): void {
    const index = (address >> 1) % this.#page.length;
    this.#page[index] ??= word & 0xffff;
  }

  /** Writes the buffer to the page that contains `address`, and clears the buffer. Words that were not loaded stay. */
  writePage(at: number, address: number): void {
    const offset = this.#pageStart(address);
    const data = Uint8Array.from(this.#page.flatMap((word) => [(word ?? 0xffff) & 0xff, (word ?? 0xffff) >> 8]));
    this.clearPage();
    if (this.#mayWrite(offset)) {
      this.#flash.run(at, { offset, length: data.length, data, duration: this.#times.page });
    }
  }

  /** Clears the page buffer, as setting RWWSRE does. */
  clearPage(): void {
    this.#page.fill(null);
  }

  /** Erases and writes one byte of the EEPROM. The address wraps at its end. */
  writeEeprom(at: number, address: number, byte: number): void {
    const offset = address % this.#eeprom.size;
    const duration = this.#times.eepromByte / 2;
    this.#eeprom.run(at, { offset, length: 1, data: null, duration });
    this.#eeprom.run(at, { offset, length: 1, data: Uint8Array.of(byte), duration });
  }

  /** Reads flash. The address wraps at its end. */
  readFlash(address: number, length: number): number[] {
    return wrapped(this.#flash, address, length);
  }

  readEeprom(address: number, length: number): number[] {
    return wrapped(this.#eeprom, address, length);
  }

  #pageStart(address: number): number {
    const { pageSize, flashSize } = this.board.chip;
    return Math.floor((address % flashSize) / pageSize) * pageSize;
  }

  #mayWrite(offset: number): boolean {
    return (this.#lock & (offset >= this.board.bootStart ? bootLock : applicationLock)) !== 0;
  }
}

function wrapped(memory: FlashView, address: number, length: number): number[] {
  return Array.from({ length }, (_, index) => memory.read((address + index) % memory.size, 1)[0] ?? 0xff);
}

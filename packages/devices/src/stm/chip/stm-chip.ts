/**
 * An STM32 without its bootloaders: memories at their addresses, protection, timed flash operations, and the program
 * in it. The bootloaders in ../uart and ../usb decide the permitted commands.
 */
import type { FlashView } from '../../flash/flash-view.ts';
import { type FlashOperation, TimedFlash } from '../../flash/timed-flash.ts';
import { createRandom } from '../../random.ts';
import { isVectorTable, programIn, type StmProgram, stmFirmware } from '../firmware.ts';
import type { StmChipOptions, StmPartName, StmProtection } from '../options.ts';
import { parts } from '../parts/index.ts';
import { flashStart, isIn, type StmFlashTimes, type StmPart, type StmRange } from '../parts/part.ts';
import { Memories } from './memories.ts';
import { OptionBytes } from './option-bytes.ts';

/** A flash operation: its end and its result. */
export interface Work {
  /** End in the clock's milliseconds. */
  readonly end: number;
  readonly ok: boolean;
}

interface StmSector {
  /** Offset from the start of the flash in bytes. */
  readonly offset: number;
  readonly length: number;
}

/** AN2606, Table 4: a register whose value selects the bytes that the supply voltage allows to program at once. */
const voltageRange: StmRange = { start: 0xffff_0000, length: 4 };
const widths = [1, 2, 2, 4, 8];

export class StmChip {
  readonly name: StmPartName;
  readonly part: StmPart;
  readonly sectors: readonly StmSector[];
  readonly #flash: TimedFlash;
  readonly #flashRange: StmRange;
  readonly #options: OptionBytes;
  readonly #memories: Memories;
  readonly #times: StmFlashTimes;
  readonly #slow: boolean;
  #voltage = 0;
  #level: StmProtection = 0;
  #empty = false;
  /** True after an unaligned write: all further writes fail until a reset (AN2606, section 4.6). */
  #programmingFails = false;

  /** @throws Error if the part does not exist with that flash size. */
  constructor(options: StmChipOptions) {
    const { part: name, profile = 'instant-flash', seed = 1 } = options;
    const part: StmPart = parts[name];
    const size = options.flashSize ?? part.flash.sizes[0] ?? 0;
    if (!part.flash.sizes.includes(size)) {
      throw new Error(`There is no ${part.title} with ${size} bytes of flash.`);
    }
    this.name = name;
    this.part = part;
    this.sectors = sectorsOf(part, size);
    const { times, slowest } = this.part.flash;
    this.#times = profile === 'slow-flash' ? slowest : times;
    this.#slow = profile !== 'instant-flash';
    this.#flash = new TimedFlash({
      size,
      erased: part.flash.erased,
      unit: 1,
      random: createRandom(seed, 'half done'),
    });
    this.#flashRange = { start: flashStart, length: size };
    this.#memories = new Memories(part, size, seed, options.uniqueId);
    this.#options = new OptionBytes(part.options, this.sectors.length);
    this.#fill(options);
    this.#options.protection = options.protection ?? 0;
    this.#options.protectWriting((options.writeProtected ?? []).map((page) => this.#options.sectorOf(page)));
    this.loadOptions();
  }

  get flash(): FlashView {
    return this.#flash;
  }

  get uniqueId(): string {
    return this.#memories.uniqueId;
  }

  /** Level of read protection when the option bytes were last loaded. */
  get protection(): StmProtection {
    return this.#level;
  }

  /** True if the flash was empty when the option bytes were last loaded. Always false on parts without this check. */
  get startsEmpty(): boolean {
    return this.#empty;
  }

  settle(now: number): void {
    this.#flash.settle(now);
  }

  /** Handles a reset or the loss of power at `now`. */
  interrupt(now: number): void {
    this.#flash.interrupt(now);
    this.#programmingFails = false;
    this.#voltage = 0;
  }

  /** Puts the option bytes into effect. */
  loadOptions(): void {
    this.#level = this.#options.protection;
    this.#empty = this.part.emptyCheck && this.#flash.isErased(0, 4);
  }

  /**
   * Handles option bytes that a bootloader has changed. Returns true if the part restarts to load them. Otherwise
   * they are in effect immediately.
   */
  optionsChanged(): boolean {
    const { restarts } = this.part.options;
    if (!restarts) {
      this.loadOptions();
    }
    return restarts;
  }

  /** Returns the number of the sector at an address; null for addresses outside the flash. */
  sectorAt(address: number): number | null {
    const at = address - flashStart;
    const number = this.sectors.findIndex(({ offset, length }) => at >= offset && at < offset + length);
    return number < 0 ? null : number;
  }

  /** True if a read may start here. The end of the read is not checked. */
  mayRead(address: number): boolean {
    const settable = this.part.voltageRange && isIn(voltageRange, address);
    return settable || this.isOption(address) || this.mayStart(address) || this.#memories.mayRead(address);
  }

  /** True if a write may start here. A write to option bytes must start at the first byte of an area. */
  mayWrite(address: number): boolean {
    const settable = this.part.voltageRange && address === voltageRange.start;
    const firstOption = this.part.options.ranges.some(({ start }) => start === address);
    return settable || firstOption || isIn(this.#flashRange, address) || this.#memories.mayWrite(address);
  }

  isOption(address: number): boolean {
    return this.part.options.ranges.some((range) => isIn(range, address));
  }

  /** True if a program may be started here: in flash or RAM. */
  mayStart(address: number): boolean {
    return [this.#flashRange, ...this.part.ram].some((range) => isIn(range, address));
  }

  read(address: number, length: number): Uint8Array<ArrayBuffer> {
    const { start, length: size } = this.#flashRange;
    if (address >= start && address + length <= start + size) {
      return this.#flash.read(address - start, length);
    }
    return Uint8Array.from({ length }, (_, index) => this.#at(address + index));
  }

  /** Writes to an address that `mayWrite` allows. Option bytes take effect with `loadOptions`. */
  write(now: number, address: number, data: Uint8Array): Work {
    this.settle(now);
    if (isIn(this.#flashRange, address)) {
      return this.#program(now, address, data);
    }
    if (this.part.voltageRange && address === voltageRange.start) {
      const known = (data[0] ?? 0xff) < widths.length && data.subarray(1).every((byte) => byte === 0xff);
      this.#voltage = known ? (data[0] ?? 0) : this.#voltage;
      return { end: now, ok: known };
    }
    const option = offsetIn(this.part.options.ranges, address);
    if (option !== null) {
      this.#options.write(option, data);
      return { end: now, ok: true };
    }
    const units = this.#memories.write(address, data);
    return { end: now + this.#time(units * this.#times.program), ok: true };
  }

  /** Erases sectors by number. Write-protected sectors stay unchanged, without an error. */
  eraseSectors(now: number, numbers: readonly number[]): Work {
    this.settle(now);
    const { erase } = this.#times;
    const erases = numbers.flatMap((number): FlashOperation[] => {
      const sector = this.sectors[number];
      return sector === undefined || this.#options.isWriteProtected(number)
        ? []
        : [{ ...sector, data: null, duration: this.#time(erase[sector.length] ?? 0) }];
    });
    return { end: this.#work(now, erases), ok: true };
  }

  /** Erases all banks, or one of them, except for write-protected sectors. */
  massErase(now: number, bank: 1 | 2 | null = null): Work {
    this.settle(now);
    const { banks } = this.part.flash;
    const half = this.#flash.size / banks;
    const erases = [0, 1].slice(0, banks).flatMap((index): FlashOperation[] => {
      if (bank !== null && index !== bank - 1) {
        return [];
      }
      const inside = [...this.sectors.entries()].filter(([, { offset }]) => Math.floor(offset / half) === index);
      const duration = this.#time(this.#times.massErase / inside.length);
      const erasable = inside.filter(([number]) => !this.#options.isWriteProtected(number));
      return erasable.map(([, sector]) => ({ ...sector, data: null, duration }));
    });
    return { end: this.#work(now, erases), ok: true };
  }

  /**
   * Removes the read protection (AN3155, section 3.12, and AN3156, section 5.4). Clears RAM in any case, and erases
   * protected memory. Takes effect with `loadOptions`.
   */
  removeProtection(now: number): Work {
    this.#memories.clearRam();
    if (this.#level === 0) {
      return { end: now, ok: true };
    }
    this.#options.reset();
    this.#memories.clearData();
    return this.massErase(now);
  }

  protectReading(): void {
    this.#options.protection = 1;
  }

  /** Protects exactly the sectors with these codes. */
  protectWriting(codes: readonly number[]): void {
    this.#options.protectWriting(codes);
  }

  /**
   * Returns the program that would run if a core started at `address`: `silent` for an unknown one, null without a
   * program.
   */
  programAt(address: number): StmProgram | 'silent' | null {
    const room = isIn(this.#flashRange, address) ? flashStart + this.#flash.size - address : 4_096;
    const image = this.read(address, Math.min(room, 65_536));
    return isVectorTable(image, [this.#flashRange, ...this.part.ram]) ? (programIn(image) ?? 'silent') : null;
  }

  /**
   * True if code in RAM at `address` only resets its core: it contains the address of AIRCR and the key for it
   * (ARMv7-M Architecture Reference Manual, section B3.2.6). Flashers without a reset line end that way.
   */
  resetsItself(address: number): boolean {
    const view = new DataView(this.read(address, 128).buffer);
    const words = Array.from({ length: 32 }, (_, index) => view.getUint32(index * 4, true));
    return !isIn(this.#flashRange, address) && words.includes(0xe000_ed0c) && words.includes(0x05fa_0004);
  }

  #program(now: number, address: number, data: Uint8Array): Work {
    const { unit, alignment, erased, rewrite } = this.part.flash;
    this.#programmingFails ||= address % alignment !== 0;
    if (this.#programmingFails) {
      return { end: now, ok: false };
    }
    const number = this.sectorAt(address);
    if (number === null || this.#options.isWriteProtected(number)) {
      return { end: now, ok: true };
    }
    const start = address - flashStart;
    const first = Math.floor(start / unit) * unit;
    const whole = new Uint8Array(Math.ceil((start + data.length - first) / unit) * unit).fill(erased);
    whole.set(data, start - first);
    const inside = whole.subarray(0, Math.max(0, this.#flash.size - first));
    const accepted = rewrite === 'clears-bits' ? inside.length : this.#accepted(first, inside);
    const duration = this.#programTime(first, accepted);
    const operation = { offset: first, length: accepted, data: whole.subarray(0, accepted), duration };
    return { end: this.#work(now, accepted === 0 ? [] : [operation]), ok: accepted === whole.length };
  }

  /** Queues `operations` after the running ones. Returns the end of the last one. */
  #work(now: number, operations: readonly FlashOperation[]): number {
    for (const operation of operations) {
      this.#flash.run(now, operation);
    }
    return Math.max(now, this.#flash.busyUntil);
  }

  /** Returns the number of bytes of `data` that can be programmed at `offset` before the first refused unit. */
  #accepted(offset: number, data: Uint8Array): number {
    const { unit, erased } = this.part.flash;
    for (let at = 0; at < data.length; at += unit) {
      const zero = erased === 0xff && data.subarray(at, at + unit).every((byte) => byte === 0);
      if (!zero && !this.#flash.isErased(offset + at, unit)) {
        return at;
      }
    }
    return data.length;
  }

  #programTime(offset: number, length: number): number {
    const { unit, burst } = this.part.flash;
    const width = this.part.voltageRange ? (widths[this.#voltage] ?? 1) : burst;
    const aligned = offset % width === 0 && length % width === 0;
    return this.#time((length / (aligned ? width : unit)) * this.#times.program);
  }

  #time(milliseconds: number): number {
    return this.#slow ? milliseconds : 0;
  }

  #at(address: number): number {
    if (isIn(this.#flashRange, address)) {
      return this.#flash.read(address - flashStart, 1)[0] ?? 0xff;
    }
    const option = offsetIn(this.part.options.ranges, address);
    if (option !== null) {
      return this.#options.at(option);
    }
    const settable = this.part.voltageRange && address === voltageRange.start;
    return settable ? this.#voltage : this.#memories.at(address);
  }

  #fill({ content = 'factory', factoryBaudRate }: StmChipOptions): void {
    if (content === 'empty') {
      return;
    }
    const text = `\r\n${this.part.title} with its factory program.\r\n`;
    const rate = factoryBaudRate === undefined ? {} : { baudRate: factoryBaudRate };
    const data = stmFirmware({ text, size: 6_000, ...rate });
    for (const part of content === 'factory' ? [{ address: flashStart, data }] : content) {
      this.#flash.preload(part.address - flashStart, part.data);
    }
  }
}

function sectorsOf({ flash: { layout } }: StmPart, size: number): StmSector[] {
  const sectors: StmSector[] = [];
  let offset = 0;
  for (const { count, size: length } of layout) {
    for (let index = 0; index < count && offset < size; index++) {
      sectors.push({ offset, length });
      offset += length;
    }
  }
  return sectors;
}

/** Returns the offset of an address, counted through all ranges; null outside of them. */
function offsetIn(ranges: readonly StmRange[], address: number): number | null {
  let before = 0;
  for (const range of ranges) {
    if (isIn(range, address)) {
      return before + address - range.start;
    }
    before += range.length;
  }
  return null;
}

/**
 * The address space of a chip's processor: RAM as bytes, peripherals as blocks of registers, and plain words. Before
 * an access its caller sets the time by `reach` and `wait`: the loader in its turn, a running program by its cycles.
 * An access to an unmapped address crashes the loader or program that makes it. Peripherals map themselves.
 */
import { joined, viewOf } from '../byte-fields.ts';
import type { AddressRange, EspChip } from './chips/chip.ts';

/** A register with a side effect on reads or writes. */
interface Register {
  read?(): number;
  write?(value: number): void;
}

/**
 * The registers of a peripheral. Offsets are multiples of 4 from the start of the block; values are unsigned 32-bit
 * numbers.
 */
export interface RegisterBlock {
  read(offset: number): number;
  write(offset: number, value: number): void;
}

/** Size of an access in bytes. */
export type AccessSize = 1 | 2 | 4;

class RamRegion {
  readonly start: number;
  readonly end: number;
  #view: DataView | null = null;

  constructor([start, end]: AddressRange) {
    this.start = start;
    this.end = end;
  }

  /** The region's bytes; null until the first use. */
  get used(): DataView | null {
    return this.#view;
  }

  /** The region's bytes, allocated on first use. */
  get view(): DataView {
    this.#view ??= new DataView(new ArrayBuffer(this.end - this.start));
    return this.#view;
  }
}

interface Mapping {
  readonly start: number;
  readonly end: number;
  readonly block: RegisterBlock;
}

export class Memory {
  readonly #ram: readonly RamRegion[];
  readonly #known: readonly AddressRange[];
  readonly #mirror: EspChip['mirror'];
  readonly #words = new Map<number, number>();
  readonly #fixed: ReadonlyMap<number, number>;
  readonly #registers = new Map<number, Register>();
  readonly #mappings: Mapping[] = [];
  /** Uploaded pieces in order of arrival. */
  readonly #uploads: { readonly address: number; readonly data: Uint8Array }[] = [];
  #now = 0;

  /**
   * @param chip The chip.
   * @param fixed Words that cannot be changed, except those in RAM.
   */
  constructor(chip: EspChip, fixed: ReadonlyMap<number, number>) {
    this.#ram = chip.ram.map((range) => new RamRegion(range));
    this.#known = chip.readable;
    this.#mirror = chip.mirror;
    this.#fixed = fixed;
    // Fixed words in RAM are leftovers of the ROM. A program may change them.
    for (const [address, value] of fixed) {
      this.write(address, value);
    }
  }

  /** Time of the next access, in milliseconds of the breadboard's clock. Never goes backwards. */
  get now(): number {
    return this.#now;
  }

  /** Moves the next access to `time`, unless it is already later. */
  reach(time: number): void {
    this.#now = Math.max(this.#now, time);
  }

  /** Moves the next access by `duration` milliseconds. */
  wait(duration: number): void {
    this.#now += duration;
  }

  attach(address: number, register: Register): void {
    this.#registers.set(address, register);
  }

  /** Maps a peripheral to `length` bytes from `start` on. */
  map(start: number, length: number, block: RegisterBlock): void {
    this.#mappings.push({ start, end: start + length, block });
  }

  /** Stores a word without side effects, as the ROM's program would. */
  set(address: number, value: number): void {
    this.#words.set(address, value >>> 0);
  }

  /**
   * Returns the unsigned little-endian value at `address`. Null for an unmapped address, at which the processor takes
   * an exception. Words may be unaligned, because the recorded chips answered those too.
   */
  read(address: number, size: AccessSize = 4): number | null {
    const ram = this.#ramAt(address, size);
    if (ram !== null) {
      const at = this.#mirrored(address) - ram.start;
      return size === 4
        ? ram.view.getUint32(at, true)
        : size === 2
          ? ram.view.getUint16(at, true)
          : ram.view.getUint8(at);
    }
    const shift = (address % 4) * 8;
    if (shift + size * 8 > 32) {
      return this.#readSplit(address, size);
    }
    const word = this.#readWord(address - (address % 4));
    return word === null || size === 4 ? word : (word >>> shift) & (size === 2 ? 0xffff : 0xff);
  }

  /**
   * Writes a value; returns false for an unmapped address. For a part of a register's word, the other bytes keep
   * their last written values.
   */
  write(address: number, value: number, size: AccessSize = 4): boolean {
    const ram = this.#ramAt(address, size);
    if (ram !== null) {
      const at = this.#mirrored(address) - ram.start;
      if (size === 4) {
        ram.view.setUint32(at, value, true);
      } else if (size === 2) {
        ram.view.setUint16(at, value, true);
      } else {
        ram.view.setUint8(at, value);
      }
      return true;
    }
    const shift = (address % 4) * 8;
    if (shift + size * 8 > 32) {
      return this.#writeSplit(address, value, size);
    }
    const aligned = address - (address % 4);
    const mask = size === 4 ? 0xffffffff : ((size === 2 ? 0xffff : 0xff) << shift) >>> 0;
    const kept = size === 4 ? 0 : (this.#words.get(aligned) ?? 0) & ~mask;
    return this.#writeWord(aligned, (kept | ((value << shift) & mask)) >>> 0);
  }

  /** True if the whole range is in RAM. */
  isRam(address: number, length: number): boolean {
    return this.#ram.some(({ start, end }) => address >= start && address + length <= end);
  }

  /** Stores an uploaded piece of code or data. */
  upload(address: number, data: Uint8Array): void {
    this.#uploads.push({ address, data: data.slice() });
    const view = viewOf(data);
    for (let at = 0; at < data.length; at++) {
      this.write(address + at, view.getUint8(at), 1);
    }
  }

  /** True if code has been uploaded to `address`. */
  isUploaded(address: number): boolean {
    return this.#uploads.some((upload) => address >= upload.address && address < upload.address + upload.data.length);
  }

  /** All uploaded pieces joined in order of arrival. */
  get uploaded(): Uint8Array {
    return joined(...this.#uploads.map(({ data }) => data));
  }

  /** Yields the words of RAM that are not 0. */
  *ramWords(): Iterable<readonly [address: number, word: number]> {
    for (const { start, used } of this.#ram) {
      for (let at = 0; used !== null && at + 4 <= used.byteLength; at += 4) {
        const word = used.getUint32(at, true);
        if (word !== 0) {
          yield [start + at, word];
        }
      }
    }
  }

  #readWord(address: number): number | null {
    if (!this.#leadsSomewhere(address)) {
      return null;
    }
    const special = this.#registers.get(address)?.read?.() ?? this.#fixed.get(address);
    if (special !== undefined) {
      return special >>> 0;
    }
    const mapping = this.#mappingAt(address);
    return (mapping?.block.read(address - mapping.start) ?? this.#words.get(address) ?? 0) >>> 0;
  }

  #writeWord(address: number, value: number): boolean {
    if (!this.#leadsSomewhere(address)) {
      return false;
    }
    this.#words.set(address, value);
    const mapping = this.#mappingAt(address);
    mapping?.block.write(address - mapping.start, value);
    this.#registers.get(address)?.write?.(value);
    return true;
  }

  #readSplit(address: number, size: AccessSize): number | null {
    let value = 0;
    for (let at = 0; at < size; at++) {
      const byte = this.read(address + at, 1);
      if (byte === null) {
        return null;
      }
      value += byte * 2 ** (8 * at);
    }
    return value;
  }

  #writeSplit(address: number, value: number, size: AccessSize): boolean {
    let all = true;
    for (let at = 0; at < size; at++) {
      all = this.write(address + at, (value >>> (8 * at)) & 0xff, 1) && all;
    }
    return all;
  }

  #mappingAt(address: number): Mapping | undefined {
    return this.#mappings.find(({ start, end }) => address >= start && address < end);
  }

  /** Returns the address under which the byte of RAM is stored. */
  #mirrored(address: number): number {
    const mirror = this.#mirror;
    return mirror !== undefined && address >= mirror.start && address < mirror.end
      ? address - mirror.start + mirror.at
      : address;
  }

  /** Returns the RAM region that contains all bytes of an access. */
  #ramAt(address: number, size: AccessSize): RamRegion | null {
    const at = this.#mirrored(address);
    for (const region of this.#ram) {
      if (at >= region.start && at + size <= region.end) {
        return region;
      }
    }
    return null;
  }

  #leadsSomewhere(address: number): boolean {
    return this.#known.some(([start, end]) => address >= start && address < end);
  }
}

/** The address space of a chip's processor: RAM in blocks, and registers at all other addresses. */
import { type Bus, CpuFault } from './bus.ts';

/** A range of addresses with RAM. Several ranges may show the same memory. */
export interface RamWindow {
  readonly start: number;
  /** Length in bytes, a multiple of 8 KiB. `start` is a multiple of 8 KiB too. */
  readonly length: number;
  /** Name of the memory. Windows of the same name show the same memory, from its start on. */
  readonly memory: string;
  /** `data`: reads and writes of any size. `code`: instruction fetches, and reads and writes of whole words only. */
  readonly kind: 'data' | 'code';
}

/**
 * Words at addresses outside RAM. `read` returns null and `write` false for unmapped addresses. Addresses are
 * unsigned multiples of 4.
 */
export interface RegisterSpace {
  read(address: number): number | null;
  write(address: number, value: number): boolean;
}

interface Block {
  readonly start: number;
  readonly isCode: boolean;
  /** Address from which the processor fetches the first byte of this memory; null for pure data memory. */
  readonly fetchedFrom: number | null;
  readonly words: Int32Array;
  readonly halves: Uint16Array;
  readonly bytes: Uint8Array;
  /** One flag for each word: 1 if the word was fetched. */
  readonly fetched: Uint8Array;
}

/** Entries of the table of writes. Words whose indices are equal modulo this number share an entry. */
const writtenCount = 4_096;
/** Number of periods without a write after which a written word counts as new. */
const memorable = 16;

/** Addresses are mapped in granules of 8 KiB. A granule belongs to one block or to none. */
const granuleBits = 13;
const granules = 1 << (32 - granuleBits);

export class ChipBus implements Bus {
  readonly #registers: RegisterSpace;
  /** Block of each granule, counted from 1; 0: no RAM. */
  readonly #map = new Uint8Array(granules);
  readonly #blocks: Block[] = [];

  /** Period of the last write, by entry. */
  readonly #written = new Uint32Array(writtenCount);
  #period = memorable + 1;
  #newWords = 0;

  overwritten: (address: number) => void = () => undefined;

  constructor(windows: readonly RamWindow[], registers: RegisterSpace) {
    this.#registers = registers;
    for (const window of windows) {
      const shared = this.#blocks[windows.findIndex(({ memory }) => memory === window.memory)];
      this.#blocks.push(blockOf(window, windows, shared));
      for (let at = 0; at < window.length; at += 1 << granuleBits) {
        this.#map[(window.start + at) >>> granuleBits] = this.#blocks.length;
      }
    }
  }

  /**
   * Number of RAM words written in this period but not in the 16 before it. Approximate, because words 16 KiB apart
   * count as one. A waiting loop writes the same few words again and again. A loop that collects data advances to new
   * words.
   */
  get newWords(): number {
    return this.#newWords;
  }

  beginPeriod(): void {
    this.#period++;
    this.#newWords = 0;
  }

  read8(address: number): number {
    const block = this.#block(address);
    if (block !== undefined && !block.isCode) {
      return block.bytes[(address >>> 0) - block.start] as number;
    }
    return (this.#part(block, address) >>> ((address & 3) * 8)) & 0xff;
  }

  read16(address: number): number {
    if ((address & 1) !== 0) {
      throw new CpuFault('load-misaligned', address);
    }
    const block = this.#block(address);
    if (block !== undefined && !block.isCode) {
      return block.halves[((address >>> 0) - block.start) >> 1] as number;
    }
    return (this.#part(block, address) >>> ((address & 2) * 8)) & 0xffff;
  }

  read32(address: number): number {
    if ((address & 3) !== 0) {
      throw new CpuFault('load-misaligned', address);
    }
    const block = this.#block(address);
    if (block !== undefined) {
      return block.words[((address >>> 0) - block.start) >> 2] as number;
    }
    return this.#part(undefined, address);
  }

  write8(address: number, value: number): void {
    const block = this.#block(address);
    if (block === undefined || block.isCode) {
      throw new CpuFault('store-refused', address);
    }
    const offset = (address >>> 0) - block.start;
    block.bytes[offset] = value;
    this.#changed(block, offset);
  }

  write16(address: number, value: number): void {
    if ((address & 1) !== 0) {
      throw new CpuFault('store-misaligned', address);
    }
    const block = this.#block(address);
    if (block === undefined || block.isCode) {
      throw new CpuFault('store-refused', address);
    }
    const offset = (address >>> 0) - block.start;
    block.halves[offset >> 1] = value;
    this.#changed(block, offset);
  }

  write32(address: number, value: number): void {
    if ((address & 3) !== 0) {
      throw new CpuFault('store-misaligned', address);
    }
    const block = this.#block(address);
    if (block === undefined) {
      if (!this.#registers.write(address >>> 0, value >>> 0)) {
        throw new CpuFault('store-refused', address);
      }
      return;
    }
    const offset = (address >>> 0) - block.start;
    block.words[offset >> 2] = value;
    this.#changed(block, offset);
  }

  fetch(address: number): number {
    const block = this.#block(address);
    if (block === undefined || !block.isCode) {
      throw new CpuFault('fetch-refused', address);
    }
    const index = ((address >>> 0) - block.start) >> 2;
    block.fetched[index] = 1;
    return block.words[index] as number;
  }

  #block(address: number): Block | undefined {
    const number = this.#map[address >>> granuleBits] as number;
    return number === 0 ? undefined : this.#blocks[number - 1];
  }

  /**
   * Returns the word of registers around `address`, for an access to a part of a word.
   * @throws CpuFault for instruction memory, which is read in whole words only, and for unmapped addresses.
   */
  #part(block: Block | undefined, address: number): number {
    const word = block === undefined ? this.#registers.read((address & ~3) >>> 0) : null;
    if (word === null) {
      throw new CpuFault('load-refused', address);
    }
    return word;
  }

  #changed(block: Block, offset: number): void {
    const index = offset >> 2;
    const place = index % writtenCount;
    if (this.#period - (this.#written[place] as number) > memorable) {
      this.#newWords++;
    }
    this.#written[place] = this.#period;
    if (block.fetched[index] === 1) {
      block.fetched[index] = 0;
      this.overwritten((block.fetchedFrom ?? 0) + index * 4);
    }
  }
}

function blockOf(window: RamWindow, windows: readonly RamWindow[], shared: Block | undefined): Block {
  const buffer = shared?.words.buffer ?? new ArrayBuffer(window.length);
  return {
    start: window.start,
    isCode: window.kind === 'code',
    fetchedFrom: windows.find(({ memory, kind }) => memory === window.memory && kind === 'code')?.start ?? null,
    words: new Int32Array(buffer),
    halves: new Uint16Array(buffer),
    bytes: new Uint8Array(buffer),
    fetched: shared?.fetched ?? new Uint8Array(window.length / 4),
  };
}

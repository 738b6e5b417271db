/**
 * Memories of an RP2040 by address, as its boot ROM uses them: ROM, RAM, and the XIP cache as memory. RP2040 datasheet,
 * section 2.2. The content of the ROM is not modelled: it reads as a filler, except for its four public bytes.
 */

export interface MemoryMap {
  readonly ramStart: number;
  /** First address behind RAM. */
  readonly ramEnd: number;
  readonly cacheStart: number;
  readonly cacheEnd: number;
  /** Bytes of the ROM, and those of them that PICOBOOT reads. */
  readonly romSize: number;
  readonly readableRom: number;
  /** Revision in the ROM's byte 0x13. */
  readonly romVersion: number;
}

/** Offset of the magic number "Mu", 1 and the version (RP2040 datasheet, section 2.8.3). */
const magicOffset = 0x10;
const filler = 0xb5;

export class Memories {
  readonly map: MemoryMap;
  readonly #ram: Uint8Array<ArrayBuffer>;
  readonly #cache: Uint8Array<ArrayBuffer>;
  readonly #rom: Uint8Array<ArrayBuffer>;

  /** @param rom Content of the ROM. Default: a filler with its four public bytes. */
  constructor(map: MemoryMap, rom?: Uint8Array) {
    this.map = map;
    this.#ram = new Uint8Array(map.ramEnd - map.ramStart);
    this.#cache = new Uint8Array(map.cacheEnd - map.cacheStart);
    this.#rom = new Uint8Array(map.romSize).fill(filler);
    this.#rom.set([0x4d, 0x75, 0x01, map.romVersion], magicOffset);
    this.#rom.set(rom ?? []);
  }

  /** The XIP cache. The ROM keeps its maps of UF2 blocks there. */
  get cache(): Uint8Array<ArrayBuffer> {
    return this.#cache;
  }

  /** True for an address in RAM or the cache. The ROM counts the first address behind each as part of it. */
  isRam(address: number): boolean {
    const { ramStart, ramEnd, cacheStart, cacheEnd } = this.map;
    return (address >= ramStart && address <= ramEnd) || (address >= cacheStart && address <= cacheEnd);
  }

  /** Copies bytes. Addresses without memory read as 0. */
  read(address: number, length: number): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(length);
    for (const [start, bytes] of this.#parts()) {
      const from = Math.max(address, start);
      const to = Math.min(address + length, start + bytes.length);
      if (from < to) {
        result.set(bytes.subarray(from - start, to - start), from - address);
      }
    }
    return result;
  }

  /** Writes bytes to RAM and cache. Others are lost. */
  write(address: number, data: Uint8Array): void {
    for (const [start, bytes] of this.#parts().slice(0, 2)) {
      const from = Math.max(address, start);
      const to = Math.min(address + data.length, start + bytes.length);
      if (from < to) {
        bytes.set(data.subarray(from - address, to - address), from - start);
      }
    }
  }

  /** The supply was cut. */
  clear(): void {
    this.#ram.fill(0);
    this.#cache.fill(0);
  }

  #parts(): readonly (readonly [start: number, bytes: Uint8Array])[] {
    return [
      [this.map.ramStart, this.#ram],
      [this.map.cacheStart, this.#cache],
      [0, this.#rom],
    ];
  }
}

/** Builds metadata blocks for tests (RP2350 datasheet 5.9), without the code under test. */

export interface ImageFields {
  readonly cpu?: 'arm' | 'riscv';
  /** `major.minor` as two numbers; no item if missing. */
  readonly version?: readonly [major: number, minor: number];
  readonly tbyb?: boolean;
  /** Further items, as words. */
  readonly items?: readonly number[];
}

/** Returns a block as words: markers, items, the last item with the distance to the next block. */
export function blockWords(items: readonly number[], next = 0): number[] {
  return [0xffff_ded3, ...items, (items.length << 8) | 0xff, next >>> 0, 0xab12_3579];
}

/** Returns 4 KiB of flash with a block for a secure program at 0x140. */
export function imageSector(fields: ImageFields = {}, at = 0x140): Uint8Array {
  return sectorWith(blockWords(imageItems(fields)), at);
}

export function imageItems({ cpu = 'arm', version, tbyb = false, items = [] }: ImageFields = {}): number[] {
  const flags = 0x1000 | (cpu === 'riscv' ? 0x101 : 0x21) | (tbyb ? 0x8000 : 0);
  const versionItem = version === undefined ? [] : [0x248, ((version[0] << 16) | version[1]) >>> 0];
  return [((flags << 16) | 0x142) >>> 0, ...versionItem, ...items];
}

export function sectorWith(words: readonly number[], at = 0): Uint8Array {
  const sector = new Uint8Array(4_096).fill(0xff);
  const view = new DataView(sector.buffer);
  words.forEach((word, index) => {
    view.setUint32(at + 4 * index, word, true);
  });
  return sector;
}

export interface PartitionFields {
  readonly first: number;
  readonly last: number;
  /** Bits of the word with the flags. */
  readonly flags?: number;
}

/** Returns the item of a partition table, and its version if it is given. */
export function tableItems(partitions: readonly PartitionFields[], version?: readonly [number, number]): number[] {
  const permissions = 0xfc00_0000;
  const words = partitions.flatMap(({ first, last, flags = 0 }) => [
    (permissions | (last << 13) | first) >>> 0,
    (permissions | 0x2_0000 | flags) >>> 0,
  ]);
  const header = ((partitions.length << 24) | ((2 + words.length) << 8) | 0x0a) >>> 0;
  const versionItem = version === undefined ? [] : [0x248, ((version[0] << 16) | version[1]) >>> 0];
  return [header, permissions | 0, ...words, ...versionItem].map((word) => word >>> 0);
}

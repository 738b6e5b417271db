/**
 * Blocks in an RP2350's flash: image definitions and partition tables (RP2350 datasheet, section 5.9). Hashes,
 * signatures and versions are not checked.
 */

const blockStart = 0xffff_ded3;
const blockEnd = 0xab12_3579;
const item = { imageType: 0x42, partitionTable: 0x0a, last: 0xff } as const;
/** Bytes from the start of an image in which its first block begins. */
const searched = 4_096;
/** Blocks of a loop at most, against loops without end. */
const maxBlocks = 32;
/** Partitions of a table at most (`PARTITION_TABLE_MAX_PARTITIONS`). */
const maxPartitions = 16;
const sector = 4_096;

/** Bits of a partition's permissions (datasheet, section 5.9.4.1). */
export const permission = { bootRead: 0x4000_0000, bootWrite: 0x8000_0000 } as const;
/** Bit of the first of the families that have a flag: RP2040, then the ones that follow its number. */
const firstFamilyFlag = 14;
const firstFamily = 0xe48b_ff56;
const lastFamily = 0xe48b_ff5b;

export interface Partition {
  /** Two words: permissions and location, permissions and flags. */
  readonly location: number;
  readonly flags: number;
  /** Two words, the low one first; none without an id. */
  readonly id: readonly number[];
  readonly families: readonly number[];
  /** Words of the name: a byte with the length, then the letters. None without a name. */
  readonly name: readonly number[];
}

/** Partitions of a table's item. */
export interface PartitionItem {
  readonly partitions: readonly Partition[];
  /** The words of which the ROM keeps a hash: those of the partitions, without the two in front of them. */
  readonly hashed: readonly number[];
  /** False: the partitions end before or behind the end that the item states. */
  readonly fillsItem: boolean;
}

interface PartitionTable extends PartitionItem {
  /** Bytes from the start of the image to the table's item. */
  readonly at: number;
  /** The flags of the space outside of all partitions. */
  readonly unpartitioned: number;
}

export interface Blocks {
  /** `arm`, `riscv`: an executable image for this chip. Null: no image that starts. */
  readonly image: 'arm' | 'riscv' | null;
  readonly table: PartitionTable | null;
}

/** Reads the loop of blocks that begins in the first 4 KiB of `image`. */
export function blocksIn(image: Uint8Array): Blocks {
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  let found: Blocks = { image: null, table: null };
  const first = firstBlock(view);
  if (first === null) {
    return found;
  }
  let at = first;
  for (let count = 0; count < maxBlocks; count++) {
    const block = readBlock(view, at);
    if (block === null) {
      return { image: null, table: null };
    }
    found = { image: block.image ?? found.image, table: block.table ?? found.table };
    at += block.next;
    if (block.next === 0 || at === first) {
      return found;
    }
  }
  return found;
}

/** First and last byte of a partition, as offsets in flash. */
export function extentOf(location: number): { readonly from: number; readonly to: number } {
  return { from: (location & 0x1fff) * sector, to: (((location >>> 13) & 0x1fff) + 1) * sector };
}

/** True if a partition, or the unpartitioned space, takes blocks of a family. */
export function accepts(flags: number, families: readonly number[], family: number): boolean {
  const hasFlag = family >= firstFamily && family <= lastFamily;
  return (hasFlag && (flags & (1 << (firstFamilyFlag + family - firstFamily))) !== 0) || families.includes(family);
}

function firstBlock(view: DataView): number | null {
  for (let at = 0; at + 4 <= Math.min(searched, view.byteLength); at += 4) {
    if (view.getUint32(at, true) === blockStart) {
      return at;
    }
  }
  return null;
}

function readBlock(view: DataView, at: number): (Blocks & { readonly next: number }) | null {
  if (at < 0 || at + 4 > view.byteLength || view.getUint32(at, true) !== blockStart) {
    return null;
  }
  let image: Blocks['image'] = null;
  let table: PartitionTable | null = null;
  for (let place = at + 4; place + 12 <= view.byteLength; ) {
    const type = view.getUint8(place);
    const size = (type & 0x80) === 0 ? view.getUint8(place + 1) : view.getUint16(place + 1, true);
    if (type === item.last) {
      const isClosed = view.getUint32(place + 8, true) === blockEnd;
      return isClosed ? { image, table, next: view.getInt32(place + 4, true) } : null;
    }
    if (type === item.imageType) {
      image = imageOf(view.getUint16(place + 2, true));
    } else if ((type & 0x7f) === item.partitionTable && place === at + 4) {
      table = tableOf(view, place, size);
    }
    if (size === 0) {
      return null;
    }
    place += size * 4;
  }
  return null;
}

/** Image type flags: executable, processor, chip (section 5.9.3.1). */
function imageOf(flags: number): Blocks['image'] {
  const isExecutable = (flags & 0xf) === 1;
  const isForChip = ((flags >> 12) & 7) === 1;
  if (!isExecutable || !isForChip) {
    return null;
  }
  return ((flags >> 8) & 7) === 1 ? 'riscv' : 'arm';
}

/** Returns null for a table that the ROM does not accept. */
function tableOf(view: DataView, at: number, size: number): PartitionTable | null {
  const count = view.getUint8(at + 3) & 0x7f;
  const words = wordsFrom(view, at);
  const item = readPartitions(words, count);
  return size < 2 || count > maxPartitions || !item.fillsItem ? null : { ...item, at, unpartitioned: words(1) };
}

/** Returns the words of `view` from an offset on; 0xffffffff behind its end. */
export function wordsFrom(view: DataView, at: number): (index: number) => number {
  return (index) => (at + 4 * index + 4 <= view.byteLength ? view.getUint32(at + 4 * index, true) : 0xffff_ffff);
}

/**
 * Reads `count` partitions as the ROM does, also where a table no longer is (`s_varm_crit_get_pt_partition_info`). Stops
 * at a partition whose families and name would go behind the end of the item.
 *
 * @param words The item with its header.
 */
export function readPartitions(words: (index: number) => number, count: number): PartitionItem {
  const header = words(0);
  const size = (header & 0x80) === 0 ? (header >>> 8) & 0xff : (header >>> 8) & 0xffff;
  const partitions: Partition[] = [];
  const hashed: number[] = [];
  let at = 2;
  const take = (length: number) => {
    const taken = Array.from({ length }, (_, index) => words(at + index));
    at += length;
    hashed.push(...taken);
    return taken;
  };
  while (partitions.length < count) {
    const [location = 0, flags = 0] = take(2);
    const id = take((flags & 1) === 0 ? 0 : 2);
    const extra = (flags >>> 7) & 3;
    const nameWords = (flags & 0x1000) === 0 ? 0 : ((words(at + extra) & 0x7f) + 4) >>> 2;
    if (at + extra + nameWords > size) {
      // The ROM compares 0 with the size then.
      return { partitions, hashed, fillsItem: size === 0 };
    }
    partitions.push({ location, flags, id, families: take(extra), name: take(nameWords) });
  }
  return { partitions, hashed, fillsItem: count === 0 || at === size };
}

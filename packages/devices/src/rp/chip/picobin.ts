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
  readonly id: readonly [low: number, high: number] | null;
  readonly families: readonly number[];
  readonly name: string | null;
}

export interface PartitionTable {
  /** The flags of the space outside of all partitions. */
  readonly unpartitioned: number;
  readonly partitions: readonly Partition[];
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
    } else if ((type & 0x7f) === item.partitionTable) {
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

function tableOf(view: DataView, start: number, size: number): PartitionTable {
  const count = view.getUint8(start + 3) & 0xf;
  const end = start + size * 4;
  const partitions: Partition[] = [];
  let at = start + 8;
  const word = () => {
    const value = at + 4 <= end ? view.getUint32(at, true) : 0;
    at += 4;
    return value;
  };
  for (let index = 0; index < count && at < end; index++) {
    const location = word();
    const flags = word();
    const id = (flags & 1) === 0 ? null : ([word(), word()] as const);
    const families = Array.from({ length: (flags >> 7) & 3 }, word);
    let name: string | null = null;
    if ((flags & 0x1000) !== 0) {
      const length = view.getUint8(at) & 0x7f;
      name = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at + 1, length));
      at += Math.ceil((length + 1) / 4) * 4;
    }
    partitions.push({ location, flags, id, families, name });
  }
  return { unpartitioned: view.getUint32(start + 4, true), partitions };
}

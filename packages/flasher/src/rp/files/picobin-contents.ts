/** Meaning of the items of a block (RP2350 datasheet 5.9.3 and 5.9.4; pico-sdk, `boot/picobin.h`). */
import { viewOf } from '../../core/bytes.ts';
import { readPartitionTable } from './partition-table.ts';
import { itemType, type PicobinBlock, type PicobinItem } from './picobin-block.ts';
import type { RpChip, RpPartitionTable } from './rp-firmware.ts';

export interface ImageType {
  readonly kind: 'program' | 'data' | 'invalid';
  /** `varmulet`: Arm code that the boot ROM emulates. */
  readonly cpu: 'arm' | 'riscv' | 'varmulet' | 'unknown';
  readonly chip: RpChip | 'unknown';
  readonly security: 'unspecified' | 'non-secure' | 'secure' | 'unknown';
  /** Try before you buy: the image is started once, unless it then says that it works. */
  readonly tbyb: boolean;
  readonly extraSecurity: boolean;
}

export interface LoadMapEntry {
  /** Address in the file; 0 to clear memory. */
  readonly stored: number;
  readonly runtime: number;
  /** In bytes, modulo 2³². */
  readonly size: number;
}

interface BlockVersion {
  readonly major: number;
  readonly minor: number;
  readonly rollback: number;
  /** Rows of OTP that count the rollback version; empty without one. */
  readonly rows: readonly number[];
}

export interface Signature {
  /** 64 bytes, big-endian X and Y. */
  readonly publicKey: Uint8Array;
  /** 64 bytes, big-endian r and s. */
  readonly bytes: Uint8Array;
}

export interface BlockContents {
  readonly image: ImageType | null;
  readonly partitionTable: RpPartitionTable | null;
  readonly version: BlockVersion | null;
  readonly loadMap: readonly LoadMapEntry[] | null;
  /** True: the load map states addresses of flash as they are at run time. */
  readonly isMapAbsolute: boolean;
  /** Signed distance in bytes; null without the item. */
  readonly windowDelta: number | null;
  readonly vectorTable: number | null;
  readonly entry: { readonly pc: number; readonly sp: number; readonly spLimit: number | null } | null;
  /** Words of the block that are hashed, from the start marker on; null without the item. */
  readonly hashedWords: number | null;
  readonly hash: Uint8Array | null;
  readonly signature: Signature | null;
  /** True: an item has a type that is meant to be ignored, or is not known. */
  readonly hasIgnored: boolean;
}

/** Chips of an image type, by their number. */
const chips = ['RP2040', 'RP2350'] as const;
const cpus = ['arm', 'riscv', 'varmulet'] as const;
const securities = ['unspecified', 'non-secure', 'secure'] as const;
const kinds = ['invalid', 'program', 'data'] as const;

/**
 * Decodes the items. The first item of each type counts.
 *
 * @param isForRom True: the size of an item may have two bytes whatever its type, as the boot ROM reads it. False: only
 *   items of a type that picotool knows are read, as `picotool info` does.
 */
export function contentsOfBlock(block: PicobinBlock, isForRom = false): BlockContents {
  const typeOf = ({ type }: PicobinItem) => (isForRom ? type & 0x7f : type);
  const find = (type: number, words = 1) =>
    block.items.find((item) => typeOf(item) === (isForRom ? type & 0x7f : type) && item.words.length >= words) ?? null;
  const word = (item: PicobinItem | null, index: number) => item?.words[index] ?? 0;
  const delta = find(itemType.rollingWindowDelta, 2);
  const vectors = find(itemType.vectorTable, 2);
  const entry = find(itemType.entryPoint, 3);
  const hashDef = find(itemType.hashDef, 2);
  const hash = find(itemType.hashValue);
  const signature = find(itemType.signature, 33);
  const version = versionOf(find(itemType.version, 2));
  const table = find(itemType.partitionTable, 2);
  const known = new Set<number>(Object.values(itemType).filter((type) => type !== itemType.salt));
  return {
    image: imageTypeOf(find(itemType.imageType)),
    partitionTable: table === null ? null : readPartitionTable(table.words, version),
    version,
    loadMap: loadMapOf(find(itemType.loadMap), block.address),
    isMapAbsolute: word(find(itemType.loadMap), 0) >>> 31 === 1,
    windowDelta: delta === null ? null : word(delta, 1) | 0,
    vectorTable: vectors === null ? null : word(vectors, 1),
    entry:
      entry === null || entry.words.length > 4
        ? null
        : { pc: word(entry, 1), sp: word(entry, 2), spLimit: entry.words.length === 4 ? word(entry, 3) : null },
    hashedWords: hashDef === null ? null : word(hashDef, 1) & 0xffff,
    hash: hash === null ? null : bytesOf(hash.words.subarray(1)),
    signature:
      signature === null
        ? null
        : { publicKey: bytesOf(signature.words.subarray(1, 17)), bytes: bytesOf(signature.words.subarray(17, 33)) },
    hasIgnored: block.items.some(({ type }) => !known.has(type) || type === itemType.nextBlock),
  };
}

function imageTypeOf(item: PicobinItem | null): ImageType | null {
  if (item === null) {
    return null;
  }
  const flags = (item.words[0] ?? 0) >>> 16;
  return {
    kind: kinds[flags & 0xf] ?? 'invalid',
    security: securities[(flags >>> 4) & 3] ?? 'unknown',
    cpu: cpus[(flags >>> 8) & 7] ?? 'unknown',
    chip: chips[(flags >>> 12) & 7] ?? 'unknown',
    extraSecurity: (flags & 0x800) !== 0,
    tbyb: (flags & 0x8000) !== 0,
  };
}

/** The rollback version and the rows follow the version as half words. Their number is in the header. */
function versionOf(item: PicobinItem | null): BlockVersion | null {
  if (item === null) {
    return null;
  }
  const [header = 0, number = 0] = item.words;
  const view = viewOf(bytesOf(item.words.subarray(2)));
  const halves = Array.from({ length: view.byteLength / 2 }, (_, index) => view.getUint16(2 * index, true));
  const count = header >>> 24;
  const [rollback = 0, ...rows] = count === 0 ? [] : halves.slice(0, count + 1);
  return { major: number >>> 16, minor: number & 0xffff, rollback, rows };
}

/** A relative entry counts from the item's own address, an absolute one has an end in place of a size. */
function loadMapOf(item: PicobinItem | null, blockAddress: number): readonly LoadMapEntry[] | null {
  if (item === null) {
    return null;
  }
  const header = item.words[0] ?? 0;
  const isAbsolute = header >>> 31 === 1;
  const stated = (header >>> 24) & 0x7f;
  const held = Math.floor((item.words.length - 1) / 3);
  return Array.from({ length: Math.min(stated, held) }, (_, index) => {
    const [from = 0, runtime = 0, last = 0] = item.words.subarray(1 + 3 * index, 4 + 3 * index);
    if (from === 0) {
      return { stored: 0, runtime, size: last };
    }
    return isAbsolute
      ? { stored: from, runtime, size: (last - runtime) >>> 0 }
      : { stored: (from + blockAddress + 4 * item.at) >>> 0, runtime, size: last };
  });
}

/** Returns words as little-endian bytes. */
export function bytesOf(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(4 * words.length);
  const view = viewOf(bytes);
  words.forEach((word, index) => {
    view.setUint32(4 * index, word, true);
  });
  return bytes;
}

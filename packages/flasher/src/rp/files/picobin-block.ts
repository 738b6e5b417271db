/**
 * Blocks of metadata in programs for RP2350 (RP2350 datasheet 5.9; pico-sdk, `boot/picobin.h`): a marker, items of whole
 * words, the last item, the distance to the next block, an end marker. All words are little-endian.
 */
import { viewOf } from '../../core/bytes.ts';

const START = 0xffff_ded3;
const END = 0xab12_3579;
const LAST_ITEM = 0xff;

/** Types of items, as the first byte of an item. Bit 7 says that the size has two bytes. */
export const itemType = {
  nextBlock: 0x41,
  imageType: 0x42,
  vectorTable: 0x03,
  entryPoint: 0x44,
  rollingWindowDelta: 0x05,
  loadMap: 0x06,
  hashDef: 0x47,
  version: 0x48,
  signature: 0x09,
  partitionTable: 0x0a,
  hashValue: 0x4b,
  salt: 0x0c,
} as const;

export interface PicobinItem {
  /** First byte of the item. */
  readonly type: number;
  /** Index of its first word in the block; the start marker is word 0. */
  readonly at: number;
  /** Its words with the header; fewer than it states if the block ends before. */
  readonly words: Uint32Array;
}

export interface PicobinBlock {
  /** Address of the start marker. */
  readonly address: number;
  /** All words from the start marker to the end marker. */
  readonly words: Uint32Array;
  readonly items: readonly PicobinItem[];
  /** Address of the next block, modulo 2³². The block itself if it is the only one. */
  readonly next: number;
}

/** Returns the words of `bytes`; bytes behind the last whole word are left out. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const view = viewOf(bytes);
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, index) => view.getUint32(4 * index, true));
}

/** Decodes the size of an item in words. */
const sizeOf = (header: number) => (header & 0x80 ? (header >>> 8) & 0xffff : (header >>> 8) & 0xff);

/**
 * Reads the block that begins at a word.
 *
 * @param words Memory from `address` on.
 * @returns null if there is no whole block with both markers and the right size.
 */
export function readBlockAt(words: Uint32Array, at: number, address: number): PicobinBlock | null {
  if (words[at] !== START) {
    return null;
  }
  const items: PicobinItem[] = [];
  for (let place = at + 1; place + 2 < words.length; ) {
    const header = words[place] ?? 0;
    const size = sizeOf(header);
    if ((header & 0xff) === LAST_ITEM) {
      if (size !== place - at - 1 || words[place + 2] !== END) {
        return null;
      }
      const start = address + 4 * at;
      const next = (start + (words[place + 1] ?? 0)) % 2 ** 32;
      return { address: start, words: words.slice(at, place + 3), items, next };
    }
    if (size === 0) {
      return null;
    }
    items.push({ type: header & 0xff, at: place - at, words: words.subarray(place, place + size) });
    place += size;
  }
  return null;
}

/** Finds the first whole block; null if there is none. */
export function findBlock(words: Uint32Array, address: number): PicobinBlock | null {
  for (let at = words.indexOf(START); at >= 0; at = words.indexOf(START, at + 1)) {
    const block = readBlockAt(words, at, address);
    if (block !== null) {
      return block;
    }
  }
  return null;
}

/** Returns true for a word that may begin a block. */
export const isBlockStart = (word: number | undefined): boolean => word === START;

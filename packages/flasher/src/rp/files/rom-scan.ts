/**
 * The search of an RP2350's boot ROM for a program or a partition table (RP2350 datasheet 5.1.5 and 5.9; published source
 * of the boot ROM, revision A2: `varm_blocks.c`). It is stricter than the format: a loop that it cannot follow counts as
 * none.
 */
import { firstBlockRange } from './block-loop.ts';
import { isBlockStart, itemType, type PicobinBlock, readBlockAt, wordsOf } from './picobin-block.ts';
import { type BlockContents, contentsOfBlock } from './picobin-contents.ts';
import type { ReadableMemory } from './program-memory.ts';
import type { RpCpu } from './rp-firmware.ts';

/** Largest block in bytes, with its markers (`PICOBIN_MAX_BLOCK_SIZE`). */
const MAX_BLOCK = 640;
const LAST_ITEM = 0xff;
const MAX_BLOCKS = 64;
/** Most partitions of a table (`PARTITION_TABLE_MAX_PARTITIONS`). */
const MAX_PARTITIONS = 16;

/** A range of memory in which the boot ROM searches, in bytes. */
export interface Window {
  readonly base: number;
  readonly size: number;
}

/** A block that the boot ROM keeps, with its contents by its own rules. */
export interface Candidate {
  readonly block: PicobinBlock;
  readonly contents: BlockContents;
  /** Reason for which it cannot be used, as a clause about the block; null if it can. */
  readonly fault: string | null;
}

export interface Found {
  /** Place at which the search began. */
  readonly window: Window;
  /** Distance of that place from the start of the window. */
  readonly offset: number;
  /** True: there is a loop of blocks. */
  readonly hasLoop: boolean;
  readonly image: Candidate | null;
  readonly table: Candidate | null;
  /** Reason for which there is no loop, as a clause; null if nothing was found or all is right. */
  readonly fault: string | null;
}

interface SearchOptions {
  readonly cpu: RpCpu;
  /** True: partition tables count. */
  readonly takesTables: boolean;
  /** Distance from the start of the window in bytes, for the second slot. */
  readonly offset?: number;
  /** Bytes in which the first block has to begin. */
  readonly range?: number;
}

/** Searches a window for a loop of blocks, and picks its program and its partition table. */
export function searchWindow(memory: ReadableMemory, window: Window, options: SearchOptions): Found {
  const { cpu, takesTables, offset = 0, range = firstBlockRange } = options;
  const blocks = loopOf(memory, window, offset, Math.min(range, window.size - offset));
  const nothing = { window, offset, image: null, table: null };
  if (typeof blocks === 'string' || blocks.length === 0) {
    return { ...nothing, hasLoop: false, fault: typeof blocks === 'string' ? blocks : null };
  }
  let image: Candidate | null = null;
  let table: Candidate | null = null;
  for (const block of blocks) {
    const kind = kindOf(block);
    const contents = contentsOfBlock(block, true);
    const candidate = { block, contents, fault: faultOf(block, contents) };
    if (kind === 'table' && takesTables) {
      // One that cannot be used keeps its place.
      table = table !== null && table.fault !== null ? table : candidate;
    } else if (kind === 'image' && contents.image?.kind === 'program') {
      image = isPreferred(candidate, image, cpu) ? candidate : image;
    }
  }
  return { ...nothing, hasLoop: true, image, table, fault: null };
}

/** The last program counts, but for one of the other processor after one of this. */
function isPreferred(next: Candidate, current: Candidate | null, cpu: RpCpu): boolean {
  if (current === null) {
    return true;
  }
  const isOwn = ({ contents }: Candidate) => contents.image?.cpu === cpu;
  return current.fault === null && (isOwn(next) || !isOwn(current));
}

function kindOf({ words }: PicobinBlock): 'image' | 'table' | 'other' {
  const header = words[1] ?? 0;
  if ((header & 0xffff) === (0x100 | itemType.imageType)) {
    return 'image';
  }
  return (header & 0x7f) === itemType.partitionTable ? 'table' : 'other';
}

/** Follows the loop. Returns a clause about the first fault. */
function loopOf(memory: ReadableMemory, window: Window, offset: number, range: number): PicobinBlock[] | string {
  const blocks: PicobinBlock[] = [];
  const first = firstBlockOf(memory, window, offset, range);
  if (first === null || typeof first === 'string') {
    return first ?? [];
  }
  const end = window.base + window.size;
  for (let block = first; ; ) {
    blocks.push(block);
    // The distance is signed and counts whole words.
    const distance = Math.trunc(((block.words.at(-2) ?? 0) | 0) / 4) * 4;
    const next = block.address + distance;
    if (next === first.address) {
      return blocks;
    }
    if (distance === 0 || blocks.length === MAX_BLOCKS || blocks.some(({ address }) => address === next)) {
      return 'its metadata blocks do not lead back to the first one';
    }
    if (next < first.address || next >= end) {
      return 'its metadata leads outside of what the boot ROM searches';
    }
    const following = romBlockIn(wordsOf(memory.readFilled(next, MAX_BLOCK)), next);
    if (following === null || typeof following === 'string') {
      return following ?? 'its metadata leads to a place without a block';
    }
    block = following;
  }
}

function firstBlockOf(memory: ReadableMemory, { base }: Window, offset: number, range: number) {
  const start = base + offset;
  // A block may end behind the range in which it has to begin.
  const words = wordsOf(memory.readFilled(start, Math.max(0, range) + MAX_BLOCK));
  for (let at = 0; 4 * at < range; at++) {
    const block = romBlockIn(words.subarray(at, at + MAX_BLOCK / 4), start + 4 * at);
    if (block !== null) {
      return block;
    }
  }
  return null;
}

/**
 * Reads a block. Null: there is none, so a search goes on. A clause: the boot ROM gives up.
 *
 * @param words Memory from `address` on, as much as a block may have.
 */
function romBlockIn(words: Uint32Array, address: number): PicobinBlock | string | null {
  if (!isBlockStart(words[0])) {
    return null;
  }
  for (let at = 1; at < words.length; ) {
    const header = words[at] ?? 0;
    const size = header & 0x80 ? (header >>> 8) & 0xffff : (header >>> 8) & 0xff;
    if (size === 0) {
      return 'a metadata block has an item of size 0';
    }
    if ((header & 0xff) === LAST_ITEM) {
      return readBlockAt(words, 0, address) ?? 'a metadata block does not end where it says';
    }
    at += size;
  }
  return null;
}

/** Finds an item that the boot ROM does not accept. Such a block takes part, but is never used. */
function faultOf({ items }: PicobinBlock, { image, version, partitionTable }: BlockContents): string | null {
  if (image?.kind === 'program' && image.chip !== 'RP2350') {
    return 'it is for another chip';
  }
  if (partitionTable !== null && partitionTable.stated > MAX_PARTITIONS) {
    return `its partition table has more than ${MAX_PARTITIONS} partitions`;
  }
  const wrong = items.find(({ type, words }) => {
    const [header = 0] = words;
    const allowed = allowedSizes(type & 0x7f, header);
    return allowed !== null && (words.length < allowed[0] || words.length > allowed[1]);
  });
  if (wrong !== undefined) {
    return 'an item of its metadata has the wrong size';
  }
  const isCounted = version !== null && version.rows.length > 0;
  if (isCounted && (partitionTable !== null || version.rollback >= 24 * version.rows.length)) {
    return 'its rollback version does not fit into its rows of OTP';
  }
  return null;
}

/** Returns the least and the largest number of words of an item; null for items of any size. */
function allowedSizes(type: number, header: number): readonly [number, number] | null {
  const count = header >>> 24;
  const mapSize = 1 + 3 * (count & 0x7f);
  const versionSize = 2 + Math.floor(((count > 0 ? 1 : 0) + count + 1) / 2);
  switch (type) {
    case itemType.hashDef & 0x7f:
    case itemType.vectorTable:
    case itemType.rollingWindowDelta:
      return [2, 2];
    case itemType.hashValue & 0x7f:
      return [2, 9];
    case itemType.signature:
      return [33, 33];
    case itemType.entryPoint & 0x7f:
      return [3, 4];
    case itemType.loadMap:
      return [mapSize, mapSize];
    case itemType.version & 0x7f:
      return [versionSize, versionSize];
    case itemType.salt:
      return [7, 7];
    default:
      return null;
  }
}

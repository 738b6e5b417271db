/**
 * Loads a LittleFS volume: folders as chains of metadata pairs, the list that threads all pairs, and the global state
 * (littlefs SPEC.md, "0x200 LFS_TYPE_DIRSTRUCT", "0x6xx LFS_TYPE_TAIL" and "0x7ff LFS_TYPE_MOVESTATE").
 *
 * The tree of folders is what counts. The list may disagree with it after a power loss and is then rebuilt from the tree.
 */
import { viewOf } from '../../core/bytes.ts';
import type { EntryFault } from '../file-system.ts';
import { FileSystemError } from '../file-system-error.ts';
import { isNewer, type MetadataEntry, moveStateLength, type PairAddress, readMetadata } from './metadata.ts';
import { type Blocks, blocksFor } from './skip-list.ts';
import { readSuperblockEntry, type Superblock } from './superblock.ts';
import { parseTag, tagType } from './tags.ts';

/** A metadata pair in memory. Changes are written when an edit is committed. */
export interface Pair {
  /** The block with the newest metadata first. */
  blocks: PairAddress;
  revision: number;
  entries: MetadataEntry[];
  tail: PairAddress | null;
  isHardTail: boolean;
  delta: Uint8Array;
}

export interface Folder {
  /** At least one. Entries are sorted by name across all pairs. */
  readonly pairs: Pair[];
}

export interface Volume {
  readonly superblock: Superblock;
  readonly blocks: Blocks;
  /** Superblock pairs in front of the root folder. They hold nothing else. */
  readonly heads: readonly Pair[];
  readonly root: Folder;
  /** Contents of each folder entry. A damaged folder has none. */
  readonly folders: Map<MetadataEntry, Folder>;
  /** All pairs in the order of their tails. Only valid while `isConsistent`. */
  readonly thread: Pair[];
  /** False: a power loss left something to complete before the first change. */
  readonly isConsistent: boolean;
  /** Pairs that changed in memory: the source of an interrupted move. */
  readonly changed: ReadonlySet<Pair>;
  readonly damagedFolders: number;
}

/** Deepest folder that is read, against images that would make paths endless. */
const maxDepth = 64;

/** Reads one metadata pair; null if an address is impossible or no block of it is valid. */
function readPair(blocks: Blocks, [first, second]: PairAddress): Pair | null {
  if (first >= blocks.count || second >= blocks.count || first === second) {
    return null;
  }
  const one = readMetadata(blocks.get(first));
  const other = readMetadata(blocks.get(second));
  const isOtherNewer = other !== null && (one === null || isNewer(other.revision, one.revision));
  const newest = isOtherNewer ? other : one;
  return newest === null
    ? null
    : { ...newest, entries: [...newest.entries], blocks: isOtherNewer ? [second, first] : [first, second] };
}

function keyOf([first, second]: PairAddress): string {
  return first < second ? `${first} ${second}` : `${second} ${first}`;
}

/** Pairs along the tails, and whether a tail led nowhere. */
function readThread(blocks: Blocks): { readonly pairs: Pair[]; readonly isWhole: boolean } {
  const pairs: Pair[] = [];
  const seen = new Set<number>();
  let address: PairAddress | null = [0, 1];
  while (address !== null) {
    const pair = readPair(blocks, address);
    // A tail belongs to the block that it was read from, so a list without cycles reads no block twice.
    if (pair === null || seen.has(pair.blocks[0])) {
      return { pairs, isWhole: false };
    }
    seen.add(pair.blocks[0]);
    pairs.push(pair);
    address = pair.tail;
  }
  return { pairs, isWhole: true };
}

/** XORs `delta` into `state`. */
export function addDelta(state: Uint8Array, delta: Uint8Array): void {
  delta.forEach((byte, index) => {
    state[index] = (state[index] ?? 0) ^ byte;
  });
}

/** Removes the source of a move that a power loss interrupted: the file then exists at its target alone. */
function completeMove(state: Uint8Array, pairs: readonly Pair[]): Pair | null {
  const view = viewOf(state);
  const tag = parseTag(view.getUint32(0, true) & 0x7fff_ffff);
  const address: PairAddress = [view.getUint32(4, true), view.getUint32(8, true)];
  const source = tag.type === tagType.delete ? pairs.find(({ blocks }) => keyOf(blocks) === keyOf(address)) : undefined;
  source?.entries.splice(tag.id, 1);
  return source ?? null;
}

/** Returns the address in a folder's entry; null if the entry has none. */
function folderAddress({ struct }: MetadataEntry): PairAddress | null {
  if (struct?.type !== tagType.folderStruct || struct.data.length < 8) {
    return null;
  }
  const view = viewOf(struct.data);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}

/** @throws FileSystemError if the root folder cannot be read. */
export function loadVolume(image: Uint8Array, superblock: Superblock): Volume {
  const { blockSize } = superblock;
  const blocks: Blocks = {
    size: blockSize,
    count: Math.min(superblock.blockCount, Math.floor(image.length / blockSize)),
    get: (index) => image.subarray(index * blockSize, (index + 1) * blockSize),
  };
  const { pairs: thread, isWhole } = readThread(blocks);
  const state = new Uint8Array(moveStateLength);
  for (const { delta } of thread) {
    addDelta(state, delta);
  }
  const moved = completeMove(state, thread);

  const known = new Map(thread.map((pair) => [keyOf(pair.blocks), pair]));
  const taken = new Set<number>();
  let damagedFolders = 0;
  let isListed = true;
  const take = (address: PairAddress): Pair | null => {
    const listed = known.get(keyOf(address));
    const pair = listed ?? readPair(blocks, address);
    if (pair === null || pair.blocks.some((block) => taken.has(block))) {
      damagedFolders++;
      return null;
    }
    isListed &&= listed !== undefined;
    for (const block of pair.blocks) {
      taken.add(block);
    }
    pair.entries = pair.entries.filter(({ type }) => type !== 0);
    return pair;
  };
  const takeChain = (first: PairAddress): Pair[] => {
    const chain: Pair[] = [];
    let address: PairAddress | null = first;
    while (address !== null) {
      const pair = take(address);
      if (pair === null) {
        break;
      }
      chain.push(pair);
      address = pair.isHardTail ? pair.tail : null;
    }
    return chain;
  };

  const chain = takeChain([0, 1]);
  // Each compaction of the first pair may have pushed the root one pair further (SPEC.md, "0x0ff LFS_TYPE_SUPERBLOCK").
  const rootAt = chain.findLastIndex(({ entries: [entry] }) => readSuperblockEntry(entry) !== null);
  if (rootAt < 0) {
    throw new FileSystemError('superblock-damaged');
  }
  const root = { pairs: chain.slice(rootAt) };
  const folders = new Map<MetadataEntry, Folder>();
  const open: { readonly folder: Folder; readonly depth: number }[] = [{ folder: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next;
    for (const entry of folder.pairs.flatMap(({ entries }) => entries)) {
      if (entry.type === tagType.folder) {
        const address = depth < maxDepth ? folderAddress(entry) : null;
        const pairs = address === null ? [] : takeChain(address);
        damagedFolders += address === null ? 1 : 0;
        if (pairs.length > 0) {
          const child = { pairs };
          folders.set(entry, child);
          open.push({ folder: child, depth: depth + 1 });
        }
      }
    }
  }
  const isOrphanFree = thread.every(({ blocks: [first] }) => taken.has(first));
  return {
    superblock,
    blocks,
    heads: chain.slice(0, rootAt),
    root,
    folders,
    thread,
    isConsistent: isWhole && isListed && isOrphanFree && state.every((byte) => byte === 0),
    changed: new Set(moved === null ? [] : [moved]),
    damagedFolders,
  };
}

/** Returns the head and length of a skip list; null for other structs. */
export function skipListOf({ struct }: MetadataEntry): { readonly head: number; readonly length: number } | null {
  if (struct?.type !== tagType.skipListStruct || struct.data.length < 8) {
    return null;
  }
  const view = viewOf(struct.data);
  return { head: view.getUint32(0, true), length: view.getUint32(4, true) };
}

/** Sets the bytes of these blocks to 1 for used, or to 0 for free. */
export function markBlocks(used: Uint8Array, blocks: readonly number[], value: 0 | 1): void {
  for (const block of blocks) {
    used[block] = value;
  }
}

/** Blocks in use, and files whose blocks cannot be right. */
export interface Occupancy {
  /** One byte for each block: 1 if used. */
  readonly used: Uint8Array;
  readonly faults: ReadonlyMap<MetadataEntry, EntryFault>;
}

/** Returns which blocks metadata and files use. A block of a file that is already used is a fault of that file. */
export function findOccupancy({ blocks, heads, root, folders }: Volume): Occupancy {
  const used = new Uint8Array(blocks.count);
  const faults = new Map<MetadataEntry, EntryFault>();
  const shared = { left: blocks.count };
  const allFolders = [root, ...folders.values()];
  for (const pair of [...heads, ...allFolders.flatMap(({ pairs }) => pairs)]) {
    markBlocks(used, pair.blocks, 1);
  }
  for (const entry of allFolders.flatMap(({ pairs }) => pairs).flatMap(({ entries }) => entries)) {
    if (entry.type === tagType.regularFile) {
      const fault = occupy(blocks, used, entry, shared);
      if (fault !== null) {
        faults.set(entry, fault);
      }
    }
  }
  return { used, faults };
}

/**
 * Marks the blocks of a file. A list goes on behind a block that is already taken: the other file may be the damaged one,
 * and nothing may be written over this one.
 *
 * @param shared Blocks that may be followed although they are taken, so that damaged lists cost no more than there are blocks.
 */
function occupy(blocks: Blocks, used: Uint8Array, entry: MetadataEntry, shared: { left: number }): EntryFault | null {
  const list = skipListOf(entry);
  if (list === null) {
    return entry.struct?.type === tagType.inlineStruct ? null : 'damaged';
  }
  const count = blocksFor(list.length, blocks.size);
  if (count > blocks.count) {
    return 'damaged';
  }
  let address = list.head;
  let isOwn = true;
  for (let left = count; left > 0; left--) {
    if (address >= blocks.count || (used[address] === 1 && shared.left-- <= 0)) {
      return 'damaged';
    }
    isOwn &&= used[address] === 0;
    used[address] = 1;
    address = viewOf(blocks.get(address)).getUint32(0, true);
  }
  return isOwn ? null : 'damaged';
}

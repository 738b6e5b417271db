/**
 * A change of a LittleFS volume. Blocks are collected and written to the image at the end, so a change that fails has
 * written nothing.
 */
import { isSame, viewOf } from '../../core/bytes.ts';
import type { EntryFault } from '../file-system.ts';
import { FileSystemError } from '../file-system-error.ts';
import { compareNames, decodeName } from '../paths.ts';
import {
  type MetadataEntry,
  metadataSize,
  moveStateLength,
  pairBytes,
  type Struct,
  writeMetadata,
} from './metadata.ts';
import { dataPerBlock, followSkipList, makeListBlock, readSkipList } from './skip-list.ts';
import { noId, tagType } from './tags.ts';
import { addDelta, type Folder, findOccupancy, markBlocks, type Pair, skipListOf, type Volume } from './volume.ts';

/** An entry and where it is. */
export interface Found {
  readonly folder: Folder;
  readonly pair: Pair;
  readonly entry: MetadataEntry;
}

/** Pairs with more entries are split, because a tag's id has 10 bits. The driver splits at 255. */
const maxEntries = noId / 4;

export class VolumeEdit {
  readonly #volume: Volume;
  readonly #originalUsed: Uint8Array;
  readonly #used: Uint8Array;
  readonly #isUnchanged: (block: number) => boolean;
  readonly #faults: ReadonlyMap<MetadataEntry, EntryFault>;
  readonly #thread: Pair[];
  /** Pairs that this edit allocated. */
  readonly #fresh = new Set<Pair>();
  /** Blocks in front of this one are used, or were used when the volume was opened. */
  #firstFree = 0;
  readonly #staged = new Map<number, Uint8Array>();
  /** Changed pairs with the folder that they belong to; null for superblock pairs in front of the root. */
  readonly #changed = new Map<Pair, Folder | null>();

  /**
   * @param originalUsed Blocks that the volume used when it was opened. They are overwritten last, so that a write to flash
   *   that is cut off leaves as much as possible of the old state.
   * @param isUnchanged Tells whether a block is still as it was when the volume was opened.
   */
  constructor(volume: Volume, originalUsed: Uint8Array, isUnchanged: (block: number) => boolean) {
    this.#volume = volume;
    this.#originalUsed = originalUsed;
    this.#isUnchanged = isUnchanged;
    this.#thread = volume.isConsistent ? volume.thread : this.#repair();
    const { used, faults } = findOccupancy(volume);
    this.#used = used;
    this.#faults = faults;
  }

  /** Completes what a power loss interrupted: rebuilds the list of pairs from the tree, and clears the global state. */
  #repair(): Pair[] {
    const { heads, root, folders, changed } = this.#volume;
    const all = [root, ...folders.values()];
    const folderOf = new Map(all.flatMap((folder) => folder.pairs.map((pair) => [pair, folder] as const)));
    const thread = [...heads, ...folderOf.keys()];
    const state = new Uint8Array(moveStateLength);
    for (const [index, pair] of thread.entries()) {
      const next = thread[index + 1];
      const folder = folderOf.get(pair) ?? null;
      const tail = next?.blocks ?? null;
      // A superblock pair and the root are one chain.
      const isHard = next !== undefined && (folder === null || folderOf.get(next) === folder);
      const isSamePair = tail?.every((block) => pair.tail?.includes(block)) ?? pair.tail === null;
      if (!isSamePair || pair.isHardTail !== isHard || changed.has(pair)) {
        pair.tail = tail;
        pair.isHardTail = isHard;
        this.#changed.set(pair, folder);
      }
      addDelta(state, pair.delta);
    }
    const [first] = root.pairs;
    if (first !== undefined && state.some((byte) => byte !== 0)) {
      this.#change(root, first).delta = xor(first.delta, state);
    }
    return thread;
  }

  #change(folder: Folder, pair: Pair): Pair {
    this.#changed.set(pair, folder);
    return pair;
  }

  #allocate(): number {
    while (this.#used[this.#firstFree] === 1 || this.#originalUsed[this.#firstFree] === 1) {
      this.#firstFree++;
    }
    const block = this.#firstFree < this.#used.length ? this.#firstFree : this.#used.indexOf(0);
    if (block < 0) {
      throw new FileSystemError('full');
    }
    this.#used[block] = 1;
    return block;
  }

  #allocatePair(entries: MetadataEntry[]): Pair {
    const blocks = [this.#allocate(), this.#allocate()] as const;
    // The other block may hold metadata of an earlier life, which must not look newer.
    const stale = viewOf(this.#volume.blocks.get(blocks[1])).getUint32(0, true);
    const revision = (stale + 1) >>> 0;
    const delta = new Uint8Array(moveStateLength);
    const pair = { blocks, revision, entries, tail: null, isHardTail: false, delta };
    this.#fresh.add(pair);
    return pair;
  }

  /** Inserts a pair into the list of all pairs. It takes over the tail of `previous`. */
  #insertAfter(previous: Pair, pair: Pair, isHardTail: boolean): void {
    pair.tail = previous.tail;
    pair.isHardTail = previous.isHardTail;
    previous.tail = pair.blocks;
    previous.isHardTail = isHardTail;
    this.#thread.splice(this.#thread.indexOf(previous) + 1, 0, pair);
  }

  /** Removes a pair from the list of all pairs. The pair in front takes over its tail and its share of the global state. */
  #unlink(pair: Pair): void {
    const at = this.#thread.indexOf(pair);
    const previous = this.#thread[at - 1];
    if (previous === undefined) {
      throw new FileSystemError('damaged');
    }
    const all = [this.#volume.root, ...this.#volume.folders.values()];
    const folder = all.find(({ pairs }) => pairs.includes(previous)) ?? null;
    previous.tail = pair.tail;
    previous.isHardTail = pair.isHardTail;
    previous.delta = xor(previous.delta, pair.delta);
    this.#changed.set(previous, folder);
    this.#changed.delete(pair);
    this.#thread.splice(at, 1);
    markBlocks(this.#used, pair.blocks, 0);
  }

  addEntry(folder: Folder, entry: MetadataEntry): void {
    const isBehind = (other: MetadataEntry) =>
      other.type !== tagType.superblock && compareNames(other.name, entry.name) > 0;
    const pair = folder.pairs.find(({ entries }) => entries.some(isBehind)) ?? folder.pairs.at(-1);
    if (pair === undefined) {
      throw new FileSystemError('damaged');
    }
    if (metadataSize([entry]) > this.#volume.blocks.size) {
      throw new FileSystemError('name-too-long', decodeName(entry.name));
    }
    const at = pair.entries.findIndex(isBehind);
    this.#change(folder, pair).entries.splice(at < 0 ? pair.entries.length : at, 0, entry);
  }

  /** Removes the entry alone. Contents of a folder stay. */
  takeEntry({ folder, pair, entry }: Found): void {
    pair.entries.splice(pair.entries.indexOf(entry), 1);
    if (pair.entries.length === 0 && pair !== folder.pairs[0]) {
      this.#unlink(pair);
      folder.pairs.splice(folder.pairs.indexOf(pair), 1);
    } else {
      this.#change(folder, pair);
    }
  }

  replaceEntry({ folder, pair, entry }: Found, changed: MetadataEntry): void {
    pair.entries[pair.entries.indexOf(entry)] = changed;
    this.#change(folder, pair);
  }

  /** Moves an entry, with the contents if it is a folder. */
  moveEntry(found: Found, folder: Folder, name: Uint8Array): void {
    const { folders } = this.#volume;
    const { entry } = found;
    const renamed = { ...entry, name };
    const contents = folders.get(entry);
    this.takeEntry(found);
    if (contents !== undefined) {
      folders.delete(entry);
      folders.set(renamed, contents);
    }
    this.addEntry(folder, renamed);
  }

  /** Adds an empty folder (littlefs DESIGN.md, "Directories": first into the list, then into its parent). */
  addFolder(parent: Folder, name: Uint8Array): Folder {
    const last = parent.pairs.at(-1);
    if (last === undefined) {
      throw new FileSystemError('damaged');
    }
    const pair = this.#allocatePair([]);
    const folder = { pairs: [pair] };
    this.#insertAfter(last, pair, false);
    this.#change(parent, last);
    this.#change(folder, pair);
    const struct = { type: tagType.folderStruct, data: pairBytes(pair.blocks) };
    const entry = { type: tagType.folder, name, struct, attributes: new Map() };
    this.#volume.folders.set(entry, folder);
    this.addEntry(parent, entry);
    return folder;
  }

  /** Removes an entry, with all of the contents if it is a folder. */
  removeEntry(found: Found): void {
    const { folders } = this.#volume;
    const open = [found.entry];
    const doomed: Folder[] = [];
    for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
      const folder = folders.get(entry);
      if (folder !== undefined) {
        doomed.push(folder);
        open.push(...folder.pairs.flatMap(({ entries }) => entries));
        folders.delete(entry);
      }
    }
    // Last pairs first: then each pair in front takes over a tail that is already right.
    for (const pair of doomed.flatMap(({ pairs }) => pairs.toReversed())) {
      this.#unlink(pair);
    }
    this.takeEntry(found);
  }

  /**
   * Returns the struct for a file's contents and writes its blocks. Blocks in front of the first difference are kept.
   *
   * @param inlineLimit Longest contents in bytes that are stored in metadata.
   * @param before The file that is replaced; null for a new one.
   */
  store(bytes: Uint8Array, inlineLimit: number, before: MetadataEntry | null): Struct {
    if (bytes.length <= inlineLimit) {
      return { type: tagType.inlineStruct, data: bytes.slice() };
    }
    const { size } = this.#volume.blocks;
    // Blocks of a damaged file may belong to another one.
    const kept = before === null || this.#faults.has(before) ? [] : this.#commonBlocks(bytes, before);
    const addresses = [...kept];
    let at = kept.reduce((sum, _, index) => sum + dataPerBlock(index, size), 0);
    while (at < bytes.length) {
      const end = Math.min(at + dataPerBlock(addresses.length, size), bytes.length);
      const address = this.#allocate();
      this.#staged.set(address, makeListBlock(addresses, bytes.subarray(at, end), size));
      addresses.push(address);
      at = end;
    }
    const data = new Uint8Array(8);
    viewOf(data).setUint32(0, addresses.at(-1) ?? 0, true);
    viewOf(data).setUint32(4, bytes.length, true);
    return { type: tagType.skipListStruct, data };
  }

  /** Returns the first blocks of the old file that are full and hold the same data. Releases its other blocks. */
  #commonBlocks(bytes: Uint8Array, before: MetadataEntry): number[] {
    const { blocks } = this.#volume;
    const list = skipListOf(before);
    const addresses = list === null ? null : followSkipList(blocks, list.head, list.length);
    if (list === null || addresses === null) {
      return [];
    }
    const old = readSkipList(blocks, addresses, list.length);
    let kept = 0;
    for (let at = 0; kept < addresses.length; kept++) {
      const end = at + dataPerBlock(kept, blocks.size);
      if (end > bytes.length || end > old.length || !isSame(bytes.subarray(at, end), old.subarray(at, end))) {
        break;
      }
      at = end;
    }
    markBlocks(this.#used, addresses.slice(kept), 0);
    return addresses.slice(0, kept);
  }

  /**
   * Returns the changed blocks by number. The volume in memory has the new state afterwards.
   *
   * @throws FileSystemError with `full`.
   */
  finish(): ReadonlyMap<number, Uint8Array> {
    const { size } = this.#volume.blocks;
    for (const [pair, folder] of this.#changed) {
      if (folder !== null) {
        this.#split(pair, folder);
      }
    }
    for (const pair of this.#changed.keys()) {
      this.#place(pair);
      this.#staged.set(pair.blocks[0], writeMetadata(pair, size));
    }
    return this.#staged;
  }

  /** Splits a pair that is more than half full (littlefs DESIGN.md, "Metadata pairs", 3), and one that is too full. */
  #split(pair: Pair, folder: Folder): void {
    const { size } = this.#volume.blocks;
    const bytes = metadataSize(pair.entries);
    const mustSplit = bytes > size || pair.entries.length > 2 * maxEntries;
    if (!mustSplit && bytes <= size / 2 && pair.entries.length <= maxEntries) {
      return;
    }
    const from = pair.entries[0]?.type === tagType.superblock ? 1 : 0;
    const middle = Math.max(from, Math.ceil(pair.entries.length / 2));
    const hasSpace = this.#used.filter((used) => used === 0).length >= 2;
    if (middle >= pair.entries.length || (!hasSpace && !mustSplit)) {
      if (mustSplit) {
        throw new FileSystemError('full');
      }
      return;
    }
    const rest = this.#allocatePair(pair.entries.splice(middle));
    this.#insertAfter(pair, rest, true);
    folder.pairs.splice(folder.pairs.indexOf(pair) + 1, 0, rest);
    this.#change(folder, rest);
    this.#split(pair, folder);
    this.#split(rest, folder);
  }

  /** Swaps the blocks of a pair that is written for the first time: its old state stays valid in the other block. */
  #place(pair: Pair): void {
    const [current, other] = pair.blocks;
    if (!this.#fresh.has(pair) && this.#isUnchanged(current)) {
      pair.blocks = [other, current];
      pair.revision = (pair.revision + 1) >>> 0;
    }
  }
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  const sum = one.slice();
  addDelta(sum, other);
  return sum;
}

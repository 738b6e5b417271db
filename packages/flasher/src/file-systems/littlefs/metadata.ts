/**
 * Reads and writes metadata blocks of LittleFS: a revision count and a log of commits (littlefs SPEC.md, "Directories /
 * Metadata pairs"). Every block that is written here holds one commit, as after a compaction.
 */
import { viewOf } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';
import { dataLength, deletedLength, endsCommit, noId, packTag, parseTag, type Tag, tagGroup, tagType } from './tags.ts';

/** Addresses of the two blocks of a metadata pair. */
export type PairAddress = readonly [number, number];

/** Address that points to no block (SPEC.md, "Some quick notes"). */
const nullBlock = 0xffff_ffff;

export interface Struct {
  readonly type: number;
  readonly data: Uint8Array;
}

/** A file, folder or superblock entry with its tags. Treated as immutable once the log is read. */
export interface MetadataEntry {
  /** `tagType.regularFile`, `folder` or `superblock`; 0 if no name tag was found. */
  readonly type: number;
  readonly name: Uint8Array;
  readonly struct: Struct | null;
  /** User attributes by their type (SPEC.md, "0x3xx LFS_TYPE_USERATTR"). */
  readonly attributes: ReadonlyMap<number, Uint8Array>;
}

export interface Metadata {
  readonly revision: number;
  readonly entries: readonly MetadataEntry[];
  /** Next pair of the list of all pairs; null at its end. */
  readonly tail: PairAddress | null;
  /** True: the next pair continues this folder. False: it belongs to another one. */
  readonly isHardTail: boolean;
  /** This pair's share of the global state: 12 bytes that are XORed with those of all pairs. */
  readonly delta: Uint8Array;
}

/** Length of the move state in bytes (SPEC.md, "0x7ff LFS_TYPE_MOVESTATE"). */
export const moveStateLength = 12;

/** An entry while its log is read. */
type EntryDraft = { -readonly [Field in keyof MetadataEntry]: MetadataEntry[Field] };

interface LogState {
  entries: EntryDraft[];
  tail: PairAddress | null;
  isHardTail: boolean;
  delta: Uint8Array;
}

const noAttributes: ReadonlyMap<number, Uint8Array> = new Map();

function blankEntry(): EntryDraft {
  return { type: 0, name: new Uint8Array(), struct: null, attributes: noAttributes };
}

/**
 * Reads all commits up to the first that is incomplete.
 *
 * @param block The whole block. Data of the result are copies.
 * @returns Null if the block has no valid commit.
 */
export function readMetadata(block: Uint8Array): Metadata | null {
  if (block.length < 8) {
    return null;
  }
  const view = viewOf(block);
  const state: LogState = { entries: [], tail: null, isHardTail: false, delta: new Uint8Array(moveStateLength) };
  let commitCount = 0;
  // Neighbouring tags are stored XORed, starting with all ones (SPEC.md, "Directories / Metadata pairs").
  let commit: Place = { at: 4, previous: 0xffff_ffff };
  let crcFrom = 0;
  for (let place = commit; ; ) {
    const item = readTag(view, place);
    if (item === null) {
      break;
    }
    const { tag, value, dataAt, end } = item;
    place = { at: end, previous: value };
    if (endsCommit(tag)) {
      // The CRC covers everything since the previous one, with the tag of the CRC (SPEC.md, "0x5xx LFS_TYPE_CRC").
      if (end - dataAt < 4 || view.getUint32(dataAt, true) !== metadataCrc(block.subarray(crcFrom, dataAt))) {
        break;
      }
      applyCommit(state, block, commit, dataAt);
      commitCount++;
      crcFrom = end;
      place = { at: end, previous: (value ^ ((tag.type & 1) << 31)) >>> 0 };
      commit = place;
    }
  }
  return commitCount === 0 ? null : { ...state, revision: view.getUint32(0, true) };
}

/** Position of a tag, and the tag in front of it. */
interface Place {
  readonly at: number;
  readonly previous: number;
}

/** Returns the tag at this place; null if the log ends there. */
function readTag(view: DataView, { at, previous }: Place) {
  if (at + 4 > view.byteLength) {
    return null;
  }
  const value = (view.getUint32(at) ^ previous) >>> 0;
  const tag = parseTag(value);
  const dataAt = at + 4;
  const end = dataAt + dataLength(tag);
  return tag.isInvalid || end > view.byteLength ? null : { tag, value, dataAt, end };
}

/** Reads a commit a second time, now that its CRC is known to be right. Keeping its tags would take memory. */
function applyCommit(state: LogState, block: Uint8Array, commit: Place, commitEnd: number): void {
  const view = viewOf(block);
  let place = commit;
  for (let item = readTag(view, place); item !== null && item.dataAt < commitEnd; item = readTag(view, place)) {
    apply(state, item.tag, block.subarray(item.dataAt, item.end));
    place = { at: item.end, previous: item.value };
  }
}

/** CRC-32 that starts with all ones and is not inverted at the end (SPEC.md, "Metadata block fields"). */
function metadataCrc(bytes: Uint8Array): number {
  return ~crc32(bytes) >>> 0;
}

function apply(state: LogState, tag: Tag, data: Uint8Array): void {
  const { type, id } = tag;
  const { entries } = state;
  const group = type >> 8;
  const chunk = type & 0xff;
  if (group === tagGroup.tail) {
    if (data.length >= 8) {
      const view = viewOf(data);
      const pair = [view.getUint32(0, true), view.getUint32(4, true)] as const;
      state.tail = pair.includes(nullBlock) ? null : pair;
      state.isHardTail = (chunk & 1) === 1;
    }
    return;
  }
  if (type === tagType.moveState) {
    state.delta = new Uint8Array(moveStateLength);
    state.delta.set(data.subarray(0, moveStateLength));
    return;
  }
  if (id === noId) {
    return;
  }
  if (type === tagType.create) {
    fillUpTo(entries, id);
    entries.splice(id, 0, blankEntry());
    // An id has 10 bits: more entries cannot be named, and would only take time.
    entries.length = Math.min(entries.length, noId);
  } else if (type === tagType.delete) {
    entries.splice(id, 1);
  } else if (group === tagGroup.name || group === tagGroup.struct || group === tagGroup.attribute) {
    fillUpTo(entries, id + 1);
    const entry = entries[id];
    if (entry !== undefined) {
      changeEntry(entry, tag, data.slice());
    }
  }
}

/** Adds blank entries: a name needs no create tag in front of it (SPEC.md, "0x401 LFS_TYPE_CREATE"). */
function fillUpTo(entries: EntryDraft[], count: number): void {
  while (entries.length < count) {
    entries.push(blankEntry());
  }
}

function changeEntry(entry: EntryDraft, { type, length }: Tag, data: Uint8Array): void {
  const isDeleted = length === deletedLength;
  switch (type >> 8) {
    case tagGroup.name:
      entry.type = type;
      entry.name = data;
      break;
    case tagGroup.struct:
      entry.struct = isDeleted ? null : { type, data };
      break;
    default: {
      const attributes = entry.attributes instanceof OwnAttributes ? entry.attributes : new OwnAttributes();
      entry.attributes = attributes;
      if (isDeleted) {
        attributes.delete(type & 0xff);
      } else {
        attributes.set(type & 0xff, data);
      }
    }
  }
}

/** Attributes of one entry alone, in contrast to `noAttributes`. */
class OwnAttributes extends Map<number, Uint8Array> {}

/**
 * Bytes that a pair needs beside its entries: revision 4, tail 12, move state 16, CRC 8, and 4 for a delete tag, which the
 * driver wants to have left.
 */
const overhead = 44;

/** Returns the bytes that the entries take in a metadata block, with everything else that it may hold. */
export function metadataSize(entries: readonly MetadataEntry[]): number {
  return entries.reduce((sum, entry) => sum + entrySize(entry), overhead);
}

function entrySize({ name, struct, attributes }: MetadataEntry): number {
  let size = 4 + name.length + (struct === null ? 0 : 4 + struct.data.length);
  for (const value of attributes.values()) {
    size += 4 + value.length;
  }
  return size;
}

/**
 * Returns a block with the metadata as one commit. The rest is erased (0xFF), so that the driver can append.
 *
 * The forward CRC of disk version 2.1 is left out. Then the driver compacts the pair before its next commit (SPEC.md,
 * "0x5ff LFS_TYPE_FCRC"), because its program size is not on disk.
 *
 * @param metadata Must fit: `metadataSize(entries) <= blockSize`.
 */
export function writeMetadata(metadata: Metadata, blockSize: number): Uint8Array {
  const block = new Uint8Array(blockSize).fill(0xff);
  const view = viewOf(block);
  view.setUint32(0, metadata.revision, true);
  let at = 4;
  let previous = 0xffff_ffff;
  const put = (type: number, id: number, data: Uint8Array) => {
    const tag = packTag(type, id, data.length);
    view.setUint32(at, (tag ^ previous) >>> 0);
    block.set(data, at + 4);
    previous = tag;
    at += 4 + data.length;
  };
  for (const [id, { type, name, struct, attributes }] of metadata.entries.entries()) {
    put(type, id, name);
    if (struct !== null) {
      put(struct.type, id, struct.data);
    }
    for (const [chunk, value] of attributes) {
      put((tagGroup.attribute << 8) | chunk, id, value);
    }
  }
  if (metadata.tail !== null) {
    put(metadata.isHardTail ? tagType.hardTail : tagType.softTail, noId, pairBytes(metadata.tail));
  }
  if (metadata.delta.some((byte) => byte !== 0)) {
    put(tagType.moveState, noId, metadata.delta);
  }
  // The valid state is 0: erased bytes behind the commit then read as an invalid tag.
  const start = at;
  put(tagType.crc, noId, new Uint8Array(4));
  view.setUint32(start + 4, metadataCrc(block.subarray(0, start + 4)), true);
  return block;
}

/** Returns two block addresses as they are stored. */
export function pairBytes([first, second]: PairAddress): Uint8Array {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setUint32(0, first, true);
  viewOf(bytes).setUint32(4, second, true);
  return bytes;
}

/** Returns true if revision `one` is newer than `other`, also across the overflow of 32 bits (SPEC.md, field 1). */
export function isNewer(one: number, other: number): boolean {
  return ((one - other) | 0) > 0;
}

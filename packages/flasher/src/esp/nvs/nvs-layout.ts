/**
 * Layout of pages and entries of NVS (ESP-IDF Programming Guide, "Non-Volatile Storage Library", "Structure of a Page"
 * and "Structure of Entry"). Numbers are little-endian.
 */
import { isErased, viewOf } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';

/** Size of a page, which is one sector of flash, in bytes. */
export const PAGE_SIZE = 0x1000;
/** Size of an entry, in bytes. */
export const ENTRY_SIZE = 32;
/** Entries of a page. */
export const ENTRY_COUNT = 126;
/** Largest chunk of a blob and largest string with its NUL, in bytes: all entries of a page but one. */
export const MAX_CHUNK_SIZE = (ENTRY_COUNT - 1) * ENTRY_SIZE;
/** Size of a page's header, in bytes. */
export const PAGE_HEADER_SIZE = 32;
const BITMAP_OFFSET = 32;
const FIRST_ENTRY_OFFSET = 64;
/** Versions count down from 0xFF. */
const VERSION_2 = 0xfe;
const VERSION_1 = 0xff;

/** Version 1 is that of ESP-IDF before 3.2. Version 2 has blobs over several pages. */
export type NvsVersion = 1 | 2;

/** Index of a namespace that contains the namespaces themselves. */
export const NAMESPACE_LIST = 0;
/** Highest index of a namespace ("Namespaces": at most 254). */
export const MAX_NAMESPACES = 254;
/** Chunk index of every entry that is no chunk of a blob. */
export const NO_CHUNK = 0xff;
/** Chunk indices at which the two versions of a blob start. Each write changes to the other (`VerOffset`). */
export const chunkStarts = [0, 0x80] as const;

/** Codes in the type field of an entry (`ItemType` in ESP-IDF's `nvs_types.hpp`). */
export const itemType = {
  u8: 0x01,
  i8: 0x11,
  u16: 0x02,
  i16: 0x12,
  u32: 0x04,
  i32: 0x14,
  u64: 0x08,
  i64: 0x18,
  str: 0x21,
  /** Blob of version 1, in one page and without an index. */
  blob: 0x41,
  /** Chunk of a blob of version 2. */
  'blob-data': 0x42,
  /** Index of a blob of version 2. */
  'blob-index': 0x48,
} as const;

export type ItemTypeName = keyof typeof itemType;

const typeNames = new Map<number, ItemTypeName>(
  Object.entries(itemType).map(([name, code]) => [code, name as ItemTypeName]),
);

/** Returns null for a type that NVS does not have. */
export function itemTypeName(code: number): ItemTypeName | null {
  return typeNames.get(code) ?? null;
}

/** Returns true for items whose value follows in entries of its own. */
export function hasData(type: ItemTypeName): boolean {
  return type === 'str' || type === 'blob' || type === 'blob-data';
}

/** Returns the entries that a value of `size` bytes needs besides its first one. */
export function dataEntries(size: number): number {
  return Math.ceil(size / ENTRY_SIZE);
}

export type PageState = 'empty' | 'active' | 'full' | 'freeing' | 'corrupt' | 'newer';

/** Values of the state field. Each state only clears bits of the one before. */
const stateCodes = { active: 0xffff_fffe, full: 0xffff_fffc, freeing: 0xffff_fff8 } as const;

export interface PageHeader {
  /** `newer`: a version that this code and today's ESP-IDF do not know. `corrupt`: no valid header, or data without one. */
  readonly state: PageState;
  /** Order of pages. Zero without a valid header. */
  readonly sequence: number;
  /** 1, 2, …; zero without a valid header. */
  readonly version: number;
}

/** Reads the header of a page. @param page The page's 4,096 bytes. */
export function readPageHeader(page: Uint8Array): PageHeader {
  if (isErased(page)) {
    return { state: 'empty', sequence: 0, version: 0 };
  }
  const view = viewOf(page);
  if (view.getUint32(28, true) !== crc32(page.subarray(4, 28), 0xffff_ffff)) {
    return { state: 'corrupt', sequence: 0, version: 0 };
  }
  const code = view.getUint32(0, true);
  const [state] = (['active', 'full', 'freeing'] as const).filter((name) => stateCodes[name] === code);
  const version = page[8] ?? 0;
  const known = version < VERSION_2 ? 'newer' : state;
  return known === undefined
    ? { state: 'corrupt', sequence: 0, version: 0 }
    : { state: known, sequence: view.getUint32(4, true), version: VERSION_1 - version + 1 };
}

/** Writes the header of an active page into erased bytes. */
export function writePageHeader(page: Uint8Array, sequence: number, version: NvsVersion): void {
  const view = viewOf(page);
  view.setUint32(0, stateCodes.active, true);
  view.setUint32(4, sequence, true);
  page[8] = version === 1 ? VERSION_1 : VERSION_2;
  view.setUint32(28, crc32(page.subarray(4, 28), 0xffff_ffff), true);
}

export function writePageState(page: Uint8Array, state: keyof typeof stateCodes): void {
  viewOf(page).setUint32(0, stateCodes[state], true);
}

/** Returns true if these 32 bytes are a header of NVS with a valid CRC. A page in the state "corrupt" counts. */
export function hasPageHeader(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  const states: readonly number[] = [...Object.values(stateCodes), 0xffff_fff0];
  return (
    states.includes(view.getUint32(0, true)) && view.getUint32(28, true) === crc32(bytes.subarray(4, 28), 0xffff_ffff)
  );
}

/** State of an entry in the bitmap of its page. Two bits, of which a write clears the low one and erasing the high one. */
export type EntryState = 'empty' | 'written' | 'erased' | 'illegal';

const entryStates: readonly EntryState[] = ['erased', 'illegal', 'written', 'empty'];

export function entryStateOf(page: Uint8Array, index: number): EntryState {
  return entryStates[((page[BITMAP_OFFSET + (index >> 2)] ?? 0xff) >> ((index & 3) * 2)) & 3] ?? 'empty';
}

export function writeEntryState(page: Uint8Array, index: number, state: 'written' | 'erased'): void {
  const at = BITMAP_OFFSET + (index >> 2);
  const shift = (index & 3) * 2;
  page[at] = ((page[at] ?? 0xff) & ~(3 << shift)) | (entryStates.indexOf(state) << shift);
}

/** Returns the offset of an entry in its page. */
export function entryOffset(index: number): number {
  return FIRST_ENTRY_OFFSET + index * ENTRY_SIZE;
}

/** Returns the bytes of `count` entries. They are not copied. */
export function entryBytes(page: Uint8Array, index: number, count = 1): Uint8Array {
  return page.subarray(entryOffset(index), entryOffset(index + count));
}

export interface EntryHeader {
  /** Index of the namespace. */
  readonly namespace: number;
  readonly type: number;
  readonly span: number;
  readonly chunk: number;
  /** Bytes of the key up to its NUL, as Latin-1. `keyText` makes text of it. */
  readonly key: string;
  /** Integer of up to 8 bytes, or size and CRC of the data, or the index of a blob. */
  readonly field: Uint8Array;
}

/** Returns null if the entry's CRC is wrong. */
export function readEntry(entry: Uint8Array): EntryHeader | null {
  if (viewOf(entry).getUint32(4, true) !== crc32(entry.subarray(8), crc32(entry.subarray(0, 4), 0xffff_ffff))) {
    return null;
  }
  const [namespace = 0, type = 0, span = 0, chunk = 0] = entry;
  const key = entry.subarray(8, 24);
  const end = key.indexOf(0);
  return {
    namespace,
    type,
    span,
    chunk,
    key: String.fromCharCode(...key.subarray(0, end < 0 ? 15 : Math.min(end, 15))),
    field: entry.subarray(24, 32),
  };
}

/** Returns the 32 bytes of an entry. @param field Up to 8 bytes; the rest is filled with 0xFF. */
export function buildEntry({ namespace, type, span, chunk, key, field }: EntryHeader): Uint8Array {
  const entry = new Uint8Array(ENTRY_SIZE).fill(0xff);
  entry.set([namespace, type, span, chunk]);
  entry.fill(0, 8, 24);
  for (let index = 0; index < key.length; index++) {
    entry[8 + index] = key.charCodeAt(index);
  }
  entry.set(field, 24);
  viewOf(entry).setUint32(4, crc32(entry.subarray(8), crc32(entry.subarray(0, 4), 0xffff_ffff)), true);
  return entry;
}

/** Returns the field of a string or a chunk: its size, two reserved bytes, and the CRC of its data. */
export function dataField(data: Uint8Array): Uint8Array {
  const field = new Uint8Array(8).fill(0xff);
  viewOf(field).setUint16(0, data.length, true);
  viewOf(field).setUint32(4, crc32(data, 0xffff_ffff), true);
  return field;
}

export function readDataField(field: Uint8Array): { size: number; crc: number } {
  return { size: viewOf(field).getUint16(0, true), crc: viewOf(field).getUint32(4, true) };
}

export interface BlobIndex {
  /** Size of the whole blob, in bytes. */
  readonly size: number;
  readonly count: number;
  /** Index of the first chunk. The others follow in steps of one. */
  readonly start: number;
}

export function blobIndexField({ size, count, start }: BlobIndex): Uint8Array {
  const field = new Uint8Array(8).fill(0xff);
  viewOf(field).setUint32(0, size, true);
  field[4] = count;
  field[5] = start;
  return field;
}

export function readBlobIndexField(field: Uint8Array): BlobIndex {
  return { size: viewOf(field).getUint32(0, true), count: field[4] ?? 0, start: field[5] ?? 0 };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the UTF-8 of a name, one character for each byte, as keys are compared. */
export function keyBytesOf(name: string): string {
  return String.fromCharCode(...encoder.encode(name));
}

/** Returns a key as text: UTF-8, or Latin-1 if it is not valid UTF-8. */
export function keyText(key: string): string {
  try {
    return decoder.decode(Uint8Array.from(key, (character) => character.charCodeAt(0)));
  } catch {
    return key;
  }
}

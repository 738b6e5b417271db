/** Reads an NVS partition: its namespaces, keys and values, and entries that are erased or damaged. */
import { joined } from '@wirebench/port/bytes';
import { counted } from '@wirebench/port/numbers';
import { isErased } from '../../core/bytes.ts';
import {
  chunkNames,
  type FoundItem,
  type FoundItems,
  type FoundPage,
  findItems,
  type ItemFault,
  type ItemVerdict,
  itemData,
  liveItems,
  nameOf,
  versionOf,
} from './nvs-items.ts';
import {
  ENTRY_COUNT,
  type EntryHeader,
  entryBytes,
  entryOffset,
  entryStateOf,
  hasData,
  type ItemTypeName,
  keyText,
  NAMESPACE_LIST,
  type NvsVersion,
  PAGE_SIZE,
  type PageState,
  readBlobIndexField,
  readDataField,
} from './nvs-layout.ts';
import { isIntegerType, type NvsValue, readInteger } from './nvs-value.ts';

export interface NvsEntry {
  /** Null if the entry names a namespace that does not exist, or is not readable. */
  readonly namespace: string | null;
  /** Null if the entry is not readable. */
  readonly key: string | null;
  /** `blob-data` and `blob-index` are parts of a blob that is not whole. Null if the entry is not readable. */
  readonly type: ItemTypeName | null;
  readonly state: ItemVerdict;
  readonly fault: ItemFault | null;
  /** Null for parts of a blob and for values that are not readable. */
  readonly value: NvsValue | null;
  /** Size of the value in bytes; a string's without its NUL. */
  readonly size: number;
  /** Offset of the first entry in the partition. */
  readonly offset: number;
  /** Entries of 32 bytes that it occupies, with the chunks of a blob. */
  readonly entries: number;
}

interface NvsPageInfo {
  readonly offset: number;
  readonly state: PageState;
  readonly sequence: number;
  /** 1, 2, …; zero without a valid header. */
  readonly version: number;
  readonly written: number;
  readonly erased: number;
}

export interface NvsStore {
  /**
   * - `nvs`: readable. `empty`: erased flash.
   * - `encrypted`: pages are valid, and no entry is readable. `newer`: a format after version 2.
   * - `foreign`: no page of NVS, or a size that is not a multiple of 4,096.
   */
  readonly kind: 'nvs' | 'empty' | 'encrypted' | 'newer' | 'foreign';
  readonly size: number;
  readonly pages: readonly NvsPageInfo[];
  /** Version in which a change is written. A library of version 1 reads no partition of version 2. */
  readonly version: NvsVersion;
  /** True: there are pages of both versions. A library of version 1 refuses them. */
  readonly isMixed: boolean;
  /** Names in the order of their entries. */
  readonly namespaces: readonly string[];
  /** All entries in the order of pages: live, erased, damaged and left over. Without the list of namespaces. */
  readonly entries: readonly NvsEntry[];
  /** Entries of 32 bytes. A change needs `free` entries besides the 126 of the reserved page. */
  readonly usage: { readonly total: number; readonly written: number; readonly free: number };
}

/** Entry that firmware reads. */
export type LiveNvsEntry = NvsEntry & {
  readonly namespace: string;
  readonly key: string;
  readonly value: NvsValue;
};

/** Reads a partition. Never throws. The work is bounded by the size of the partition. */
export function readNvs(image: Uint8Array): NvsStore {
  if (image.length === 0 || image.length % PAGE_SIZE !== 0) {
    return { ...nothing, kind: 'foreign', size: image.length };
  }
  const found = findItems(image);
  const pages = found.pages.map(pageInfo);
  const kind = kindOf(found);
  if (kind !== 'nvs') {
    return { ...nothing, kind, size: image.length, pages };
  }
  const written = pages.reduce((sum, page) => sum + page.written, 0);
  const erased = pages.reduce((sum, page) => sum + page.erased, 0);
  const total = pages.length * ENTRY_COUNT;
  const names = namespaceNames(found);
  return {
    kind,
    size: image.length,
    pages,
    version: versionOf(found),
    isMixed: new Set(found.order.map(({ version }) => version)).size > 1,
    namespaces: [...new Set(names.values())],
    entries: entriesOf(found, names),
    usage: { total, written, free: total - written - erased },
  };
}

/** Returns the entries that firmware reads. */
export function liveEntries({ entries }: NvsStore): LiveNvsEntry[] {
  return entries.filter(
    (entry): entry is LiveNvsEntry => entry.state === 'live' && entry.namespace !== null && entry.value !== null,
  );
}

/** Describes a partition in a line: `27 keys in 3 namespaces, 21 % full`. */
export function storeText(store: NvsStore): string {
  switch (store.kind) {
    case 'nvs': {
      const { written, total } = store.usage;
      const full = Math.round((written / total) * 100);
      return `${counted(liveEntries(store).length, 'key')} in ${counted(store.namespaces.length, 'namespace')}, ${full} % full`;
    }
    case 'empty':
      return 'Empty';
    case 'encrypted':
      return 'Encrypted keys and values';
    case 'newer':
      return 'NVS of a newer format';
    case 'foreign':
      return 'Holds no readable NVS';
  }
}

const nothing = {
  pages: [],
  version: 2,
  isMixed: false,
  namespaces: [],
  entries: [],
  usage: { total: 0, written: 0, free: 0 },
} as const;

function pageInfo({ bytes, sector, state, sequence, version }: FoundPage): NvsPageInfo {
  const isReadable = state === 'active' || state === 'full' || state === 'freeing';
  const states = isReadable ? Array.from({ length: ENTRY_COUNT }, (_, index) => entryStateOf(bytes, index)) : [];
  const count = (wanted: string) => states.filter((one) => one === wanted).length;
  return {
    offset: sector * PAGE_SIZE,
    state,
    sequence,
    version,
    written: count('written'),
    erased: count('erased') + count('illegal'),
  };
}

function kindOf(found: FoundItems): NvsStore['kind'] {
  if (found.pages.some(({ state }) => state === 'newer')) {
    return 'newer';
  }
  if (found.order.length > 0) {
    return isEncrypted(found) ? 'encrypted' : 'nvs';
  }
  return found.pages.every(({ bytes }) => isErased(bytes)) ? 'empty' : 'foreign';
}

/**
 * Recognises encrypted entries: no entry has a valid CRC, and their bytes are spread evenly. NVS encryption leaves
 * headers and bitmaps of pages as they are (ESP-IDF Programming Guide, "NVS Encryption"). A plain entry pads its key
 * with zeros.
 */
function isEncrypted({ order }: FoundItems): boolean {
  let bytes = 0;
  let fillers = 0;
  for (const { items, bytes: page } of order) {
    for (const { header, index, fault } of items) {
      if (header !== null) {
        return false;
      }
      for (const byte of fault === 'entry-crc' ? entryBytes(page, index) : []) {
        bytes++;
        fillers += byte === 0 || byte === 0xff ? 1 : 0;
      }
    }
  }
  return bytes > 0 && fillers * 8 < bytes;
}

function namespaceNames(found: FoundItems): Map<number, string> {
  const names = new Map<number, string>();
  for (const { header } of liveItems(found)) {
    const index = header.field[0] ?? 0;
    if (header.namespace === NAMESPACE_LIST && !names.has(index)) {
      names.set(index, keyText(header.key));
    }
  }
  return names;
}

function entriesOf(found: FoundItems, names: ReadonlyMap<number, string>): NvsEntry[] {
  const chunks = new Map<string, FoundItem & { header: EntryHeader }>();
  for (const item of liveItems(found)) {
    if (item.type === 'blob-data') {
      chunks.set(nameOf(item.header), item);
    }
  }
  return found.order.flatMap(({ items, erasedItems }) =>
    [...items, ...erasedItems]
      .sort((one, other) => one.index - other.index)
      .filter(({ header }) => header?.namespace !== NAMESPACE_LIST)
      .filter(({ verdict, type }) => verdict !== 'live' || type !== 'blob-data')
      .map((item) => entryOf(item, names, chunks)),
  );
}

function entryOf(
  item: FoundItem,
  names: ReadonlyMap<number, string>,
  chunks: ReadonlyMap<string, FoundItem & { header: EntryHeader }>,
): NvsEntry {
  const { header, page, index, fault, verdict } = item;
  const offset = page.sector * PAGE_SIZE + entryOffset(index);
  if (header === null) {
    const size = 0;
    return { namespace: null, key: null, type: null, state: verdict, fault, value: null, size, offset, entries: 1 };
  }
  const parts =
    verdict === 'live' && item.type === 'blob-index' ? chunkNames(header).map((name) => chunks.get(name)) : [];
  const value = fault === null ? itemValue(item, parts) : null;
  return {
    namespace: names.get(header.namespace) ?? null,
    key: keyText(header.key),
    type: value?.type ?? item.type,
    state: verdict,
    fault: verdict === 'damaged' ? (fault ?? 'chunks-missing') : fault,
    value,
    size: value === null ? sizeOf(item, header) : sizeOfValue(value, header),
    offset,
    entries: parts.reduce((sum, part) => sum + (part?.span ?? 0), item.span),
  };
}

function itemValue(item: FoundItem, parts: readonly (FoundItem | undefined)[]): NvsValue | null {
  const { header, type } = item;
  if (header === null || type === null) {
    return null;
  }
  if (isIntegerType(type)) {
    return { type, value: readInteger(type, header.field) };
  }
  const data = dataOf(item);
  switch (type) {
    case 'str': {
      const isEnded = data.at(-1) === 0;
      return { type, bytes: isEnded ? data.slice(0, -1) : data.slice() };
    }
    case 'blob':
      return { type, bytes: data.slice() };
    case 'blob-index':
      return item.verdict === 'live' ? { type: 'blob', bytes: dataOfAll(parts) } : null;
    case 'blob-data':
      return null;
  }
}

function dataOf({ page, index, type, header }: FoundItem): Uint8Array {
  const size = header !== null && type !== null && hasData(type) ? readDataField(header.field).size : 0;
  return itemData(page.bytes, index, size);
}

function dataOfAll(parts: readonly (FoundItem | undefined)[]): Uint8Array {
  return joined(...parts.flatMap((part) => (part === undefined ? [] : [dataOf(part)])));
}

/** Returns the size that the entry states. Zero if there is no such field. */
function sizeOf({ type }: FoundItem, { field }: EntryHeader): number {
  if (type === 'blob-index') {
    return readBlobIndexField(field).size;
  }
  return type !== null && hasData(type) ? readDataField(field).size : 0;
}

function sizeOfValue(value: NvsValue, { type }: EntryHeader): number {
  return 'bytes' in value ? value.bytes.length : type & 0x0f;
}

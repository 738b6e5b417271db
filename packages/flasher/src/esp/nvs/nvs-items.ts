/**
 * Finds the items of a partition and decides about each as ESP-IDF's library does at its start (`Page::mLoadEntryTable`,
 * `PageManager::load` and `Storage::init` in its `nvs_flash` component). Reads only, and never throws.
 */
import { isErased } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';
import {
  dataEntries,
  ENTRY_COUNT,
  type EntryHeader,
  type EntryState,
  entryBytes,
  entryStateOf,
  hasData,
  type ItemTypeName,
  itemTypeName,
  MAX_NAMESPACES,
  NAMESPACE_LIST,
  type NvsVersion,
  PAGE_SIZE,
  type PageState,
  readBlobIndexField,
  readDataField,
  readEntry,
  readPageHeader,
} from './nvs-layout.ts';

/**
 * - `entry-crc`: the CRC of the entry is wrong. `data-crc`: that of its data.
 * - `unfinished`: the power failed while it was written.
 * - `bad-entry`: its type, span or size is impossible.
 * - `chunks-missing`: a chunk of the blob is missing or damaged.
 */
export type ItemFault = 'entry-crc' | 'data-crc' | 'unfinished' | 'bad-entry' | 'chunks-missing';

/**
 * - `live`: firmware reads it. `erased`: marked as erased.
 * - `damaged`: not readable. `duplicate`: another entry has its name and is found first.
 * - `orphan`: its namespace or the index of its blob is missing.
 * - `unfinished-copy`: on a page that the library erases, because moving it was not finished.
 */
export type ItemVerdict = 'live' | 'erased' | 'damaged' | 'duplicate' | 'orphan' | 'unfinished-copy';

export interface FoundItem {
  readonly page: FoundPage;
  /** Number of the first entry in its page. */
  readonly index: number;
  /** Entries that it occupies. */
  readonly span: number;
  /** Null if the entry is not readable. */
  readonly header: EntryHeader | null;
  readonly type: ItemTypeName | null;
  readonly fault: ItemFault | null;
  verdict: ItemVerdict;
  /** True if the library marks it as erased at its next start. */
  isRemovedAtStart: boolean;
}

export interface FoundPage {
  /** Number of the sector in the partition. */
  readonly sector: number;
  readonly bytes: Uint8Array;
  readonly state: PageState;
  readonly sequence: number;
  readonly version: number;
  /** Sorted by index. Without those that are erased. */
  readonly items: FoundItem[];
  readonly erasedItems: FoundItem[];
  /** First entry that can be written in an active page. 126 in others. */
  readonly next: number;
}

export interface FoundItems {
  /** All pages, by sector. */
  readonly pages: readonly FoundPage[];
  /** Pages with entries, by sequence number: the order in which the library searches them. */
  readonly order: readonly FoundPage[];
  /** The page whose move was interrupted, if any. */
  readonly freeing: FoundPage | null;
  /** True if the last page is an unfinished copy of that page. */
  readonly hasUnfinishedCopy: boolean;
}

/**
 * Returns the version in which new pages and items are to be written. A library of version 1 finds no page of a newer one: it
 * answers `ESP_ERR_NVS_NEW_VERSION_FOUND`, on which programs erase the partition. The library of version 2 goes on with
 * pages of version 1, and may have put its blobs into them.
 */
export function versionOf({ order }: Pick<FoundItems, 'order'>): NvsVersion {
  const isOld = order.every(
    ({ version, items, erasedItems }) =>
      version === 1 && [...items, ...erasedItems].every(({ type }) => type !== 'blob-data' && type !== 'blob-index'),
  );
  return order.length > 0 && isOld ? 1 : 2;
}

/** Finds all items. @param image Its length is a multiple of 4,096. */
export function findItems(image: Uint8Array): FoundItems {
  const pages = Array.from({ length: image.length / PAGE_SIZE }, (_, sector) =>
    findPage(image.subarray(sector * PAGE_SIZE, (sector + 1) * PAGE_SIZE), sector),
  );
  const order = pages
    .filter(({ state }) => state === 'active' || state === 'full' || state === 'freeing')
    .sort((one, other) => one.sequence - other.sequence);
  const last = order.at(-1);
  const freeing = order.find(({ state }) => state === 'freeing') ?? null;
  const hasUnfinishedCopy = freeing !== null && last?.state === 'active';
  for (const page of order.filter(({ state }) => state === 'active')) {
    dropDuplicatesInPage(page);
  }
  dropOlderThanLast(order);
  if (hasUnfinishedCopy) {
    for (const item of last.items) {
      item.verdict = 'unfinished-copy';
    }
  }
  const found = { pages, order, freeing, hasUnfinishedCopy };
  dropOrphans(found);
  dropLaterDuplicates(found);
  return found;
}

/** Yields the items that the library finds, in its order. */
export function* liveItems({ order }: FoundItems): Generator<FoundItem & { header: EntryHeader; type: ItemTypeName }> {
  for (const page of order) {
    for (const item of page.items) {
      if (isLive(item)) {
        yield item;
      }
    }
  }
}

function isLive(item: FoundItem): item is FoundItem & { header: EntryHeader; type: ItemTypeName } {
  return item.verdict === 'live' && item.header !== null && item.type !== null;
}

/** Returns a text that is equal for items with the same namespace, key and chunk. */
export function nameOf({ namespace, key, chunk }: Pick<EntryHeader, 'namespace' | 'key' | 'chunk'>): string {
  return `${namespace} ${chunk} ${key}`;
}

function findPage(bytes: Uint8Array, sector: number): FoundPage {
  const header = readPageHeader(bytes);
  const isReadable = header.state === 'active' || header.state === 'full' || header.state === 'freeing';
  const states = Array.from({ length: ENTRY_COUNT }, (_, index) => entryStateOf(bytes, index));
  const firstEmpty = states.indexOf('empty');
  const written = header.state === 'active' && firstEmpty >= 0 ? firstEmpty : ENTRY_COUNT;
  let next = written;
  // Entries that were written before their state was: the library erases them up to the first erased word.
  while (next < ENTRY_COUNT && !isErased(entryBytes(bytes, next).subarray(0, 4))) {
    next++;
  }
  const page: FoundPage = { ...header, sector, bytes, items: [], erasedItems: [], next };
  for (let index = 0; isReadable && index < next; ) {
    const item = itemAt(page, index, states, index >= written);
    if (item !== null) {
      (item.verdict === 'erased' ? page.erasedItems : page.items).push(item);
    }
    index += item?.span ?? 1;
  }
  return page;
}

/** Returns null for an entry that contains no start of an item. */
function itemAt(page: FoundPage, index: number, states: readonly EntryState[], isHalf: boolean): FoundItem | null {
  const state = states[index];
  const header = readEntry(entryBytes(page.bytes, index));
  if (state === 'empty' && !isHalf) {
    return null;
  }
  const type = header === null ? null : itemTypeName(header.type);
  const build = (fault: ItemFault | null, span: number): FoundItem => {
    const isErasedItem = state === 'erased' && !isHalf;
    const verdict = fault === null ? 'live' : 'damaged';
    // The library notices wrong data only when it reads the value.
    const isRemovedAtStart = !isErasedItem && fault !== null && fault !== 'data-crc' && fault !== 'bad-entry';
    return { page, index, span, header, type, fault, verdict: isErasedItem ? 'erased' : verdict, isRemovedAtStart };
  };
  if (isHalf || state === 'illegal') {
    return build('unfinished', 1);
  }
  if (header === null) {
    return state === 'erased' ? null : build('entry-crc', 1);
  }
  if (type === null || header.span === 0 || index + header.span > ENTRY_COUNT) {
    return build('bad-entry', 1);
  }
  if (!hasData(type)) {
    return build(header.span === 1 ? null : 'bad-entry', 1);
  }
  const { size, crc } = readDataField(header.field);
  const span = header.span;
  if (states.slice(index, index + span).some((one) => one !== state)) {
    return build('unfinished', span);
  }
  if (size > span * 32 || dataEntries(size) !== span - 1) {
    return build('bad-entry', span);
  }
  return build(crc32(itemData(page.bytes, index, size), 0xffff_ffff) === crc ? null : 'data-crc', span);
}

/** Returns the data that follows an entry. It is not copied. */
export function itemData(page: Uint8Array, index: number, size: number): Uint8Array {
  return entryBytes(page, index + 1, dataEntries(size)).subarray(0, size);
}

function drop(item: FoundItem, verdict: ItemVerdict, isRemovedAtStart: boolean): void {
  item.verdict = verdict;
  item.isRemovedAtStart = isRemovedAtStart;
}

/** In an active page the later of two items with the same name counts. */
function dropDuplicatesInPage(page: FoundPage): void {
  const latest = new Map<string, FoundItem>();
  for (const item of page.items.filter(isLive)) {
    const name = nameOf(item.header);
    const earlier = latest.get(name);
    if (earlier !== undefined) {
      drop(earlier, 'duplicate', true);
    }
    latest.set(name, item);
  }
}

/** The last item that was written replaces an older one on another page, which the power left there. */
function dropOlderThanLast(order: readonly FoundPage[]): void {
  const last = order.at(-1);
  const item = last?.items.filter(isLive).at(-1);
  if (item === undefined) {
    return;
  }
  const earlier = order.slice(0, -1).filter(({ state }) => state !== 'freeing');
  const types: readonly ItemTypeName[] = item.type === 'blob-index' ? ['blob-index', 'blob'] : [item.type];
  for (const type of types) {
    for (const page of earlier) {
      const older = page.items.find(
        (one) => isLive(one) && one.type === type && nameOf(one.header) === nameOf(item.header),
      );
      if (older !== undefined) {
        drop(older, 'duplicate', true);
        return;
      }
    }
  }
}

/** Drops items of namespaces that do not exist, chunks without an index, and blobs without all of their chunks. */
function dropOrphans(found: FoundItems): void {
  const namespaces = new Set<number>();
  const listed = new Set<string>();
  const indices = new Map<string, FoundItem[]>();
  const chunks = new Map<string, FoundItem & { header: EntryHeader }>();
  for (const item of liveItems(found)) {
    const { header, type } = item;
    if (header.namespace === NAMESPACE_LIST) {
      const index = header.field[0] ?? 0;
      if (type !== 'u8' || index === 0 || index > MAX_NAMESPACES) {
        drop(item, 'orphan', false);
      } else if (listed.has(header.key)) {
        drop(item, 'duplicate', false);
      } else {
        listed.add(header.key);
        namespaces.add(index);
      }
    } else if (type === 'blob-index') {
      const name = `${header.namespace} ${header.key}`;
      indices.set(name, [...(indices.get(name) ?? []), item]);
    } else if (type === 'blob-data' && !chunks.has(nameOf(header))) {
      chunks.set(nameOf(header), item);
    }
  }
  for (const item of liveItems(found)) {
    const { header, type } = item;
    if (type === 'blob-data' && !hasIndex(header, indices.get(`${header.namespace} ${header.key}`) ?? [])) {
      drop(item, 'orphan', true);
    } else if (header.namespace !== NAMESPACE_LIST && !namespaces.has(header.namespace)) {
      drop(item, 'orphan', false);
    } else if (type === 'blob-data' && chunks.get(nameOf(header)) !== item) {
      drop(item, 'duplicate', false);
    }
  }
  for (const item of liveItems(found)) {
    if (item.type === 'blob-index' && !hasAllChunks(item.header, chunks)) {
      drop(item, 'damaged', false);
    }
  }
}

function hasIndex({ chunk }: EntryHeader, indices: readonly FoundItem[]): boolean {
  return indices.some(({ header }) => {
    const { start, count } = readBlobIndexField(header?.field ?? new Uint8Array(8));
    return chunk >= start && chunk < start + count;
  });
}

/** Returns the names of a blob's chunks in their order. */
export function chunkNames(header: EntryHeader): string[] {
  const { start, count } = readBlobIndexField(header.field);
  return Array.from({ length: count }, (_, index) => nameOf({ ...header, chunk: start + index }));
}

function hasAllChunks(header: EntryHeader, chunks: ReadonlyMap<string, FoundItem & { header: EntryHeader }>): boolean {
  const sizes = chunkNames(header).map((name) => {
    const chunk = chunks.get(name);
    return chunk === undefined || chunk.verdict !== 'live' ? Number.NaN : readDataField(chunk.header.field).size;
  });
  return sizes.reduce((sum, size) => sum + size, 0) === readBlobIndexField(header.field).size;
}

/** The library finds the first of several items with one name on different pages. */
function dropLaterDuplicates(found: FoundItems): void {
  const names = new Set<string>();
  for (const item of liveItems(found)) {
    if (item.type !== 'blob-data') {
      const name = nameOf(item.header);
      if (names.has(name)) {
        drop(item, 'duplicate', false);
      }
      names.add(name);
    }
  }
}

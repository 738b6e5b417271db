/**
 * Writes items into a partition as ESP-IDF's library does (ESP-IDF Programming Guide, "Non-Volatile Storage Library",
 * "Log of Key-Value Pairs" and "Pages and Entries"; `PageManager` and `Storage` in its `nvs_flash` component). New items
 * are appended to the last page, then old ones are marked as erased. One page always stays free: the items of the
 * page with the most unused entries move there when space runs out.
 */
import { isErased, isSame } from '../../core/bytes.ts';
import { NvsError } from './nvs-failure.ts';
import { type FoundItem, type FoundPage, findItems, itemData, versionOf } from './nvs-items.ts';
import {
  blobIndexField,
  buildEntry,
  chunkStarts,
  dataEntries,
  dataField,
  ENTRY_COUNT,
  ENTRY_SIZE,
  entryBytes,
  entryOffset,
  entryStateOf,
  type ItemTypeName,
  itemType,
  MAX_CHUNK_SIZE,
  NO_CHUNK,
  type NvsVersion,
  PAGE_SIZE,
  readBlobIndexField,
  readDataField,
  writeEntryState,
  writePageHeader,
  writePageState,
} from './nvs-layout.ts';
import { endedString, type NvsValue, readInteger } from './nvs-value.ts';
import { type SectorWrite, SectorWrites } from './sector-writes.ts';

/** Chunks below a tenth of a page are not worth a start on it (`Storage::writeMultiPageBlob`). */
const MIN_FIRST_CHUNK = MAX_CHUNK_SIZE / 10;

export interface LogItem {
  page: LogPage;
  index: number;
  readonly span: number;
  readonly namespace: number;
  /** Null for an entry with an unknown type or wrong data, which is moved as it is. */
  readonly type: ItemTypeName | null;
  readonly chunk: number;
  /** One character for each byte. */
  readonly key: string;
  /** Eight bytes at the end of the first entry. */
  readonly field: Uint8Array;
}

interface LogPage {
  readonly sector: number;
  /** `new`: assigned, with a header that the first item brings. */
  state: 'new' | 'active' | 'full' | 'freeing';
  sequence: number;
  /** First entry that can be written. */
  next: number;
  /** Written entries. */
  used: number;
  /** Sorted by index. */
  items: LogItem[];
}

interface NewItem {
  readonly namespace: number;
  readonly type: ItemTypeName;
  readonly chunk?: number;
  readonly key: string;
  readonly field: Uint8Array;
  readonly data?: Uint8Array;
}

export class NvsLog {
  readonly image: Uint8Array;
  /** Version of every page and item that is written. */
  readonly version: NvsVersion;
  readonly #writes: SectorWrites;
  readonly #reserved: number;
  /** Pages by sequence number. */
  readonly #pages: LogPage[] = [];
  /** Sectors without a page, in the order of their use. */
  readonly #free: number[] = [];
  readonly #byName = new Map<string, LogItem[]>();
  #sequence = 0;

  /**
   * Opens a partition and repairs it as the library does at its start. Hidden duplicates are removed as well.
   *
   * @param image Readable or empty. It is copied.
   * @param reserved Pages that stay free: one, or none in a partition that firmware only reads.
   * @param version Version of an erased partition. Others keep their own.
   * @throws NvsError `nvs-no-free-page`, `nvs-sequence-end` or `nvs-full`.
   */
  constructor(image: Uint8Array, reserved: 0 | 1 = 1, version: NvsVersion = 2) {
    this.image = image.slice();
    this.#reserved = reserved;
    this.#writes = new SectorWrites(this.image);
    const found = findItems(this.image);
    this.version = found.order.length === 0 ? version : versionOf(found);
    const loaded = new Map(found.order.map((page) => [page, this.#load(page)]));
    this.#pages.push(...loaded.values());
    this.#free.push(...found.pages.filter((page) => !loaded.has(page)).map(({ sector }) => sector));
    this.#sequence = this.#pages.length === 0 ? 0 : (this.#pages.at(-1)?.sequence ?? 0) + 1;
    for (const [page, target] of loaded) {
      this.#repair(page, target);
    }
    for (const page of this.#pages) {
      for (const item of page.items.filter(({ type }) => type === 'blob-data')) {
        if (!this.#hasIndex(item)) {
          this.#erase(item);
        }
      }
    }
    const freeing = found.freeing === null ? undefined : loaded.get(found.freeing);
    if (freeing !== undefined) {
      this.#finishFreeing(freeing, found.hasUnfinishedCopy);
    }
    if (this.#pages.length === 0) {
      this.#activate();
    } else if (this.#free.length < reserved) {
      throw new NvsError('nvs-no-free-page');
    }
  }

  get pageCount(): number {
    return this.image.length / PAGE_SIZE;
  }

  /** Returns the items with a key in the order in which the library finds them. Chunks of blobs are not among them. */
  find(namespace: number, key: string): LogItem[] {
    return this.#sorted((this.#byName.get(nameOf(namespace, key)) ?? []).filter(({ type }) => type !== 'blob-data'));
  }

  /** Returns all items of a namespace, in the library's order. */
  itemsOf(namespace: number): LogItem[] {
    return this.#pages.flatMap(({ items }) => items.filter((item) => item.namespace === namespace));
  }

  /** Returns the indices of namespaces that items use, also those of namespaces that do not exist. */
  usedNamespaces(): Set<number> {
    return new Set(this.#pages.flatMap(({ items }) => items.map(({ namespace }) => namespace)));
  }

  /**
   * Appends an item that is no blob.
   *
   * @param data Data of a string with its NUL.
   * @throws NvsError `nvs-full`.
   */
  append(item: NewItem): void {
    const span = 1 + dataEntries(item.data?.length ?? 0);
    if (!this.#fits(span)) {
      this.#requestPage(span);
    }
    this.#write(item);
  }

  /**
   * Appends a blob: in version 1 as one item, in version 2 its chunks and then its index.
   *
   * @param start Index of the first chunk: the one that the blob's older version does not use.
   * @throws NvsError `nvs-full`.
   */
  appendBlob(namespace: number, key: string, bytes: Uint8Array, start: number): void {
    if (this.version === 1) {
      this.append({ namespace, type: 'blob', key, field: dataField(bytes), data: bytes });
      return;
    }
    let at = 0;
    let count = 0;
    let requests = 0;
    const request = () => {
      if (++requests > this.pageCount + 1) {
        throw new NvsError('nvs-full');
      }
      this.#requestPage(1);
    };
    do {
      const room = this.#room();
      const isTooSmall = room < bytes.length || (room === 0 && bytes.length === 0);
      if (count === 0 && isTooSmall && room < MIN_FIRST_CHUNK) {
        request();
        continue;
      }
      if (room === 0) {
        throw new NvsError('nvs-full');
      }
      const data = bytes.subarray(at, at + room);
      this.#write({ namespace, type: 'blob-data', chunk: start + count, key, field: dataField(data), data });
      at += data.length;
      count++;
      if (at < bytes.length || room - data.length < ENTRY_SIZE) {
        request();
      }
    } while (at < bytes.length || count === 0);
    if (!this.#fits(1)) {
      throw new NvsError('nvs-full');
    }
    const field = blobIndexField({ size: bytes.length, count, start });
    this.#write({ namespace, type: 'blob-index', key, field });
  }

  /** Marks an item as erased, and then the chunks of a blob. */
  remove(item: LogItem): void {
    const chunks = this.#chunksOf(item);
    this.#erase(item);
    for (const chunk of chunks) {
      this.#erase(chunk);
    }
  }

  /** Returns true if the item has this value. */
  holds(item: LogItem, value: NvsValue): boolean {
    if ('value' in value) {
      return item.type === value.type && readInteger(value.type, item.field) === value.value;
    }
    if (value.type === 'str') {
      return item.type === 'str' && isSame(this.#dataOf(item), endedString(value.bytes));
    }
    const parts = item.type === 'blob' ? [item] : this.#chunksOf(item);
    const size = parts.reduce((sum, part) => sum + this.#dataOf(part).length, 0);
    let at = 0;
    return (
      parts.length > 0 &&
      size === value.bytes.length &&
      parts.every((part) => {
        const data = this.#dataOf(part);
        at += data.length;
        return isSame(data, value.bytes.subarray(at - data.length, at));
      })
    );
  }

  /** Returns the writes of all changes. */
  finish(): SectorWrite[] {
    return this.#writes.finish();
  }

  /** Returns the chunks of a blob in their order; none for other items. */
  #chunksOf(item: LogItem): LogItem[] {
    if (item.type !== 'blob-index') {
      return [];
    }
    const { start, count } = readBlobIndexField(item.field);
    return (this.#byName.get(nameOf(item.namespace, item.key)) ?? [])
      .filter(({ type, chunk }) => type === 'blob-data' && chunk >= start && chunk < start + count)
      .sort((one, other) => one.chunk - other.chunk);
  }

  #dataOf({ page, index, field }: LogItem): Uint8Array {
    const bytes = this.image.subarray(page.sector * PAGE_SIZE, (page.sector + 1) * PAGE_SIZE);
    return itemData(bytes, index, readDataField(field).size);
  }

  #load({ sector, state, sequence, next, items }: FoundPage): LogPage {
    const page: LogPage = {
      sector,
      state: state === 'freeing' ? 'freeing' : state === 'active' ? 'active' : 'full',
      sequence,
      next: state === 'active' ? next : ENTRY_COUNT,
      used: 0,
      items: [],
    };
    for (const item of items) {
      this.#add(page, logItemOf(item, page));
    }
    return page;
  }

  #add(page: LogPage, item: LogItem): void {
    page.items.push(item);
    page.used += item.span;
    const name = nameOf(item.namespace, item.key);
    const others = this.#byName.get(name);
    if (others === undefined) {
      this.#byName.set(name, [item]);
    } else {
      others.push(item);
    }
  }

  /** Forgets an item. Its entries in flash are not changed. */
  #drop(item: LogItem): void {
    item.page.items = item.page.items.filter((one) => one !== item);
    item.page.used -= item.span;
    const name = nameOf(item.namespace, item.key);
    const others = (this.#byName.get(name) ?? []).filter((one) => one !== item);
    if (others.length === 0) {
      this.#byName.delete(name);
    } else {
      this.#byName.set(name, others);
    }
  }

  #erase(item: LogItem): void {
    const bytes = this.#writes.begin(item.page.sector);
    for (let index = item.index; index < item.index + item.span; index++) {
      writeEntryState(bytes, index, 'erased');
    }
    this.#drop(item);
  }

  #repair(found: FoundPage, page: LogPage): void {
    const removed = new Set(
      found.items
        .filter(({ isRemovedAtStart, verdict }) => isRemovedAtStart || verdict === 'duplicate')
        .map(({ index }) => index),
    );
    for (const item of page.items.filter(({ index }) => removed.has(index))) {
      this.#erase(item);
    }
    // Entries behind the first empty one are not found, but would be as soon as the gap is filled.
    for (let index = page.next; index < ENTRY_COUNT; index++) {
      if (entryStateOf(found.bytes, index) !== 'empty') {
        writeEntryState(this.#writes.begin(page.sector), index, 'erased');
      }
    }
  }

  /** Moves the items of a page whose move the power interrupted. */
  #finishFreeing(page: LogPage, hasUnfinishedCopy: boolean): void {
    const copy = this.#pages.at(-1);
    if (hasUnfinishedCopy && copy !== undefined) {
      this.#erasePage(copy);
    }
    if (this.#free.length === 0) {
      throw new NvsError('nvs-no-free-page');
    }
    this.#moveToNew(page);
  }

  /** Erases a page and makes its sector free. */
  #erasePage(page: LogPage): void {
    this.#writes.begin(page.sector).fill(0xff);
    for (const item of page.items) {
      this.#drop(item);
    }
    this.#pages.splice(this.#pages.indexOf(page), 1);
    this.#free.push(page.sector);
  }

  #activate(): LogPage {
    const sector = this.#free.shift();
    if (sector === undefined) {
      throw new NvsError('nvs-full');
    }
    if (this.#sequence > 0xffff_fffe) {
      throw new NvsError('nvs-sequence-end');
    }
    const page: LogPage = { sector, state: 'new', sequence: this.#sequence++, next: 0, used: 0, items: [] };
    const bytes = this.image.subarray(sector * PAGE_SIZE, (sector + 1) * PAGE_SIZE);
    if (!isErased(bytes)) {
      this.#writes.begin(sector).fill(0xff);
    }
    this.#pages.push(page);
    return page;
  }

  /**
   * Returns the items of a page in the order of a copy: chunks of blobs first. If a chunk is the last item of the active
   * page, the library takes any earlier chunk of that blob on the page for its older version and erases it at its start
   * (`Page::mLoadEntryTable`, which searches without a chunk index).
   */
  #copyOrder({ items }: LogPage): LogItem[] {
    const rank = (item: LogItem) => (item.type !== 'blob-data' ? 2 : Number(this.#hasIndex(item)));
    return items.toSorted((one, other) => rank(one) - rank(other));
  }

  /** Returns true if the index of a blob lists this chunk. */
  #hasIndex({ namespace, key, chunk }: LogItem): boolean {
    return this.find(namespace, key).some(({ type, field }) => {
      const { start, count } = readBlobIndexField(field);
      return type === 'blob-index' && chunk >= start && chunk < start + count;
    });
  }

  #moveToNew(page: LogPage): void {
    const target = this.#activate();
    for (const item of this.#copyOrder(page)) {
      const from = this.image.subarray(page.sector * PAGE_SIZE, (page.sector + 1) * PAGE_SIZE);
      const raw = entryBytes(from, item.index, item.span).slice();
      const index = this.#writeRaw(target, raw);
      this.#drop(item);
      item.page = target;
      item.index = index;
      this.#add(target, item);
    }
    this.#erasePage(page);
  }

  #current(): LogPage {
    return this.#pages.at(-1) ?? this.#activate();
  }

  #fits(span: number): boolean {
    const page = this.#current();
    return page.state !== 'full' && page.state !== 'freeing' && page.next + span <= ENTRY_COUNT;
  }

  /** Returns the bytes of data that an item on the current page can have. */
  #room(): number {
    const page = this.#current();
    return page.state === 'full' ? 0 : Math.max(0, ENTRY_COUNT - page.next - 1) * ENTRY_SIZE;
  }

  /**
   * Closes the current page and starts another one. If only the reserved page is free, the items of the page with the
   * most unused entries move there (`PageManager::requestNewPage`).
   */
  #requestPage(span: number): void {
    const current = this.#current();
    if (current.state === 'active') {
      writePageState(this.#writes.begin(current.sector), 'full');
      current.state = 'full';
    }
    if (this.#free.length > this.#reserved) {
      this.#activate();
      return;
    }
    const [fewest] = this.#pages.toSorted((one, other) => one.used - other.used);
    if (fewest === undefined || fewest.used + span > ENTRY_COUNT) {
      throw new NvsError('nvs-full');
    }
    writePageState(this.#writes.begin(fewest.sector), 'freeing');
    fewest.state = 'freeing';
    this.#moveToNew(fewest);
  }

  #write({ namespace, type, chunk = NO_CHUNK, key, field, data = new Uint8Array() }: NewItem): void {
    const page = this.#current();
    const span = 1 + dataEntries(data.length);
    const raw = new Uint8Array(span * ENTRY_SIZE).fill(0xff);
    raw.set(buildEntry({ namespace, type: itemType[type], span, chunk, key, field }));
    raw.set(data, ENTRY_SIZE);
    const index = this.#writeRaw(page, raw);
    this.#add(page, { page, index, span, namespace, type, chunk, key, field: raw.slice(24, 32) });
  }

  /** Appends entries to a page. Returns the number of the first. */
  #writeRaw(page: LogPage, raw: Uint8Array): number {
    const bytes = this.#writes.begin(page.sector);
    if (page.state === 'new') {
      writePageHeader(bytes, page.sequence, this.version);
      page.state = 'active';
    }
    const index = page.next;
    const span = raw.length / ENTRY_SIZE;
    bytes.set(raw, entryOffset(index));
    for (let entry = index; entry < index + span; entry++) {
      writeEntryState(bytes, entry, 'written');
    }
    page.next += span;
    return index;
  }

  #sorted(items: readonly LogItem[]): LogItem[] {
    if (items.length < 2) {
      return [...items];
    }
    const places = new Map(this.#pages.map((page, place) => [page, place * ENTRY_COUNT]));
    const placeOf = ({ page, index }: LogItem) => (places.get(page) ?? 0) + index;
    return items.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** Returns the first chunk index for the next version of a blob (`VerOffset`). @param before Index of the current version. */
export function nextChunkStart(before: LogItem | undefined): number {
  const [first, second] = chunkStarts;
  return before?.type === 'blob-index' && readBlobIndexField(before.field).start === first ? second : first;
}

function nameOf(namespace: number, key: string): string {
  return `${namespace} ${key}`;
}

/** Entries that are not readable have a namespace of their own, so that no name finds them. */
function logItemOf({ index, span, header, type, fault }: FoundItem, page: LogPage): LogItem {
  if (header === null) {
    return { page, index, span, namespace: -1, type: null, chunk: NO_CHUNK, key: '', field: new Uint8Array(8) };
  }
  const { namespace, chunk, key, field } = header;
  const known = fault === null || fault === 'data-crc' ? type : null;
  return { page, index, span, namespace, type: known, chunk, key, field: field.slice() };
}

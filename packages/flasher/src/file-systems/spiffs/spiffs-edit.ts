/**
 * A change of a SPIFFS image. Pages are rewritten where they are, because flash is erased and written in sectors anyway; a
 * page moves only if the file needs more of them.
 *
 * Free pages stay at the end of each block: the driver's garbage collector stops at the first free entry of a lookup and
 * would erase pages behind it (spiffs src/spiffs_gc.c, "scan logic").
 */
import { viewOf } from '../../core/bytes.ts';
import { FileSystemError } from '../file-system-error.ts';
import { encodeName } from '../paths.ts';
import {
  dataAt,
  dataFlags,
  deletedId,
  fileType,
  freeId,
  type Geometry,
  indexBit,
  indexFlags,
  nameAt,
  type PageHeader,
  pageFlag,
  sizeAt,
  spareBlocks,
  typeAt,
  undefinedSize,
} from './layout.ts';
import { pageState, type SpiffsContents, type SpiffsObject } from './objects.ts';

/** Longest file in pages: a span has 16 bits. */
const maxSpans = 0xffff;

export class SpiffsEdit {
  readonly image: Uint8Array;
  readonly #geometry: Geometry;
  readonly #touched: Set<number>;
  readonly #view: DataView;
  readonly #states: Uint8Array;
  readonly #ids: ReadonlySet<number>;
  /** Pages to allocate next, the best first; null until one is needed. */
  #slots: number[] | null = null;

  /**
   * @param image Copied. Blocks whose erase was cut off are erased, as the driver does when it mounts.
   * @param touched Blocks that earlier changes wrote to. Those of this change are added.
   */
  constructor(image: Uint8Array, touched: Set<number>, geometry: Geometry, contents: SpiffsContents) {
    this.image = image.slice();
    this.#touched = touched;
    this.#geometry = geometry;
    this.#view = viewOf(this.image);
    this.#states = contents.states.slice();
    this.#ids = contents.ids;
    for (const block of contents.damagedBlocks) {
      eraseBlock(this.image, geometry, block);
      this.#setFree(block);
    }
  }

  /**
   * Writes a file.
   *
   * @param before The file that is replaced; null for a new one.
   */
  store(name: string, bytes: Uint8Array, before: SpiffsObject | null): void {
    const geometry = this.#geometry;
    const dataCount = geometry.dataPagesFor(bytes.length);
    if (dataCount > maxSpans) {
      throw new FileSystemError('file-too-large', name);
    }
    const id = before?.id ?? this.#unusedId();
    const indexCount = geometry.indexPagesFor(dataCount);
    const [oldIndex, oldData] = [before?.indexPages ?? [], before?.dataPages ?? []];
    this.#release([...oldIndex.slice(indexCount), ...oldData.slice(dataCount), ...(before?.strayPages ?? [])]);
    const indexPages = this.#extend(oldIndex, indexCount, id | indexBit);
    const dataPages = this.#extend(oldData, dataCount, id);
    for (const [span, page] of dataPages.entries()) {
      const data = bytes.subarray(span * geometry.dataPerPage, (span + 1) * geometry.dataPerPage);
      this.#erasedPage(page, { id, span, flags: dataFlags }).set(data, dataAt);
    }
    for (const [span, page] of indexPages.entries()) {
      this.#putIndex(page, span, id, before !== null && span < oldIndex.length);
    }
    const [headerPage] = indexPages;
    if (headerPage !== undefined) {
      const at = geometry.pageOffset(headerPage);
      this.#view.setUint32(at + sizeAt, bytes.length === 0 ? undefinedSize : bytes.length, true);
      this.image[at + typeAt] = before?.type ?? fileType;
      this.#putName(at, name);
    }
    for (const [span, page] of dataPages.entries()) {
      const { indexSpan, offset } = geometry.tableEntry(span);
      this.#view.setUint16(geometry.pageOffset(indexPages[indexSpan] ?? 0) + offset, page, true);
    }
  }

  rename({ indexPages: [headerPage] }: SpiffsObject, name: string): void {
    this.#putName(this.#geometry.pageOffset(headerPage ?? 0), name);
  }

  remove({ indexPages, dataPages, strayPages }: SpiffsObject): void {
    this.#release([...strayPages, ...dataPages, ...indexPages]);
  }

  /** Names are filled up with NUL. Metadata behind them stay. */
  #putName(headerAt: number, name: string): void {
    const at = headerAt + nameAt;
    this.image.fill(0, at, at + this.#geometry.layout.nameLength);
    this.image.set(encodeName(name), at);
  }

  /** Writes an index page with an empty table. Fields of a header that is kept are left. */
  #putIndex(page: number, span: number, id: number, isKept: boolean): void {
    const at = this.#geometry.pageOffset(page);
    const fields = this.image.slice(at + sizeAt, at + this.#geometry.tableOffset(span));
    this.#erasedPage(page, { id: id | indexBit, span, flags: indexFlags }).set(
      isKept ? fields : fields.fill(0),
      sizeAt,
    );
  }

  /** Erases a page and writes its header. Returns the page. */
  #erasedPage(page: number, { id, span, flags }: PageHeader): Uint8Array {
    const at = this.#geometry.pageOffset(page);
    this.#touched.add(Math.floor(page / this.#geometry.pagesPerBlock));
    const bytes = this.image.subarray(at, at + this.#geometry.layout.pageSize).fill(0xff);
    this.#view.setUint16(at, id, true);
    this.#view.setUint16(at + 2, span, true);
    bytes[4] = flags;
    return bytes;
  }

  /** Marks pages as deleted, in their headers and in the lookup, as the driver does. */
  #release(pages: readonly number[]): void {
    for (const page of pages) {
      this.#touched.add(Math.floor(page / this.#geometry.pagesPerBlock));
      const flagsAt = this.#geometry.pageOffset(page) + 4;
      const flags = this.image[flagsAt] ?? 0;
      const isIndex = (flags & pageFlag.index) === 0;
      this.image[flagsAt] = flags & ~(pageFlag.deleted | (isIndex ? pageFlag.indexDeleted : 0));
      this.#view.setUint16(this.#geometry.lookupOffset(page), deletedId, true);
      this.#states[page] = pageState.deleted;
    }
    this.#slots = null;
  }

  /** Returns `count` pages: those that exist, and new ones. */
  #extend(pages: readonly number[], count: number, id: number): number[] {
    const all = pages.slice(0, count);
    while (all.length < count) {
      this.#slots ??= this.#findSlots();
      const page = this.#slots.shift();
      if (page === undefined) {
        throw new FileSystemError('full');
      }
      const block = Math.floor(page / this.#geometry.pagesPerBlock);
      if (this.#isUnused(block)) {
        eraseBlock(this.image, this.#geometry, block);
        this.#setFree(block);
      }
      this.#states[page] = pageState.used;
      this.#view.setUint16(this.#geometry.lookupOffset(page), id, true);
      all.push(page);
    }
    return all;
  }

  /**
   * Returns the pages that can be written. Blocks that were written to already come first, then those with the most
   * pages, so that few sectors change. The spare blocks of the driver are left out.
   */
  #findSlots(): number[] {
    const { layout } = this.#geometry;
    const blocks = Array.from({ length: layout.blockCount }, (_, block) => ({
      pages: this.#pagesOf(block).filter((page) => this.#states[page] !== pageState.used),
      isUnused: this.#isUnused(block),
      isTouched: this.#touched.has(block),
    })).sort((one, other) => Number(other.isTouched) - Number(one.isTouched) || other.pages.length - one.pages.length);
    let usable = blocks.filter(({ isUnused }) => isUnused).length - spareBlocks;
    return blocks.flatMap(({ pages, isUnused }) => {
      if (isUnused) {
        usable--;
        return usable >= 0 ? pages : [];
      }
      return pages;
    });
  }

  #pagesOf(block: number): number[] {
    return Array.from({ length: this.#geometry.entriesPerBlock }, (_, entry) => this.#geometry.pageOf(block, entry));
  }

  /** Returns true if no page of the block belongs to an object. */
  #isUnused(block: number): boolean {
    return this.#pagesOf(block).every((page) => this.#states[page] !== pageState.used);
  }

  #setFree(block: number): void {
    for (const page of this.#pagesOf(block)) {
      this.#states[page] = pageState.free;
    }
  }

  #unusedId(): number {
    for (let id = 1; id < indexBit - 1; id++) {
      if (!this.#ids.has(id)) {
        return id;
      }
    }
    throw new FileSystemError('full');
  }
}

/** Erases a block and writes its magic number. The count of its erases stays. */
export function eraseBlock(image: Uint8Array, geometry: Geometry, block: number): void {
  const { blockSize, magic } = geometry.layout;
  const view = viewOf(image);
  const magicAt = geometry.magicOffset(block);
  const erases = view.getUint16(magicAt + 2, true);
  image.fill(0xff, block * blockSize, (block + 1) * blockSize);
  if (magic !== 'none') {
    view.setUint16(magicAt, geometry.magicOf(block), true);
  }
  if (geometry.hasRoomForMagic) {
    view.setUint16(magicAt + 2, erases === deletedId ? freeId : erases, true);
  }
}

/**
 * Positions in a SPIFFS image (spiffs docs/TECH_SPEC, "Blocks and pages" and "Objects, indices and look-ups"; field
 * sizes and magic numbers from spiffs src/spiffs_nucleus.h, "object structs"). All numbers are little-endian; ids and indices
 * have 16 bits, as in every port for Espressif's chips.
 */
export type SpiffsMagic = 'none' | 'plain' | 'length';

export interface SpiffsLayout {
  /** In bytes: 256 unless the firmware says otherwise. */
  readonly pageSize: number;
  /** In bytes: 4,096 in ESP-IDF, 8,192 for large flash chips in Arduino's core of the ESP8266. */
  readonly blockSize: number;
  readonly blockCount: number;
  /** `length`: the magic number of a block depends on the number of blocks (SPIFFS_USE_MAGIC_LENGTH). */
  readonly magic: SpiffsMagic;
  /** Bytes of a name with the NUL at its end (SPIFFS_OBJ_NAME_LEN). */
  readonly nameLength: number;
  /** Offset of the page table in an object index header: behind name, metadata and padding. */
  readonly tableAt: number;
}

/** Page header: id 2, span 2, flags 1. Data follow directly; an index is aligned to 4 bytes. */
export const dataAt = 5;
const indexTableAt = 8;
export const sizeAt = 8;
export const typeAt = 12;
export const nameAt = 13;

/** Bit of an object id that marks index pages. Ids of free and deleted pages in a lookup. */
export const indexBit = 0x8000;
export const freeId = 0xffff;
export const deletedId = 0;

/** Size of an object to which nothing was written yet. */
export const undefinedSize = 0xffff_ffff;

/** Object type of a file. */
export const fileType = 1;

/** Flags of a page header. Each is set when its bit is 0, because flash can only clear bits. */
export const pageFlag = { used: 0x01, final: 0x02, index: 0x04, indexDeleted: 0x40, deleted: 0x80 } as const;

export const dataFlags = 0xff & ~(pageFlag.used | pageFlag.final);
export const indexFlags = dataFlags & ~pageFlag.index;

/** Blocks that the driver keeps free to collect garbage: it writes nothing with fewer. */
export const spareBlocks = 2;

/** Counts and positions that follow from a layout. */
export class Geometry {
  readonly layout: SpiffsLayout;
  readonly pagesPerBlock: number;
  readonly lookupPages: number;
  /** Pages of a block with a header: those that a lookup has entries for. */
  readonly entriesPerBlock: number;
  readonly dataPerPage: number;
  /** Entries of the page table in the first index page of an object, and in each further one. */
  readonly headEntries: number;
  readonly indexEntries: number;

  constructor(layout: SpiffsLayout) {
    const { pageSize, blockSize, tableAt } = layout;
    this.layout = layout;
    this.pagesPerBlock = blockSize / pageSize;
    this.lookupPages = Math.max(1, Math.floor((this.pagesPerBlock * 2) / pageSize));
    this.entriesPerBlock = this.pagesPerBlock - this.lookupPages;
    this.dataPerPage = pageSize - dataAt;
    this.headEntries = Math.floor((pageSize - tableAt) / 2);
    this.indexEntries = Math.floor((pageSize - indexTableAt) / 2);
  }

  /** False: entries of the lookup take the place of the magic number. */
  get hasRoomForMagic(): boolean {
    const perPage = this.layout.pageSize / 2;
    return this.entriesPerBlock % perPage <= perPage - 2;
  }

  /** Offset of a page in the image. */
  pageOffset(page: number): number {
    return page * this.layout.pageSize;
  }

  /** Page that entry `entry` of a block's lookup is about. */
  pageOf(block: number, entry: number): number {
    return block * this.pagesPerBlock + this.lookupPages + entry;
  }

  /** Offset of the lookup entry of a page. */
  lookupOffset(page: number): number {
    const block = Math.floor(page / this.pagesPerBlock);
    return block * this.layout.blockSize + 2 * ((page % this.pagesPerBlock) - this.lookupPages);
  }

  /** The last but one entry of the lookup pages. The last one counts erases. */
  magicOffset(block: number): number {
    return block * this.layout.blockSize + this.lookupPages * this.layout.pageSize - 4;
  }

  magicOf(block: number): number {
    const { magic, blockCount, pageSize } = this.layout;
    return (magicBase(pageSize) ^ (magic === 'length' ? blockCount - block : 0)) & 0xffff;
  }

  /** Index page and position in its table for data page `span` of an object. */
  tableEntry(span: number): { readonly indexSpan: number; readonly offset: number } {
    if (span < this.headEntries) {
      return { indexSpan: 0, offset: this.layout.tableAt + 2 * span };
    }
    const rest = span - this.headEntries;
    return {
      indexSpan: 1 + Math.floor(rest / this.indexEntries),
      offset: indexTableAt + 2 * (rest % this.indexEntries),
    };
  }

  /** Offset of the table in index page `indexSpan`. */
  tableOffset(indexSpan: number): number {
    return indexSpan === 0 ? this.layout.tableAt : indexTableAt;
  }

  dataPagesFor(size: number): number {
    return Math.ceil(size / this.dataPerPage);
  }

  indexPagesFor(dataPages: number): number {
    return dataPages === 0 ? 1 : this.tableEntry(dataPages - 1).indexSpan + 1;
  }
}

/** Magic number without the number of blocks (spiffs_nucleus.h, SPIFFS_MAGIC). */
export function magicBase(pageSize: number): number {
  return (0x20140529 ^ pageSize) & 0xffff;
}

export interface PageHeader {
  readonly id: number;
  readonly span: number;
  readonly flags: number;
}

/** @param view The whole image. */
export function readPageHeader(view: DataView, offset: number): PageHeader {
  return {
    id: view.getUint16(offset, true),
    span: view.getUint16(offset + 2, true),
    flags: view.getUint8(offset + 4),
  };
}

/** Returns true for a page that is written completely and not deleted. */
export function isValidPage({ flags }: PageHeader): boolean {
  return (flags & (pageFlag.used | pageFlag.final)) === 0 && (flags & pageFlag.deleted) !== 0;
}

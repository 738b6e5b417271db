/** Loads the objects of a SPIFFS image: files with the pages that belong to them (spiffs docs/TECH_SPEC, "Objects…"). */
import { viewOf } from '../../core/bytes.ts';
import type { EntryFault } from '../file-system.ts';
import { decodeName } from '../paths.ts';
import {
  deletedId,
  freeId,
  type Geometry,
  indexBit,
  isValidPage,
  nameAt,
  pageFlag,
  readPageHeader,
  sizeAt,
  typeAt,
  undefinedSize,
} from './layout.ts';

export interface SpiffsObject {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** Bytes that can be read, or that the header states if the file is damaged. */
  readonly size: number;
  readonly fault: EntryFault | null;
  /** Pages by their span, without gaps. */
  readonly indexPages: readonly number[];
  readonly dataPages: readonly number[];
  /** Pages with the object's id that are not a part of it: copies, and pages behind its end. */
  readonly strayPages: readonly number[];
}

/** States of pages: one byte each, because there are up to 65,535 of them. `none`: a lookup page, or in a damaged block. */
export const pageState = { none: 0, free: 1, deleted: 2, used: 3 } as const;

export interface SpiffsContents {
  readonly objects: readonly SpiffsObject[];
  /** Ids of all pages, also of those without an object. */
  readonly ids: ReadonlySet<number>;
  /** A `pageState` for each page. Pages that belong to no object count as deleted. */
  readonly states: Uint8Array;
  /** Blocks without their magic number: an erase was cut off. */
  readonly damagedBlocks: readonly number[];
}

/** Pages of one object by their span. */
interface ObjectPages {
  readonly index: Map<number, number>;
  readonly data: Map<number, number>;
  readonly all: number[];
}

export function loadObjects(image: Uint8Array, geometry: Geometry): SpiffsContents {
  const view = viewOf(image);
  const { layout } = geometry;
  const present = Math.min(layout.blockCount, Math.floor(image.length / layout.blockSize));
  const states = new Uint8Array(present * geometry.pagesPerBlock);
  const damagedBlocks: number[] = [];
  const pagesOf = new Map<number, ObjectPages>();
  for (let block = 0; block < present; block++) {
    const magic = view.getUint16(geometry.magicOffset(block), true);
    if (layout.magic !== 'none' && magic !== geometry.magicOf(block)) {
      damagedBlocks.push(block);
      continue;
    }
    for (let entry = 0; entry < geometry.entriesPerBlock; entry++) {
      const page = geometry.pageOf(block, entry);
      const id = view.getUint16(geometry.lookupOffset(page), true);
      states[page] = id === freeId ? pageState.free : pageState.deleted;
      if (id === freeId || id === deletedId) {
        continue;
      }
      const header = readPageHeader(view, geometry.pageOffset(page));
      if (header.id === id && isValidPage(header)) {
        const isIndex = (id & indexBit) !== 0;
        const pages: ObjectPages = pagesOf.get(id & ~indexBit) ?? { index: new Map(), data: new Map(), all: [] };
        pagesOf.set(id & ~indexBit, pages);
        pages.all.push(page);
        const spans = isIndex ? pages.index : pages.data;
        // The page flag and the id's bit must agree. Of two copies, the first one counts.
        if (isIndex === ((header.flags & pageFlag.index) === 0) && !spans.has(header.span)) {
          spans.set(header.span, page);
        }
      }
    }
  }
  const objects = [...pagesOf].flatMap(([id, pages]) => loadObject(view, geometry, id, pages) ?? []);
  for (const page of objects.flatMap(({ indexPages, dataPages }) => [...indexPages, ...dataPages])) {
    states[page] = pageState.used;
  }
  return { objects, ids: new Set(pagesOf.keys()), states, damagedBlocks };
}

/** Returns null for pages without a header of their object, and for an object whose removal was cut off. */
function loadObject(view: DataView, geometry: Geometry, id: number, pages: ObjectPages): SpiffsObject | null {
  const headerPage = pages.index.get(0);
  if (headerPage === undefined) {
    return null;
  }
  const at = geometry.pageOffset(headerPage);
  if ((readPageHeader(view, at).flags & pageFlag.indexDeleted) === 0) {
    return null;
  }
  const stated = view.getUint32(at + sizeAt, true);
  const nameBytes = bytesOf(view, at + nameAt, geometry.layout.tableAt - nameAt);
  const nameEnd = nameBytes.indexOf(0);
  const wanted = stated === undefinedSize ? Number.POSITIVE_INFINITY : geometry.dataPagesFor(stated);
  const { index, data } = pages;
  const dataPages: number[] = [];
  for (let span = 0; span < wanted; span++) {
    const page = listedPage(view, geometry, id, span, pages) ?? data.get(span);
    if (page === undefined) {
      break;
    }
    dataPages.push(page);
  }
  const indexPages: number[] = [];
  for (let span = 0; span < geometry.indexPagesFor(dataPages.length); span++) {
    const page = index.get(span);
    if (page === undefined) {
      break;
    }
    indexPages.push(page);
  }
  const own = new Set([...indexPages, ...dataPages]);
  const isWhole = stated !== undefinedSize && dataPages.length === wanted;
  const isCut = [...data.keys()].every((span) => span < dataPages.length || span >= wanted);
  const isEmpty = stated === undefinedSize && dataPages.length === 0;
  return {
    id,
    name: decodeName(nameEnd < 0 ? nameBytes : nameBytes.subarray(0, nameEnd)),
    type: view.getUint8(at + typeAt),
    size: isWhole || !isCut ? (stated === undefinedSize ? 0 : stated) : dataPages.length * geometry.dataPerPage,
    fault: isWhole || (isEmpty && isCut) ? null : isCut ? 'wrong-length' : 'damaged',
    indexPages,
    dataPages,
    strayPages: pages.all.filter((page) => !own.has(page)),
  };
}

/** Returns the data page that the table of the object names, if it is right. */
function listedPage(
  view: DataView,
  geometry: Geometry,
  id: number,
  span: number,
  { index, data }: ObjectPages,
): number | undefined {
  const { indexSpan, offset } = geometry.tableEntry(span);
  const indexPage = index.get(indexSpan);
  if (indexPage === undefined || span > 0xffff) {
    return undefined;
  }
  const page = view.getUint16(geometry.pageOffset(indexPage) + offset, true);
  const at = geometry.pageOffset(page);
  const isLookup = page % geometry.pagesPerBlock < geometry.lookupPages;
  if (page === data.get(span) || isLookup || at + geometry.layout.pageSize > view.byteLength) {
    return undefined;
  }
  const header = readPageHeader(view, at);
  const lookup = view.getUint16(geometry.lookupOffset(page), true);
  return header.id === id && lookup === id && header.span === span && isValidPage(header) ? page : undefined;
}

function bytesOf(view: DataView, at: number, length: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + at, length);
}

/** @param object Not `damaged`. */
export function readObject(image: Uint8Array, geometry: Geometry, { size, dataPages }: SpiffsObject): Uint8Array {
  const content = new Uint8Array(size);
  for (const [span, page] of dataPages.entries()) {
    const at = span * geometry.dataPerPage;
    const from = geometry.pageOffset(page) + geometry.layout.pageSize - geometry.dataPerPage;
    content.set(image.subarray(from, from + Math.min(geometry.dataPerPage, size - at)), at);
  }
  return content;
}

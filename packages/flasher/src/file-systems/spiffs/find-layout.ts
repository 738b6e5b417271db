/**
 * Finds out the parameters of a SPIFFS image. They are compiled into the firmware and are not on flash (ESP-IDF Programming
 * Guide, "SPIFFS Filesystem"), so they follow from magic numbers, lookups and the first pages of files.
 */
import { viewOf } from '../../core/bytes.ts';
import {
  deletedId,
  freeId,
  Geometry,
  indexBit,
  isValidPage,
  magicBase,
  nameAt,
  readPageHeader,
  type SpiffsLayout,
  sizeAt,
  spareBlocks,
  undefinedSize,
} from './layout.ts';

export const pageSizes = [256, 512, 1_024, 2_048, 128] as const;
export const blockSizes = [4_096, 8_192, 16_384, 32_768, 65_536] as const;

export const usualNameLength = 32;

/**
 * Offsets of the page table behind a name of 32 bytes, most usual first: 49 in ESP-IDF and Arduino for ESP32 (4 bytes of
 * metadata), 46 in Arduino's core of the ESP8266 (none, aligned), 45 and 50 for the other combinations.
 */
export const usualTables = [49, 46, 45, 50] as const;

export interface FoundLayout {
  readonly layout: SpiffsLayout;
  /** True: no file shows where the page table starts. */
  readonly isAssumed: boolean;
}

/**
 * @param assumedTable Offset of the page table if no file shows it; null for the usual one.
 * @returns Null if nothing looks like SPIFFS.
 */
export function findLayout(image: Uint8Array, assumedTable: number | null): FoundLayout | null {
  const found = findByMagic(image) ?? findByLookups(image);
  if (found === null) {
    return null;
  }
  const tableAt = findTable(image, new Geometry(found));
  const usual = found.blockSize > 4_096 ? 46 : 49;
  const layout = { ...found, tableAt: tableAt ?? assumedTable ?? usual };
  const nameLength = Math.min(Math.max(usualNameLength, longestName(image, layout) + 1), layout.tableAt - nameAt);
  return { layout: { ...layout, nameLength }, isAssumed: tableAt === null };
}

/** Parameters without those of names and metadata. */
function withBlocks(pageSize: number, blockSize: number, blockCount: number, magic: SpiffsLayout['magic']) {
  return { pageSize, blockSize, blockCount, magic, nameLength: usualNameLength, tableAt: usualTables[0] };
}

function findByMagic(image: Uint8Array): SpiffsLayout | null {
  const view = viewOf(image);
  let best: SpiffsLayout | null = null;
  let bestBytes = 0;
  const propose = (layout: SpiffsLayout, matches: number) => {
    const present = Math.min(layout.blockCount, Math.floor(image.length / layout.blockSize));
    // A smaller block that explains as much of the image wins: it comes first.
    if (
      layout.blockCount > spareBlocks &&
      matches >= 2 &&
      matches * 2 >= present &&
      matches * layout.blockSize > bestBytes
    ) {
      best = layout;
      bestBytes = matches * layout.blockSize;
    }
  };
  for (const pageSize of pageSizes) {
    for (const blockSize of blockSizes) {
      const geometry = new Geometry(withBlocks(pageSize, blockSize, 0, 'plain'));
      const count = Math.floor(image.length / blockSize);
      const counts = new Map<number, number>();
      let plain = 0;
      for (let block = 0; block < count && geometry.hasRoomForMagic; block++) {
        const rest = view.getUint16(geometry.magicOffset(block), true) ^ magicBase(pageSize);
        plain += rest === 0 ? 1 : 0;
        if (rest !== 0) {
          counts.set(rest + block, (counts.get(rest + block) ?? 0) + 1);
        }
      }
      propose(withBlocks(pageSize, blockSize, count, 'plain'), plain);
      for (const [blockCount, matches] of counts) {
        propose(withBlocks(pageSize, blockSize, blockCount, 'length'), matches);
      }
    }
  }
  return best;
}

/** Without magic numbers: each used entry of a lookup has the id that is in the header of its page. */
function findByLookups(image: Uint8Array): SpiffsLayout | null {
  const view = viewOf(image);
  let best: SpiffsLayout | null = null;
  let mostMatches = 1;
  for (const pageSize of pageSizes) {
    for (const blockSize of blockSizes) {
      const layout = withBlocks(pageSize, blockSize, Math.floor(image.length / blockSize), 'none');
      const geometry = new Geometry(layout);
      let matches = 0;
      let mismatches = 0;
      for (let block = 0; block < layout.blockCount; block++) {
        for (let entry = 0; entry < geometry.entriesPerBlock; entry++) {
          const page = geometry.pageOf(block, entry);
          const id = view.getUint16(geometry.lookupOffset(page), true);
          if (id !== freeId && id !== deletedId) {
            const header = readPageHeader(view, geometry.pageOffset(page));
            const isMatch = header.id === id && isValidPage(header);
            matches += isMatch ? 1 : 0;
            mismatches += isMatch ? 0 : 1;
          }
        }
      }
      if (matches > mostMatches && matches > 10 * mismatches) {
        best = layout;
        mostMatches = matches;
      }
    }
  }
  return best;
}

/** Offsets of the valid object index headers. */
function* headersOf(image: Uint8Array, geometry: Geometry): Generator<number> {
  const view = viewOf(image);
  const { blockSize, blockCount } = geometry.layout;
  const present = Math.min(blockCount, Math.floor(image.length / blockSize));
  for (let block = 0; block < present; block++) {
    for (let entry = 0; entry < geometry.entriesPerBlock; entry++) {
      const page = geometry.pageOf(block, entry);
      const id = view.getUint16(geometry.lookupOffset(page), true);
      if (id === freeId || (id & indexBit) === 0) {
        continue;
      }
      const header = readPageHeader(view, geometry.pageOffset(page));
      if (header.id === id && header.span === 0 && isValidPage(header)) {
        yield geometry.pageOffset(page);
      }
    }
  }
}

/** Files whose tables are compared are limited, because each is tried at every offset. */
const comparedFiles = 32;

/** Returns the offset at which tables point to the most data pages; null if there are no data. */
function findTable(image: Uint8Array, geometry: Geometry): number | null {
  const { pageSize } = geometry.layout;
  const headers = [...headersOf(image, geometry)]
    .filter((offset) => ![0, undefinedSize].includes(viewOf(image).getUint32(offset + sizeAt, true)))
    .slice(0, comparedFiles);
  const others = Array.from({ length: pageSize - nameAt - 2 }, (_, index) => nameAt + 1 + index);
  let best: number | null = null;
  let mostMatches = 0;
  for (const tableAt of [...usualTables, ...others]) {
    const matches = headers.reduce((sum, offset) => sum + tableMatches(image, geometry, offset, tableAt), 0);
    if (matches > mostMatches) {
      best = tableAt;
      mostMatches = matches;
    }
  }
  return best;
}

/** Returns the number of entries from the start of the table that point to the right data pages. */
function tableMatches(image: Uint8Array, geometry: Geometry, headerAt: number, tableAt: number): number {
  const view = viewOf(image);
  const { pageSize } = geometry.layout;
  const id = view.getUint16(headerAt, true) & ~indexBit;
  const count = Math.min(
    geometry.dataPagesFor(view.getUint32(headerAt + sizeAt, true)),
    Math.floor((pageSize - tableAt) / 2),
  );
  for (let span = 0; span < count; span++) {
    const offset = geometry.pageOffset(view.getUint16(headerAt + tableAt + 2 * span, true));
    if (offset + pageSize > image.length) {
      return span;
    }
    const header = readPageHeader(view, offset);
    if (header.id !== id || header.span !== span) {
      return span;
    }
  }
  return count;
}

function longestName(image: Uint8Array, layout: SpiffsLayout): number {
  let longest = 0;
  for (const offset of headersOf(image, new Geometry(layout))) {
    const end = image.subarray(offset + nameAt, offset + layout.tableAt).indexOf(0);
    longest = Math.max(longest, end);
  }
  return longest;
}

/** Recognises images of data partitions by the start of their formats. The stored data is not read. */
import { asciiBytes, hasBytesAt, isErased, viewOf } from '../../core/bytes.ts';
import { readBootSector } from '../../file-systems/fat/boot-sector.ts';
import { FileSystemError } from '../../file-systems/file-system-error.ts';
import { findSuperblock } from '../../file-systems/littlefs/superblock.ts';
import { blockSizes, pageSizes, usualNameLength, usualTables } from '../../file-systems/spiffs/find-layout.ts';
import { Geometry, magicBase } from '../../file-systems/spiffs/layout.ts';
import { hasPageHeader, PAGE_HEADER_SIZE } from '../nvs/nvs-layout.ts';

const SECTOR = 0x1000;
const littleFsMark = asciiBytes('littlefs');
const fatMark = asciiBytes('FAT');
const bootSectorMark = Uint8Array.of(0x55, 0xaa);
/** Bytes that hold the superblock of LittleFS with blocks of up to 64 KiB. */
const SUPERBLOCK_SAMPLE = 0x20000;

export interface FoundFileSystem {
  readonly format: 'littlefs' | 'fat' | 'spiffs';
  /** Position of its first sector in the bytes. Wear levelling moves FAT by one sector. */
  readonly at: number;
  /** Size in bytes that the file system itself states; null if it states none. */
  readonly size: number | null;
}

/** Returns true if the first page that is not erased is a page of NVS, which has a CRC in its header. */
export function isNvsImage(bytes: Uint8Array): boolean {
  for (let at = 0; at + PAGE_HEADER_SIZE <= bytes.length; at += SECTOR) {
    const header = bytes.subarray(at, at + PAGE_HEADER_SIZE);
    if (!isErased(header)) {
      return hasPageHeader(header);
    }
  }
  return false;
}

/** Recognises a file system at the start of a file. */
export function fileSystemOf(bytes: Uint8Array): FoundFileSystem | null {
  const first = fileSystemAt(bytes, 0);
  const second = first === null ? fileSystemAt(bytes, SECTOR) : null;
  return first ?? (second?.format === 'spiffs' ? null : second);
}

/**
 * Recognises a file system that begins at a sector: LittleFS by its superblock (LittleFS, SPEC.md, "Superblock"), FAT by
 * its boot sector, SPIFFS by the magic numbers of its blocks.
 */
export function fileSystemAt(bytes: Uint8Array, at: number): FoundFileSystem | null {
  if ([8, 12].some((place) => hasBytesAt(bytes, at + place, littleFsMark))) {
    return { format: 'littlefs', at, size: littleFsSize(bytes.subarray(at, at + SUPERBLOCK_SAMPLE)) };
  }
  const isFat =
    hasBytesAt(bytes, at + 510, bootSectorMark) &&
    (hasBytesAt(bytes, at + 54, fatMark) || hasBytesAt(bytes, at + 82, fatMark));
  if (isFat) {
    return { format: 'fat', at, size: readBootSector(bytes.subarray(at, at + 512))?.size ?? null };
  }
  const size = spiffsSize(bytes, at);
  return size === null ? null : { format: 'spiffs', at, size };
}

function littleFsSize(bytes: Uint8Array): number | null {
  try {
    const superblock = findSuperblock(bytes);
    return superblock === null ? null : superblock.blockSize * superblock.blockCount;
  } catch (error) {
    if (error instanceof FileSystemError) {
      return null;
    }
    throw error;
  }
}

/** Blocks whose magic numbers have to agree. Two of them could do so by accident once in 65,536 files. */
const COMPARED_BLOCKS = 4;

/**
 * Returns the size of SPIFFS by its magic numbers, which count the blocks down to the last one (spiffs_nucleus.h,
 * SPIFFS_MAGIC with SPIFFS_USE_MAGIC_LENGTH). Null for other data, and for SPIFFS without magic numbers.
 */
function spiffsSize(bytes: Uint8Array, at: number): number | null {
  const view = viewOf(bytes);
  for (const pageSize of pageSizes) {
    for (const blockSize of blockSizes) {
      const geometry = new Geometry({
        ...{ pageSize, blockSize, blockCount: 0, magic: 'length' },
        ...{ nameLength: usualNameLength, tableAt: usualTables[0] },
      });
      const leftAt = (block: number): number | null => {
        const place = at + geometry.magicOffset(block);
        return place + 2 > bytes.length ? null : view.getUint16(place, true) ^ magicBase(pageSize);
      };
      const count = geometry.hasRoomForMagic ? (leftAt(0) ?? 0) : 0;
      const compared = Math.min(count, COMPARED_BLOCKS);
      const agree = Array.from({ length: compared }, (_, block) => leftAt(block) === count - block);
      if (compared >= COMPARED_BLOCKS - 1 && agree.every(Boolean)) {
        return count * blockSize;
      }
    }
  }
  return null;
}

/** Recognises images of data partitions by the start of their formats. The stored data is not read. */
import { asciiBytes, hasBytesAt, isErased } from '../../core/bytes.ts';
import { hasPageHeader, PAGE_HEADER_SIZE } from '../nvs/nvs-layout.ts';

const SECTOR = 0x1000;
const littleFsMark = asciiBytes('littlefs');
const fatMark = asciiBytes('FAT');
const bootSectorMark = Uint8Array.of(0x55, 0xaa);

export type FileSystem = 'littlefs' | 'fat';

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

/**
 * Recognises LittleFS by its superblock in one of the first two blocks (LittleFS, SPEC.md, "Superblock"). Recognises
 * FAT by its boot sector, which wear levelling moves by one sector. SPIFFS has no signature.
 */
export function fileSystemOf(bytes: Uint8Array): FileSystem | null {
  const starts = [0, SECTOR];
  if (starts.some((at) => hasBytesAt(bytes, at + 8, littleFsMark))) {
    return 'littlefs';
  }
  const isFat = (at: number) =>
    hasBytesAt(bytes, at + 510, bootSectorMark) &&
    (hasBytesAt(bytes, at + 54, fatMark) || hasBytesAt(bytes, at + 82, fatMark));
  return starts.some(isFat) ? 'fat' : null;
}

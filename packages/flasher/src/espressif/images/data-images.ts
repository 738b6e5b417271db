/** Recognises images of data partitions by the start of their formats. The stored data is not read. */
import { asciiBytes, hasBytesAt, isErased, viewOf } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';

const SECTOR = 0x1000;
const NVS_HEADER_SIZE = 32;
/**
 * Page states of NVS: active, full, freeing, corrupt (ESP-IDF, "Non-Volatile Storage Library", "Pages and Entries").
 */
const nvsStates = [0xffff_fffe, 0xffff_fffc, 0xffff_fff8, 0xffff_fff0];
const littleFsMark = asciiBytes('littlefs');
const fatMark = asciiBytes('FAT');
const bootSectorMark = Uint8Array.of(0x55, 0xaa);

export type FileSystem = 'littlefs' | 'fat';

/** Returns true if the first page that is not erased is a page of NVS, which has a CRC in its header. */
export function isNvsImage(bytes: Uint8Array): boolean {
  for (let at = 0; at + NVS_HEADER_SIZE <= bytes.length; at += SECTOR) {
    if (!isErased(bytes.subarray(at, at + NVS_HEADER_SIZE))) {
      return isNvsPage(bytes, at);
    }
  }
  return false;
}

function isNvsPage(bytes: Uint8Array, at: number): boolean {
  const view = viewOf(bytes);
  return (
    nvsStates.includes(view.getUint32(at, true)) &&
    view.getUint32(at + 28, true) === crc32(bytes.subarray(at + 4, at + 28), 0xffff_ffff)
  );
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

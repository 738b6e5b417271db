/** Opens the file system of an image, and makes empty ones. */

import { FatFs } from './fat/fat-fs.ts';
import { formatFat } from './fat/format-fat.ts';
import type { FileSystem, FileSystemKind, NewFile } from './file-system.ts';
import { FileSystemError } from './file-system-error.ts';
import { formatLittleFs, LittleFs } from './littlefs/little-fs.ts';
import { formatSpiffs, Spiffs } from './spiffs/spiffs.ts';

/**
 * Recognises the file system by its contents. The subtype of a partition is not asked: Arduino keeps LittleFS in partitions
 * of the type for SPIFFS.
 *
 * @param image Copied. The partition, or an image file.
 * @throws FileSystemError with `no-file-system`, or the fault of a damaged or too old LittleFS.
 */
export function openFileSystem(image: Uint8Array): FileSystem {
  // SPIFFS is last, because it may be recognised without a magic number.
  for (const Kind of [LittleFs, FatFs]) {
    try {
      return new Kind(image);
    } catch (error) {
      if (!(error instanceof FileSystemError) || error.code !== 'no-file-system') {
        throw error;
      }
    }
  }
  return new Spiffs(image);
}

/**
 * Returns an empty file system with the usual parameters.
 *
 * @param size Size of the partition in bytes.
 * @param wearLevelling False: FAT is a plain volume with sectors of 512 bytes, as CircuitPython has it.
 * @throws FileSystemError with `size-unusable`.
 */
export function formatImage(kind: FileSystemKind, size: number, wearLevelling = true): Uint8Array {
  return kind === 'fat' && !wearLevelling ? formatFat(size, { wearLevelling, sectorSize: 512 }) : formats[kind](size);
}

const formats: Readonly<Record<FileSystemKind, (size: number) => Uint8Array>> = {
  littlefs: formatLittleFs,
  spiffs: formatSpiffs,
  fat: formatFat,
};

/**
 * Returns an image with these files and the usual parameters, for a release.
 *
 * @param size Size of the partition in bytes.
 * @throws FileSystemError with `full`, `size-unusable` and the codes of names.
 */
export function buildImage(kind: FileSystemKind, size: number, files: Iterable<NewFile>): Uint8Array {
  const fileSystem = openFileSystem(formatImage(kind, size));
  for (const { path, bytes } of files) {
    fileSystem.write(path, bytes);
  }
  return fileSystem.image;
}

/** Makes FAT images: empty ones as ESP-IDF makes them, and such with files. */

import type { NewFile } from '../file-system.ts';
import { FileSystemError } from '../file-system-error.ts';
import { makeVolume } from './boot-sector.ts';
import { FatFs } from './fat-fs.ts';
import { levelImage, levelledSize } from './wear-levelling.ts';

export interface FatOptions {
  /** True: with ESP-IDF's wear levelling, which its examples use. Usually true. */
  readonly wearLevelling?: boolean;
  /** In bytes (`CONFIG_WL_SECTOR_SIZE`). Usually 4,096. */
  readonly sectorSize?: 512 | 4_096;
}

/**
 * Returns an empty FAT image, with the shape that ESP-IDF gives a new one.
 *
 * @param size Size of the partition in bytes.
 * @throws FileSystemError with `size-unusable`.
 */
export function formatFat(
  size: number,
  { wearLevelling = true, sectorSize: sector = 4_096 }: FatOptions = {},
): Uint8Array {
  const volume = makeVolume(wearLevelling ? levelledSize(size) : size, sector);
  if (volume === null) {
    throw new FileSystemError('size-unusable');
  }
  if (wearLevelling) {
    return levelImage(volume, size);
  }
  const image = new Uint8Array(size).fill(0xff);
  image.set(volume);
  return image;
}

/**
 * Returns an image with these files, for a release.
 *
 * @param size Size of the partition in bytes.
 * @throws FileSystemError with `full`, `size-unusable` and the codes of names.
 */
export function buildFat(size: number, files: Iterable<NewFile>, options: FatOptions = {}): Uint8Array {
  const fileSystem = new FatFs(formatFat(size, options));
  for (const { path, bytes } of files) {
    fileSystem.write(path, bytes);
  }
  return fileSystem.image;
}

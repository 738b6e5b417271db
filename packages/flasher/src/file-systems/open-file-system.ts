/** Opens the file system of an image, whichever it is. */
import type { FileSystem } from './file-system.ts';
import { FileSystemError } from './file-system-error.ts';
import { LittleFs } from './littlefs/little-fs.ts';
import { Spiffs } from './spiffs/spiffs.ts';

/**
 * Recognises the file system by its contents. The subtype of a partition is not asked: Arduino keeps LittleFS in partitions
 * of the type for SPIFFS.
 *
 * @param image Copied. The partition, or an image file.
 * @throws FileSystemError with `no-file-system`, or the fault of a damaged or too old LittleFS.
 */
export function openFileSystem(image: Uint8Array): FileSystem {
  try {
    return new LittleFs(image);
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== 'no-file-system') {
      throw error;
    }
  }
  return new Spiffs(image);
}

/** Files of a file system in flash, read before a write that destroys it or leaves it where the new program does not look. */
import { zipSync } from 'fflate';
import type { SavedFile } from '../../family.ts';
import { readBootSector } from '../../file-systems/fat/boot-sector.ts';
import { labelIn } from '../../file-systems/fat/folders.ts';
import { formatFat } from '../../file-systems/fat/format-fat.ts';
import type { FileSystem, NewFile } from '../../file-systems/file-system.ts';
import { FileSystemError } from '../../file-systems/file-system-error.ts';
import { formatLittleFs } from '../../file-systems/littlefs/little-fs.ts';
import { openFileSystem } from '../../file-systems/open-file-system.ts';
import { flashStart, type RpChip, type RpFlashUser } from '../files/index.ts';

export interface SavedFiles {
  readonly user: RpFlashUser;
  /** Its flash as it was read. */
  readonly image: Uint8Array;
  /** Null: it cannot be opened, and only `image` holds its contents. */
  readonly kind: 'littlefs' | 'fat' | null;
  /** Files that could be read, in the order of the tree. */
  readonly files: readonly NewFile[];
  /** Paths of all folders, in the order of the tree. */
  readonly folders: readonly string[];
  /** Paths of files that cannot be read as a whole. */
  readonly damaged: readonly string[];
  /** Settings of CircuitPython (`microcontroller.nvm`); null for other systems, and for an empty sector. */
  readonly settings: Uint8Array | null;
}

/** @param image The flash of `user`. @param settings See `settingsRange`; null without any. */
export function readSavedFiles(user: RpFlashUser, image: Uint8Array, settings: Uint8Array | null = null): SavedFiles {
  const fileSystem = openOrNull(image);
  const entries = fileSystem?.list() ?? [];
  const files: NewFile[] = [];
  const damaged: string[] = [];
  for (const { path, kind, fault } of entries) {
    const bytes = kind === 'file' && fault === null ? readOrNull(fileSystem, path) : null;
    if (bytes !== null) {
      files.push({ path, bytes });
    } else if (kind === 'file') {
      damaged.push(path);
    }
  }
  const folders = entries.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  return { user, image, kind: fileSystem?.kind ?? null, files, folders, damaged, settings };
}

/** Returns null for an image that is neither LittleFS nor FAT, or too damaged to be opened. */
export function openOrNull(image: Uint8Array): (FileSystem & { readonly kind: 'littlefs' | 'fat' }) | null {
  const fileSystem = orNull(() => openFileSystem(image));
  return fileSystem === null || fileSystem.kind === 'spiffs' ? null : (fileSystem as never);
}

const readOrNull = (fileSystem: FileSystem | null, path: string): Uint8Array | null =>
  orNull(() => fileSystem?.read(path) ?? null);

function orNull<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileSystemError) {
      return null;
    }
    throw error;
  }
}

/**
 * Returns an empty file system as the saved one is: LittleFS with blocks of 4,096 bytes, as MicroPython mounts it, or FAT
 * with the same size of sectors and the same label.
 *
 * @throws FileSystemError with `size-unusable`.
 */
export function emptyLike({ kind, image }: SavedFiles, size: number): Uint8Array {
  if (kind !== 'fat') {
    return formatLittleFs(size);
  }
  const old = readBootSector(image);
  const sectorSize = old?.sectorSize === 4_096 ? 4_096 : 512;
  const made = formatFat(size, { wearLevelling: false, sectorSize });
  const label = old?.root ? labelIn(image.subarray(old.root.at, old.root.at + old.root.size)) : null;
  const root = readBootSector(made)?.root;
  if (label !== null && root) {
    made.set(label, root.at);
  }
  return made;
}

/** Name of the archive that `archiveOf` makes: `rp2040-files-at-0x100A0000.zip`. */
export function archiveName({ user, kind }: SavedFiles, chip: RpChip): string {
  const at = (flashStart + user.offset).toString(16).toUpperCase();
  return `${chip.toLowerCase()}-files-at-0x${at}.${kind === null ? 'bin' : 'zip'}`;
}

/** Returns all files as a zip archive, with settings of CircuitPython as `nvm.bin`. A file system that cannot be opened is kept as its flash. */
export function archiveOf(saved: SavedFiles, chip: RpChip): Omit<SavedFile, 'isPutBack'> {
  const { files, folders, kind, image, settings } = saved;
  const name = archiveName(saved, chip);
  if (kind === null) {
    return { name, bytes: image };
  }
  const inZip = (path: string) => path.replace(/^\/+/, '');
  const entries = [
    ...folders.map((path) => [`${inZip(path)}/`, new Uint8Array(0)] as const),
    ...files.map(({ path, bytes }) => [inZip(path), bytes] as const),
    ...(settings === null ? [] : [['nvm.bin', settings] as const]),
  ];
  return { name, bytes: zipSync(Object.fromEntries(entries), { level: 6, mtime: zipTime }) };
}

/** Date of the files in archives, so that an archive depends on its files only. The earliest that the format knows. */
const zipTime = new Date(1980, 0, 1);

/**
 * Firmware bytes in a folder, named by their SHA-256. A file gets its name by an atomic rename, and is stored when
 * its folder is synced too.
 */
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  BlobDamagedError,
  BlobMissingError,
  type BlobStore,
  blobPath,
  hashOfKey,
  type StoredBlob,
} from './blob-store.ts';
import { nullIfMissing, onDisk, syncFolder, systemErrorCode } from './disk.ts';
import { exactly } from './exact-length.ts';

/** Opens the store. `root` has to be on the same file system as the spool, and is created if it is missing. */
export async function openFolderStore(root: string): Promise<BlobStore> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(root, ...blobPath(key).split('/'));
  return {
    async keep(key, file) {
      const path = pathOf(key);
      // Only bytes that survive a crash get a name.
      await file.safe;
      await onDisk(async () => {
        // The name of a new folder has to survive as well.
        if ((await mkdir(dirname(path), { recursive: true, mode: 0o700 })) !== undefined) {
          await syncFolder(root);
        }
        // Replaces an earlier file, if any: the bytes are the same.
        await rename(file.path, path);
        await syncFolder(dirname(path));
      });
    },

    async open(key, size, range = { start: 0, end: size - 1 }) {
      const path = pathOf(key);
      const handle = await onDisk(() => existing(root, key, () => open(path, 'r')));
      const found = await handle.stat();
      if (found.size !== size) {
        await handle.close();
        throw new BlobDamagedError(key, `there are ${found.size} bytes instead of ${size}`);
      }
      const length = range.end - range.start + 1;
      // An end before the start would be taken for the end of the file.
      return exactly(handle.createReadStream(length === 0 ? {} : range), length, key);
    },

    async sizeOf(key) {
      const path = pathOf(key);
      return (await onDisk(() => existing(root, key, () => stat(path)))).size;
    },

    list: () => listFolder(root),

    remove: async (key) => {
      const path = pathOf(key);
      await onDisk(() => rm(path, { force: true }));
    },

    check: () => onDisk(async () => (await open(root, 'r')).close()),

    downloads: null,
  };
}

/** Reports a file as missing only if its folder exists: if the file system is not mounted, the store is unavailable. */
async function existing<Result>(root: string, key: string, look: () => Promise<Result>): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') {
      throw error;
    }
    await access(root);
    throw new BlobMissingError(key, { cause: error });
  }
}

async function* listFolder(root: string): AsyncGenerator<StoredBlob> {
  for (const folder of await onDisk(() => readdir(root))) {
    for (const key of await namesIn(join(root, folder))) {
      const found = hashOfKey(key) === null ? null : await statOrNull(join(root, folder, key));
      if (found?.isFile() === true) {
        yield { key, size: found.size, storedAt: found.mtimeMs };
      }
    }
  }
}

/** Returns the names in a folder; empty if it is gone or not a folder. */
function namesIn(folder: string): Promise<readonly string[]> {
  return onDisk(() => readdir(folder).catch(nullIfMissing)).then((names) => names ?? []);
}

/** Returns null if the file was removed after its folder was read. */
function statOrNull(path: string) {
  return onDisk(() => stat(path).catch(nullIfMissing));
}

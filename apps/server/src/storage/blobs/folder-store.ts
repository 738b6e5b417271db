/**
 * Firmware bytes in a folder, named by their SHA-256. A file appears under its name by a rename, which is all or nothing, and
 * counts once the folder around it is synced too.
 */
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobMissingError, type BlobStore, blobPath } from './blob-store.ts';
import { onDisk, syncFolder, systemErrorCode } from './disk.ts';

/** `root` has to be on the same file system as the spool. It is made where it is missing. */
export async function openFolderStore(root: string): Promise<BlobStore> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(root, ...blobPath(key).split('/'));
  return {
    async keep(key, file) {
      const path = pathOf(key);
      // A name is only given to bytes that survive a crash.
      await file.safe;
      await onDisk(async () => {
        // The name of a new folder has to survive as well.
        if ((await mkdir(dirname(path), { recursive: true, mode: 0o700 })) !== undefined) {
          await syncFolder(root);
        }
        // In place of an earlier one, should there be one: the bytes are the same.
        await rename(file.path, path);
        await syncFolder(dirname(path));
      });
    },

    async open(key, range) {
      const path = pathOf(key);
      const handle = await onDisk(() => openExisting(root, key, path));
      return handle.createReadStream(range);
    },

    remove: (key) => onDisk(() => rm(pathOf(key), { force: true })),

    check: () => onDisk(async () => (await open(root, 'r')).close()),
  };
}

/** Only what is missing in a folder that is there is missing: a file system that is not mounted is a store that is away. */
async function openExisting(root: string, key: string, path: string) {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') {
      throw error;
    }
    await access(root);
    throw new BlobMissingError(key, { cause: error });
  }
}

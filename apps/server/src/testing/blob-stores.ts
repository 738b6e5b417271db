/** Every kind of file store that the product supports, for the suite that has to pass on each. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobStore, blobPath, type StoredBlob } from '../storage/blobs/blob-store.ts';
import { openFolderStore } from '../storage/blobs/folder-store.ts';
import { openS3Store } from '../storage/blobs/s3-store.ts';
import { createBucket, hasS3 } from './s3-bucket.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface TestStore extends AsyncDisposable {
  readonly store: BlobStore;
  /** A folder for a spool, on the same file system as the store if required. */
  readonly folder: string;
  /** Replaces or removes the bytes under a key, bypassing the store. */
  tamper(key: string, bytes: Uint8Array | null): Promise<void>;
}

export interface StoreKind {
  readonly name: 'folder' | 'S3';
  open(): Promise<TestStore>;
}

const folderKind: StoreKind = {
  name: 'folder',
  open: async () => {
    const folder = await temporaryFolder();
    return {
      store: await openFolderStore(join(folder.path, 'blobs')),
      folder: join(folder.path, 'incoming'),
      tamper: async (key, bytes) => {
        const path = join(folder.path, 'blobs', blobPath(key));
        await (bytes === null ? rm(path) : writeFile(path, bytes));
      },
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  },
};

const s3Kind: StoreKind = {
  name: 'S3',
  open: async () => {
    const [folder, { settings, tamper }] = await Promise.all([temporaryFolder(), createBucket()]);
    return {
      store: openS3Store({ ...settings, publicUrl: settings.endpoint }),
      folder: folder.path,
      tamper,
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  },
};

export async function listOf(store: Pick<BlobStore, 'list'>): Promise<StoredBlob[]> {
  const entries: StoredBlob[] = [];
  for await (const entry of store.list()) {
    entries.push(entry);
  }
  return entries;
}

export const storeKinds: readonly StoreKind[] = hasS3 ? [folderKind, s3Kind] : [folderKind];

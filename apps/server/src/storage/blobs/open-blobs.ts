/** Opens the configured store and the spool in front of it. */
import { join } from 'node:path';
import type { Clock } from '@wirebench/clock';
import { StartError } from '../../start-error.ts';
import { reasonOf } from '../failure-reason.ts';
import type { BlobStore } from './blob-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openS3Store, type S3Options } from './s3-store.ts';
import { openSpool, type Spool } from './spool.ts';

export interface Blobs {
  readonly spool: Spool;
  readonly store: BlobStore;
}

export interface BlobsOptions {
  readonly dataDir: string;
  /** Null keeps the bytes in `dataDir`. */
  readonly s3: S3Options | null;
  readonly clock: Clock;
}

/**
 * Opens store and spool. An S3 store that does not answer does not prevent the start.
 *
 * @throws StartError if the folder is not writable.
 */
export async function openBlobs({ dataDir, s3, clock }: BlobsOptions): Promise<Blobs> {
  const folder = join(dataDir, 'firmware');
  try {
    return {
      spool: await openSpool(join(folder, 'incoming'), clock),
      store: s3 === null ? await openFolderStore(join(folder, 'blobs')) : openS3Store(s3),
    };
  } catch (error) {
    throw new StartError(
      [
        `DATA_DIR ${folder} cannot be written to (${reasonOf(error)}): make it writable, or set DATA_DIR to another folder.`,
      ],
      { cause: error },
    );
  }
}

/** Rejects with `BlobStoreUnavailableError` if files cannot be received or read. */
export async function checkBlobs({ spool, store }: Blobs): Promise<void> {
  await spool.check();
  await store.check();
}

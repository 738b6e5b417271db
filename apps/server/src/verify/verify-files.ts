/**
 * Compares the file store with what the database says is in it: bytes of versions that are missing or damaged, and bytes that
 * nobody knows of. Safe while servers run: whatever looks wrong is asked for once more, since it may have come or gone meanwhile.
 */
import type { BytesRepository } from '../features/firmware/bytes.repository.ts';
import { BlobMissingError, type BlobStore, type StoredBlob } from '../storage/blobs/blob-store.ts';
import { type BlobFault, inspectBlob, type KeptBlob } from '../storage/blobs/inspect-blob.ts';

interface Finding {
  readonly fault: BlobFault | 'orphaned';
  readonly key: string;
  /** Bytes that there should be, or for orphaned ones that there are. */
  readonly size: number;
  /** What needs the bytes, for a person to read. */
  readonly files: readonly string[];
  readonly isRemoved: boolean;
}

export interface Verification {
  readonly findings: readonly Finding[];
  /** Blobs of versions. */
  readonly kept: number;
  /** Of all of them. */
  readonly bytes: number;
  /** Why orphaned bytes were left although they were to be removed; null when they were not. */
  readonly leftBecause: string | null;
}

export interface VerifyOptions {
  readonly repository: Pick<BytesRepository, 'kept' | 'isKept' | 'known' | 'filesOf'>;
  readonly store: BlobStore;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Removes orphaned bytes that are older than a day. */
  readonly repair: boolean;
}

/** Keys and rows that are asked for at once. */
const BATCH = 200;
/** Milliseconds after which orphaned bytes are nobody's: longer than any upload takes. */
const OLD = 24 * 3_600_000;

/** Rejects when the database or the store is away. */
export async function verifyFiles(options: VerifyOptions): Promise<Verification> {
  const { findings, kept, bytes } = await verifyKept(options);
  const { orphans, known } = await findOrphans(options);
  const leftBecause = options.repair ? reasonToLeave(orphans.length, known) : null;
  for (const orphan of orphans) {
    const isRemoved = options.repair && leftBecause === null && options.now - orphan.storedAt > OLD;
    if (isRemoved) {
      await options.store.remove(orphan.key);
    }
    findings.push({ fault: 'orphaned', key: orphan.key, size: orphan.size, files: [], isRemoved });
  }
  return { findings, kept, bytes, leftBecause };
}

async function verifyKept({ repository, store }: VerifyOptions) {
  const findings: Finding[] = [];
  let [kept, bytes] = [0, 0];
  let after: string | null = '';
  while (after !== null) {
    const page: readonly (KeptBlob & { readonly sha256: string })[] = await repository.kept(after, BATCH);
    for (const blob of page) {
      kept++;
      bytes += blob.size;
      const fault = await inspectBlob(store, blob);
      if (fault !== null && (await repository.isKept(blob.key))) {
        const files = (await repository.filesOf(blob.key)).map(
          ({ project, version, fileName }) => `${project} ${version} ${fileName}`,
        );
        findings.push({ fault, key: blob.key, size: blob.size, files, isRemoved: false });
      }
    }
    after = page.length < BATCH ? null : (page.at(-1)?.sha256 ?? null);
  }
  return { findings, kept, bytes };
}

/** Bytes are claimed in the database before they are stored, so those that it does not know belong to nothing. */
async function findOrphans({ repository, store }: VerifyOptions) {
  const orphans: StoredBlob[] = [];
  let known = 0;
  const look = async (batch: readonly StoredBlob[]) => {
    const found = await repository.known(batch.map(({ key }) => key));
    known += found.size;
    for (const blob of batch) {
      if (!found.has(blob.key) && (await isThere(store, blob.key))) {
        orphans.push(blob);
      }
    }
  };
  let batch: StoredBlob[] = [];
  for await (const blob of store.list()) {
    batch.push(blob);
    if (batch.length === BATCH) {
      await look(batch);
      batch = [];
    }
  }
  if (batch.length > 0) {
    await look(batch);
  }
  return { orphans, known };
}

/** What the ledger had forgotten when it was asked was removed from the store before. */
async function isThere(store: BlobStore, key: string): Promise<boolean> {
  try {
    await store.sizeOf(key);
    return true;
  } catch (error) {
    if (error instanceof BlobMissingError) {
      return false;
    }
    throw error;
  }
}

/** A database that knows little of a store is more likely the wrong one than the store is full of orphans. */
function reasonToLeave(orphans: number, known: number): string | null {
  return orphans > known
    ? 'The database does not know most of the stored files, so nothing was removed. Check DATABASE_URL, DATA_DIR and S3_BUCKET.'
    : null;
}

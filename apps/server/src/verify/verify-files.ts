/**
 * Compares the file store with the database: bytes of versions that are missing or damaged, and bytes that no version
 * uses. Servers may run at the same time: each apparent fault is checked again, because files may have been added or
 * removed during the comparison.
 */
import type { BytesRepository } from '../features/releases/bytes.repository.ts';
import { BlobMissingError, type BlobStore, type StoredBlob } from '../storage/blobs/blob-store.ts';
import { type BlobFault, inspectBlob, type KeptBlob } from '../storage/blobs/inspect-blob.ts';

interface Finding {
  readonly fault: BlobFault | 'orphaned';
  readonly key: string;
  /** Expected size in bytes; for orphaned bytes, the actual size. */
  readonly size: number;
  /** Texts that name the files which need the bytes. */
  readonly files: readonly string[];
  readonly isRemoved: boolean;
}

export interface Verification {
  readonly findings: readonly Finding[];
  /** Blobs of versions. */
  readonly kept: number;
  /** Sum over all blobs. */
  readonly bytes: number;
  /** Reason why orphaned bytes were kept in spite of `repair`; null if there was none. */
  readonly leftBecause: string | null;
}

export interface VerifyOptions {
  readonly repository: Pick<BytesRepository, 'kept' | 'isKept' | 'known' | 'filesOf'>;
  readonly store: BlobStore;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** True: removes orphaned bytes that are older than a day. */
  readonly repair: boolean;
}

/** Keys and rows per query. */
const BATCH = 200;
/** Age in milliseconds from which orphaned bytes may be removed: longer than any upload takes. */
const OLD = 24 * 3_600_000;

/** Rejects if the database or the store is unavailable. */
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

/**
 * Lists stored bytes without an entry in the database. Entries are created before bytes are stored, so these bytes
 * belong to nothing.
 */
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

/**
 * Returns true if the bytes are still stored. Bytes that the database has just forgotten were removed from the store
 * before.
 */
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

/**
 * Returns a reason to remove nothing if the database knows few of the stored files: the wrong database is more likely
 * than a store full of orphans.
 */
function reasonToLeave(orphans: number, known: number): string | null {
  return orphans > known
    ? 'The database does not know most of the stored files, so nothing was removed. Check DATABASE_URL, DATA_DIR and S3_BUCKET.'
    : null;
}

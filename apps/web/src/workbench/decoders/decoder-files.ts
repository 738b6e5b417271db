/**
 * Files beside decoders (DBC, XML, tables of registers) that this browser keeps, by their SHA-256. Text storage is too small for
 * them, so they are in IndexedDB. A browser that denies it keeps them until the page is closed.
 */
import { pageStore } from '../../shared/page-store.ts';

interface StoredFile {
  readonly blob: Blob;
  /** Time when it was kept, in milliseconds since the Unix epoch. */
  readonly at: number;
}

const database = 'wirebench-decoder-files';
const files = 'files';

/** Files that the storage did not take. */
const memory = new Map<string, StoredFile>();

/** Changes with each file that is kept, so that ports that miss one look again. */
const changes = pageStore({ count: 0 });

export const useFileChanges = () => changes.use(({ count }) => count);
export const onFilesChange = (act: () => void): (() => void) => changes.subscribe(act);

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

/** @returns null if the browser denies the storage or has none. */
async function inFiles<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<{ readonly result: Result } | null> {
  try {
    const request = indexedDB.open(database, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(files));
    const opened = await settle(request);
    try {
      return { result: await settle(act(opened.transaction(files, mode).objectStore(files))) };
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof DOMException || error instanceof ReferenceError) {
      return null;
    }
    throw error;
  }
}

/**
 * Keeps a file.
 *
 * @returns False if it lasts only until the page is closed.
 */
export async function keepFile(sha256: string, file: Blob, now = Date.now()): Promise<boolean> {
  // A copy: the file on the disk may change or go.
  const stored = { blob: new Blob([await file.arrayBuffer()]), at: now };
  const isStored = (await inFiles('readwrite', (store) => store.put(stored, sha256))) !== null;
  if (!isStored) {
    memory.set(sha256, stored);
  }
  changes.setState(({ count }) => ({ count: count + 1 }));
  return isStored;
}

/** Returns those of the files that are kept. */
export async function keptFiles(hashes: Iterable<string>): Promise<ReadonlyMap<string, Blob>> {
  const found = new Map<string, Blob>();
  for (const sha256 of new Set(hashes)) {
    const answer = await inFiles<StoredFile | undefined>('readonly', (store) => store.get(sha256));
    const stored = answer?.result ?? memory.get(sha256);
    if (stored !== undefined) {
      found.set(sha256, stored.blob);
    }
  }
  return found;
}

/** Age in ms from which a file that no decoder names is removed. A removed decoder can be brought back before. */
const oldAge = 24 * 3_600_000;

/** Removes old files whose SHA-256 is not in `named`. */
export async function sweepFiles(named: ReadonlySet<string>, now = Date.now()): Promise<void> {
  const keys = await inFiles('readonly', (store) => store.getAllKeys());
  for (const key of keys?.result ?? []) {
    if (typeof key === 'string' && !named.has(key)) {
      const stored = await inFiles<StoredFile | undefined>('readonly', (store) => store.get(key));
      if (now - (stored?.result?.at ?? now) > oldAge) {
        await inFiles('readwrite', (store) => store.delete(key));
      }
    }
  }
}

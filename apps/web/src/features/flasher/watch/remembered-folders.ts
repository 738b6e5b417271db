/**
 * Remembers for each board which folder is watched for it. Handles can only be stored in IndexedDB (File System Access,
 * section 2.1). A browser that denies it forgets the folder with the page.
 */
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { savingOf } from '../../../shared/storage/saving.ts';
import { watchedBoards, watchedBoardsKey } from '../store/watched-boards.ts';

const database = 'wirebench-watched-folders';
const folders = 'folders';
const saving = savingOf({ what: 'The watched folder' });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(folders));
  return settle(request);
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

async function inFolders<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | null> {
  try {
    const opened = await open();
    try {
      return await settle(act(opened.transaction(folders, mode).objectStore(folders)));
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

export function rememberFolder(key: string, roots: readonly FileSystemHandle[]): void {
  saving(() => browserStorage.setItem(watchedBoardsKey, JSON.stringify([...new Set([...watchedBoards(), key])])));
  void inFolders('readwrite', (store) => store.put([...roots], key));
}

export function forgetFolder(key: string): void {
  saving(() =>
    browserStorage.setItem(watchedBoardsKey, JSON.stringify(watchedBoards().filter((other) => other !== key))),
  );
  void inFolders('readwrite', (store) => store.delete(key));
}

/** Returns the handles of the folder or files that are watched for this board; none if the browser has lost them. */
export async function rememberedFolder(key: string): Promise<readonly FileSystemHandle[]> {
  return (await inFolders<readonly FileSystemHandle[] | undefined>('readonly', (store) => store.get(key))) ?? [];
}

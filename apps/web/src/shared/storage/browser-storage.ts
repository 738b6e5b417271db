/**
 * The browser's storages, or a memory for the page's lifetime if the browser denies them. Writing throws if the
 * storage is full; `saving.ts` reports that.
 */

export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Returns true if a write failed because the storage is full. */
export const isStorageFull = (error: unknown) => error instanceof DOMException && error.name === 'QuotaExceededError';

/** Persistent, and shared by all tabs. */
export const browserStorage: TextStorage = allowed(() => window.localStorage);

/** Kept for the tab's lifetime. */
export const tabStorage: TextStorage = allowed(() => window.sessionStorage);

function allowed(find: () => Storage | null): TextStorage {
  try {
    // Null if site data is disabled completely, as in some embedded views of apps.
    return find() ?? memoryStorage();
  } catch (error) {
    // Browsers that block site data throw a SecurityError at the first access.
    if (error instanceof DOMException) {
      return memoryStorage();
    }
    throw error;
  }
}

/** Returns a storage that lasts as long as the page. */
export function memoryStorage(): TextStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/**
 * The browser's storages where it allows them; a memory that lasts as long as the page where it does not. Writing throws where
 * there is no room: `saving.ts` says so.
 */

export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Returns true if a write failed for lack of room. */
export const isStorageFull = (error: unknown) => error instanceof DOMException && error.name === 'QuotaExceededError';

/** Kept until it is removed, and shared by all tabs. */
export const browserStorage: TextStorage = allowed(() => window.localStorage);

/** Kept as long as the tab. */
export const tabStorage: TextStorage = allowed(() => window.sessionStorage);

function allowed(find: () => Storage | null): TextStorage {
  try {
    // Null where site data is switched off as a whole, as in some views inside other apps.
    return find() ?? memoryStorage();
  } catch (error) {
    // Browsers that block site data throw a SecurityError at the mere mention.
    if (error instanceof DOMException) {
      return memoryStorage();
    }
    throw error;
  }
}

function memoryStorage(): TextStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

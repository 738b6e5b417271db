/** The browser's storages where it allows them; a memory that lasts as long as the page where it does not. */

export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Kept until it is removed, and shared by all tabs. */
export const browserStorage: TextStorage = allowed(() => window.localStorage);

/** Kept as long as the tab. */
export const tabStorage: TextStorage = allowed(() => window.sessionStorage);

function allowed(find: () => Storage): TextStorage {
  try {
    return find();
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

/**
 * Browser storage for the sizes of resizable panes. Invalid layouts read as null, because the library would crash the
 * page on them.
 */
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { browserStorage, type TextStorage } from '../../shared/storage/browser-storage.ts';

export const layoutStorage: Pick<TextStorage, 'getItem' | 'setItem'> = {
  getItem: (key) => {
    const text = browserStorage.getItem(key);
    return text !== null && isLayout(text) ? text : null;
  },
  setItem: (key, text) => {
    try {
      browserStorage.setItem(key, text);
    } catch (error) {
      if (!(error instanceof DOMException)) {
        throw error;
      }
      // Storage failed: the sizes are kept until the page is closed.
    }
  },
};

/** Returns true if `text` holds a percentage from 0 to 100 for each pane. */
function isLayout(text: string): boolean {
  const shares = Object.values(fieldsOf(parseJson(text)));
  return shares.length > 0 && shares.every((share) => typeof share === 'number' && share >= 0 && share <= 100);
}

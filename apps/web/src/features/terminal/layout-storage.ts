/**
 * The browser's storage as the panes keep their sizes in it. What cannot be a layout counts as none: the library reads whatever
 * is there, and would take the page down with it.
 */
import { fieldsOf, parseJson } from '../../shared/json.ts';
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
      // The panes have these sizes as long as the page lives.
    }
  },
};

/** Whether it is a part of the whole, in percent, for each pane. */
function isLayout(text: string): boolean {
  const shares = Object.values(fieldsOf(parseJson(text)));
  return shares.length > 0 && shares.every((share) => typeof share === 'number' && share >= 0 && share <= 100);
}

/** The guest's name, remembered in this browser. */
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';

const storageKey = 'wirebench.guest-name';
const keyOfBrowser = 'wirebench.guest-key';

/** In characters. */
export const longestName = 40;

const saving = savingOf({ what: 'Your name' });

/** Returns null if no name was stored. */
export function rememberedName(): string | null {
  return tidyName(browserStorage.getItem(storageKey) ?? '') || null;
}

export function rememberName(name: string): void {
  saving(() => browserStorage.setItem(storageKey, name));
}

/** Returns the name as others see it: one line, trimmed. */
export function tidyName(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().slice(0, longestName);
}

/** Returns a secret of this browser. The host recognises a guest across pages by a value derived from it. */
export function browserKey(): string {
  const known = browserStorage.getItem(keyOfBrowser);
  const key = known ?? crypto.randomUUID();
  if (known === null) {
    saving(() => browserStorage.setItem(keyOfBrowser, key));
  }
  return key;
}

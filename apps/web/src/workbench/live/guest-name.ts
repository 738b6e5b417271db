/** What a guest is called, remembered in this browser. */
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';

const storageKey = 'wirebench.guest-name';
const keyOfBrowser = 'wirebench.guest-key';

/** Characters. */
export const longestName = 40;

const saving = savingOf({ what: 'Your name' });

/** Null when none was given yet. */
export function rememberedName(): string | null {
  return tidyName(browserStorage.getItem(storageKey) ?? '') || null;
}

export function rememberName(name: string): void {
  saving(() => browserStorage.setItem(storageKey, name));
}

/** As others see it: one line, no spaces around it. */
export function tidyName(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().slice(0, longestName);
}

/** A secret of this browser: whoever shares knows a guest by what is made of it, on each of its pages. */
export function browserKey(): string {
  const known = browserStorage.getItem(keyOfBrowser);
  const key = known ?? crypto.randomUUID();
  if (known === null) {
    saving(() => browserStorage.setItem(keyOfBrowser, key));
  }
  return key;
}

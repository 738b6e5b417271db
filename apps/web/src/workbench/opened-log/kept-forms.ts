/** Forms of times that a person has marked in opened logs, kept in this browser for further files of their kind. */

import { parseJson } from '@wirebench/contract/json';
import { browserStorage, type TextStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';

const storageKey = 'wirebench.marked-times';
const save = savingOf({ what: 'The form of the time' });

/** Returns the patterns, newest first. */
export function keptForms(storage: TextStorage = browserStorage): readonly string[] {
  const kept = parseJson(storage.getItem(storageKey) ?? '[]');
  return Array.isArray(kept) ? kept.filter((pattern) => typeof pattern === 'string' && pattern !== '') : [];
}

export function keepForm(pattern: string, storage: TextStorage = browserStorage): void {
  const kept = [pattern, ...keptForms(storage).filter((other) => other !== pattern)];
  save(() => storage.setItem(storageKey, JSON.stringify(kept)));
}

export function forgetForm(pattern: string, storage: TextStorage = browserStorage): void {
  const kept = keptForms(storage).filter((other) => other !== pattern);
  save(() => storage.setItem(storageKey, JSON.stringify(kept)));
}

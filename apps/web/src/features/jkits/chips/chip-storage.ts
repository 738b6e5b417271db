/**
 * Stores the editor's description in the browser's storage. All tabs share one description. A tab overwrites only a
 * state that it has read or written. Changes of another tab stay until the user chooses.
 */
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';

export const descriptionKey = 'wirebench.chip-description';

interface StoredDescription {
  /** JSON text of the description. Null: nothing is stored. */
  readonly text: string | null;
  /** Text when last loaded or saved. Null: neither loaded nor saved yet. */
  readonly savedText: string | null;
  /** JKit that the description came from, without its content. */
  readonly loadedJkit: Readonly<Record<string, unknown>> | null;
}

/** Stored value when this tab last read or wrote it. */
let seen: string | null = null;

export function storedDescription(): StoredDescription {
  return descriptionOf(browserStorage.getItem(descriptionKey));
}

/** Reads the stored description before a write: its state counts as seen by this tab. */
export function takeStored(): StoredDescription {
  seen = browserStorage.getItem(descriptionKey);
  return descriptionOf(seen);
}

function descriptionOf(stored: string | null): StoredDescription {
  const { text, savedText, loadedJkit } = fieldsOf(parseJson(stored ?? ''));
  return {
    text: typeof text === 'string' ? text : null,
    savedText: typeof savedText === 'string' ? savedText : null,
    loadedJkit: loadedJkit === undefined || loadedJkit === null ? null : fieldsOf(loadedJkit),
  };
}

/**
 * Returns true if another tab has written since this tab's last read or write. A deleted value does not count,
 * because there is nothing to lose.
 */
export function isWrittenElsewhere(): boolean {
  const now = browserStorage.getItem(descriptionKey);
  return now !== null && now !== seen;
}

/**
 * Stores a description.
 *
 * @throws DOMException of the storage.
 */
export function writeDescription({ text, savedText, loadedJkit }: StoredDescription): void {
  const next = JSON.stringify({ text, savedText, loadedJkit });
  browserStorage.setItem(descriptionKey, next);
  seen = next;
}

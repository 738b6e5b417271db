/**
 * The description of the editor in the browser's storage. One for all tabs, so a tab writes only over what it has seen: what another
 * one wrote meanwhile stays until a person has chosen. Knows no component.
 */
import { fieldsOf, parseJson } from '../../../shared/json.ts';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';

export const descriptionKey = 'wirebench.chip-description';

interface StoredDescription {
  /** Null: nobody has written one here. */
  readonly text: string | null;
  /** As it was loaded or saved last; null: never. */
  readonly savedText: string | null;
  /** Where it came from, but for the content. */
  readonly loadedJkit: Readonly<Record<string, unknown>> | null;
}

/** What is under the key as this tab wrote or read it last. */
let seen: string | null = null;

export function storedDescription(): StoredDescription {
  return descriptionOf(browserStorage.getItem(descriptionKey));
}

/** The same, for whoever is going to write. */
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

/** Whether another tab has written since this one read or wrote. What was deleted is nobody's to lose. */
export function isWrittenElsewhere(): boolean {
  const now = browserStorage.getItem(descriptionKey);
  return now !== null && now !== seen;
}

/** Throws what the storage throws. */
export function writeDescription({ text, savedText, loadedJkit }: StoredDescription): void {
  const next = JSON.stringify({ text, savedText, loadedJkit });
  browserStorage.setItem(descriptionKey, next);
  seen = next;
}

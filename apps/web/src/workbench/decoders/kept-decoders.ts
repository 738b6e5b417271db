/**
 * Decoders of a person's own that this browser keeps: drafts, imported files and copies of JKits. All tabs have the same
 * ones. A tab writes only the decoders that it changes.
 */
import type { DecoderDraft, DecoderStep } from '@wirebench/contract/decoders';
import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { pageStore } from '../../shared/page-store.ts';
import { browserStorage } from '../../shared/storage/browser-storage.ts';
import { savingOf } from '../../shared/storage/saving.ts';
import { isOwnDecoder, type OwnDecoderId } from './decoder-id.ts';

export interface KeptDecoder {
  readonly id: OwnDecoderId;
  /** JSON text of the content. A draft may be incomplete. */
  readonly text: string;
  /** Text when last loaded, saved or made. */
  readonly savedText: string | null;
  /** JKit that the decoder came from, without its content. */
  readonly loadedJkit: Readonly<Record<string, unknown>> | null;
  readonly isStarred: boolean;
}

/** Most decoders that a browser keeps: 1.3 MB of its storage, if each has the size of the largest JKit. */
export const maxKept = 20;

const storageKey = 'wirebench.decoders';

const kept = pageStore<{ readonly decoders: readonly KeptDecoder[] }>({ decoders: stored() });

const saving = savingOf({ what: 'The decoders', room: 'Remove decoders that you no longer use' });

/** Changes that the storage has refused: they are written with the next one. Null: removed. */
const unwritten = new Map<OwnDecoderId, KeptDecoder | null>();

window.addEventListener('storage', ({ key }) => {
  if (key === storageKey || key === null) {
    kept.setState({ decoders: withChanges(stored()) });
  }
});

function stored(): readonly KeptDecoder[] {
  const list = parseJson(browserStorage.getItem(storageKey) ?? '[]');
  return (Array.isArray(list) ? list : []).flatMap((value): KeptDecoder[] => {
    const { id, text, savedText, loadedJkit } = fieldsOf(value);
    return isOwnDecoder(id) && typeof text === 'string'
      ? [
          {
            id,
            text,
            savedText: typeof savedText === 'string' ? savedText : null,
            loadedJkit: loadedJkit === undefined || loadedJkit === null ? null : fieldsOf(loadedJkit),
            isStarred: fieldsOf(value)['isStarred'] === true,
          },
        ]
      : [];
  });
}

function withChanges(decoders: readonly KeptDecoder[]): readonly KeptDecoder[] {
  const known = decoders.flatMap((one) => unwritten.get(one.id) ?? (unwritten.has(one.id) ? [] : [one]));
  const added = [...unwritten.values()].filter((one) => one !== null && !known.includes(one));
  return [...known, ...added.filter((one) => one !== null)];
}

function write(id: OwnDecoderId, decoder: KeptDecoder | null): void {
  unwritten.set(id, decoder);
  const decoders = withChanges(stored());
  kept.setState({ decoders });
  saving(() => {
    browserStorage.setItem(storageKey, JSON.stringify(decoders));
    unwritten.clear();
  });
}

export const useKeptDecoders = () => kept.use(({ decoders }) => decoders);
export const keptDecodersNow = () => kept.getState().decoders;
export const onKeptChange = (act: () => void): (() => void) => kept.subscribe(act);

export function keptDecoder(id: OwnDecoderId): KeptDecoder | null {
  return kept.getState().decoders.find((one) => one.id === id) ?? null;
}

export type KeepResult =
  | { readonly ok: true; readonly id: OwnDecoderId }
  /** @property reason One sentence with a remedy. */
  | { readonly ok: false; readonly reason: string };

/** Keeps a new decoder. The text need not be complete. */
export function keepDecoder(text: string, facts: Partial<Omit<KeptDecoder, 'id' | 'text'>> = {}): KeepResult {
  if (kept.getState().decoders.length >= maxKept) {
    return { ok: false, reason: `This browser keeps ${maxKept} decoders, the most. Remove one, then try again.` };
  }
  const id: OwnDecoderId = `own:${crypto.randomUUID()}`;
  write(id, { savedText: text, loadedJkit: null, isStarred: false, ...facts, id, text });
  return { ok: true, id };
}

/** Changes a kept decoder. A removed one stays removed. */
export function changeKept(id: OwnDecoderId, change: Partial<Omit<KeptDecoder, 'id'>>): void {
  const decoder = keptDecoder(id);
  if (decoder !== null) {
    write(id, { ...decoder, ...change });
  }
}

/**
 * Removes a kept decoder. Ports that have it keep its id, so that nothing else is applied in its place.
 *
 * @returns Function that brings it back.
 */
export function removeKept(id: OwnDecoderId): () => void {
  const decoder = keptDecoder(id);
  write(id, null);
  return () => {
    if (decoder !== null && keptDecoder(id) === null) {
      write(id, decoder);
    }
  };
}

/**
 * Keeps a decoder that was built in the page, such as by example, so that a port can have it and the library can save it.
 * It is not applied to a port: that is `changeDecoder(port, id)` of the terminal's settings.
 *
 * @param content It may leave out what has a default.
 * @param name Title for people.
 * @param id Kept decoder that it replaces. Default: a new one.
 */
export async function saveDecoderDraft(content: DecoderDraft, name: string, id?: OwnDecoderId): Promise<KeepResult> {
  const [{ checkDecoder }, { decoderText }] = await Promise.all([
    import('@wirebench/contract/decoders'),
    import('./decoder-text.ts'),
  ]);
  const text = decoderText({ ...content, title: name.trim() });
  const [fault] = checkDecoder(text).faults;
  if (fault !== undefined) {
    return { ok: false, reason: `${fault}.` };
  }
  if (id !== undefined && keptDecoder(id) !== null) {
    changeKept(id, { text });
    return { ok: true, id };
  }
  return keepDecoder(text);
}

/** Returns the title of a decoder's text as it is written; the name in Find without one. */
export function titleOf(text: string): string {
  const { title, name } = fieldsOf(parseJson(text));
  const known = [title, name].find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof known === 'string' ? known : 'the decoder';
}

/** Returns true if a decoder's content selects a step. */
export function hasStep(content: unknown, step: DecoderStep): boolean {
  const { steps } = fieldsOf(content);
  return Array.isArray(steps) && steps.includes(step);
}

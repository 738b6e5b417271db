/** Edits of an NVS partition that are not written yet, and the rows that show them beside the board's values. */
import type { NvsChange } from './change-nvs.ts';
import { isSameValue, type NvsValue } from './nvs-value.ts';
import { type LiveNvsEntry, liveEntries, type NvsStore } from './read-nvs.ts';
import { isSecretKey } from './secret-key.ts';

export interface NvsEdit {
  readonly namespace: string;
  readonly key: string;
  /** Null: the key is deleted. */
  readonly value: NvsValue | null;
}

export interface NvsDraft {
  /** MD5 of the contents that the edits were made on. */
  readonly basis: string;
  /** In the order of their first edit. A key has at most one. */
  readonly edits: readonly NvsEdit[];
  /** Namespaces that are deleted with their keys. An edit of such a namespace adds it again. */
  readonly removed: readonly string[];
  /** True: the partition is built again from its readable keys, because its damage or lack of pages forbids changes. */
  readonly rebuilt: boolean;
}

/** One key as a row: on the board, in the draft, or in both. */
export interface NvsRow {
  readonly namespace: string;
  readonly key: string;
  /** Null: the key is added. */
  readonly before: LiveNvsEntry | null;
  /** Null: the key is deleted. */
  readonly after: NvsValue | null;
  readonly secret: boolean;
}

export interface NvsGroup {
  readonly namespace: string;
  /** True: the namespace itself is deleted. */
  readonly removed: boolean;
  readonly rows: readonly NvsRow[];
}

export function emptyDraft(basis: string): NvsDraft {
  return { basis, edits: [], removed: [], rebuilt: false };
}

export function isEmptyDraft({ edits, removed, rebuilt }: NvsDraft): boolean {
  return edits.length === 0 && removed.length === 0 && !rebuilt;
}

/** Returns true if the planned value of a row differs from the board's. */
export function isChanged({ before, after }: Pick<NvsRow, 'before' | 'after'>): boolean {
  return before === null || after === null || !isSameValue(before.value, after);
}

/** Returns the value of a key on the board, null without one. */
function valueOnBoard(store: NvsStore, namespace: string, key: string): NvsValue | null {
  return liveEntries(store).find((entry) => entry.namespace === namespace && entry.key === key)?.value ?? null;
}

/** Returns the draft with one more edit. An edit that restores the board's value removes the earlier one. */
export function withEdit(store: NvsStore, draft: NvsDraft, edit: NvsEdit): NvsDraft {
  const { namespace, key, value } = edit;
  const isHere = (one: NvsEdit) => one.namespace === namespace && one.key === key;
  const before = draft.removed.includes(namespace) ? null : valueOnBoard(store, namespace, key);
  const isSame = value === null || before === null ? value === before : isSameValue(value, before);
  if (isSame) {
    return { ...draft, edits: draft.edits.filter((one) => !isHere(one)) };
  }
  return {
    ...draft,
    edits: draft.edits.some(isHere) ? draft.edits.map((one) => (isHere(one) ? edit : one)) : [...draft.edits, edit],
  };
}

/** Returns the draft without the edit of one key. */
export function withoutEdit(draft: NvsDraft, namespace: string, key: string): NvsDraft {
  return { ...draft, edits: draft.edits.filter((one) => one.namespace !== namespace || one.key !== key) };
}

/** Returns the draft that deletes a namespace. Earlier edits of it are dropped. */
export function withoutNamespace(store: NvsStore, draft: NvsDraft, namespace: string): NvsDraft {
  return {
    ...draft,
    edits: draft.edits.filter((one) => one.namespace !== namespace),
    removed: store.namespaces.includes(namespace) ? [...draft.removed, namespace] : draft.removed,
  };
}

/** Returns the draft that keeps a namespace which it deleted. */
export function withNamespace(draft: NvsDraft, namespace: string): NvsDraft {
  return { ...draft, removed: draft.removed.filter((one) => one !== namespace) };
}

/** Returns the draft for other contents of the board. Edits that the contents have already are dropped. */
export function rebaseDraft(store: NvsStore, draft: NvsDraft, basis: string): NvsDraft {
  const start: NvsDraft = {
    ...emptyDraft(basis),
    removed: draft.removed.filter((name) => store.namespaces.includes(name)),
  };
  return draft.edits.reduce<NvsDraft>((rebased, edit) => withEdit(store, rebased, edit), start);
}

/** Returns the changes in the order in which they are written: what frees space comes first. */
export function draftChanges({ edits, removed }: NvsDraft): NvsChange[] {
  return [
    ...removed.map((namespace): NvsChange => ({ kind: 'delete-namespace', namespace })),
    ...edits
      .filter(({ value }) => value === null)
      .map(({ namespace, key }): NvsChange => ({ kind: 'delete', namespace, key })),
    ...edits.flatMap(({ namespace, key, value }): NvsChange[] =>
      value === null ? [] : [{ kind: 'set', namespace, key, value }],
    ),
  ];
}

/** Returns all namespaces with their keys: those of the board in its order, then those that are added. */
export function groupsOf(store: NvsStore, draft: NvsDraft | null): NvsGroup[] {
  const { edits, removed } = draft ?? emptyDraft('');
  const entries = liveEntries(store);
  const added = edits.map(({ namespace }) => namespace);
  return [...new Set([...store.namespaces, ...added])].map((namespace) => {
    const own = edits.filter((edit) => edit.namespace === namespace);
    const here = entries.filter((entry) => entry.namespace === namespace);
    const isRemoved = removed.includes(namespace);
    const row = (key: string, before: LiveNvsEntry | null, after: NvsValue | null): NvsRow => ({
      namespace,
      key,
      before,
      after,
      secret: isSecretKey(namespace, key, before?.value ?? null, after),
    });
    return {
      namespace,
      removed: isRemoved,
      rows: [
        ...here.map((entry) => {
          const edit = own.find(({ key }) => key === entry.key);
          return row(entry.key, entry, edit === undefined ? (isRemoved ? null : entry.value) : edit.value);
        }),
        ...own
          .filter(({ key }) => !here.some((entry) => entry.key === key))
          .map(({ key, value }) => row(key, null, value)),
      ],
    };
  });
}

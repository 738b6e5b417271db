/** Turns the edits of an NVS partition into a change of the board, with texts without secrets. */
import { counted } from '@wirebench/port/numbers';
import type { BoardChange } from '../../core/board-change.ts';
import type { Partition } from '../images/partition-table.ts';
import { buildNvs, changeNvs, changesOf } from './change-nvs.ts';
import {
  draftChanges,
  groupsOf,
  isChanged,
  isEmptyDraft,
  type NvsDraft,
  type NvsGroup,
  type NvsRow,
} from './nvs-draft.ts';
import { shortText } from './nvs-value-text.ts';
import type { NvsStore } from './read-nvs.ts';

/** A change of an NVS partition. */
export interface PlannedNvs {
  readonly change: BoardChange;
  /** Subject with its number: `3 changed keys`. */
  readonly what: string;
  /** Number of single changes. */
  readonly count: number;
  /** Text of each single change: `app/interval_s 60 → 300`. Contains no secret. */
  readonly entries: readonly string[];
  /** Extent of the write: `Pages 0 and 2 of 6`. */
  readonly note: string;
}

/** Longest value in the text of a change, in characters. */
const MAX_VALUE_LENGTH = 24;
/** Size of a page in bytes: one sector. */
const PAGE_SIZE = 4_096;

/**
 * Returns the planned change; null if the draft has no edit. Its texts contain no secret.
 *
 * @param store Contents as `readNvs` reads them.
 * @throws NvsError if the edits cannot be made, such as for lack of space.
 */
export function planNvs(
  partition: Pick<Partition, 'name' | 'offset' | 'size'>,
  contents: Uint8Array,
  store: NvsStore,
  draft: NvsDraft,
): PlannedNvs | null {
  if (isEmptyDraft(draft)) {
    return null;
  }
  const writes = draft.rebuilt
    ? rebuiltSectors(contents, store, draft)
    : changeNvs(contents, draftChanges(draft)).writes;
  const groups = groupsOf(store, draft);
  const count = changedKeys(groups);
  return {
    change: {
      name: partition.name,
      range: { offset: partition.offset, length: partition.size },
      basis: draft.basis,
      erases: [],
      writes: writes.map(({ offset, bytes }) => ({ offset: partition.offset + offset, bytes })),
    },
    what: draft.rebuilt && count === 0 ? 'all readable keys' : counted(count, 'changed key'),
    count: count + (draft.rebuilt ? 1 : 0),
    entries: [...(draft.rebuilt ? ['built again from its readable keys'] : []), ...groups.flatMap(entriesOf)],
    note: pagesText(
      writes.map(({ offset }) => offset / PAGE_SIZE),
      contents.length / PAGE_SIZE,
    ),
  };
}

/** Returns the sectors that differ once the partition is built from its readable keys and the edits. */
function rebuiltSectors(contents: Uint8Array, store: NvsStore, draft: NvsDraft) {
  const image = buildNvs(contents.length, [...changesOf(store), ...draftChanges(draft)], store.version);
  return Array.from({ length: contents.length / PAGE_SIZE }, (_, page) => page * PAGE_SIZE)
    .map((offset) => ({ offset, bytes: image.subarray(offset, offset + PAGE_SIZE) }))
    .filter(({ offset, bytes }) => bytes.some((byte, index) => contents[offset + index] !== byte));
}

/** Returns the number of keys that differ. A namespace without keys counts as one. */
function changedKeys(groups: readonly NvsGroup[]): number {
  return groups.reduce(
    (sum, { rows, removed }) => sum + (removed && rows.length === 0 ? 1 : rows.filter(isChanged).length),
    0,
  );
}

function entriesOf({ namespace, removed, rows }: NvsGroup): string[] {
  if (!removed) {
    return rows.filter(isChanged).map(entryText);
  }
  const deleted = rows.filter(({ before, after }) => before !== null && after === null).length;
  return [
    `${namespace} deleted with ${counted(deleted, 'key')}`,
    ...rows.filter((row) => row.after !== null).map(entryText),
  ];
}

function entryText({ namespace, key, before, after, secret }: NvsRow): string {
  const name = `${namespace}/${key}`;
  if (after === null) {
    return `${name} deleted`;
  }
  const textOf = (value: typeof after) => shortText(namespace, key, value, MAX_VALUE_LENGTH) || 'empty';
  if (before === null) {
    return secret ? `${name} added` : `${name} added: ${textOf(after)}`;
  }
  const [was, is] = [textOf(before.value), textOf(after)];
  // Long values may differ behind the place where they are cut.
  return secret || was === is ? `${name} changed` : `${name} ${was} → ${is}`;
}

/** `Page 0 of 6`, `Pages 0 and 2 of 6`, `Pages 0, 2 and 3 of 6`. */
function pagesText(pages: readonly number[], total: number): string {
  const numbers = [...new Set(pages)].sort((one, other) => one - other);
  const last = numbers.at(-1);
  return numbers.length === 1
    ? `Page ${last} of ${total}`
    : `Pages ${numbers.slice(0, -1).join(', ')} and ${last} of ${total}`;
}

/**
 * Planned changes to what a board holds: keys, files, the other slot, a restored backup, an erase. A view of *On the
 * board* makes them, and the next write carries them out together with the files.
 */
import type { BoardChange } from '@wirebench/flasher/core';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** @template Draft Edits of the view that made the change. */
export interface PlannedChange<Draft = unknown> {
  readonly change: BoardChange;
  /** Subject for the title of the plan, with its number: `3 changed keys`. */
  readonly what: string;
  /** Title of a plan with this change alone: `Erase nvs`. Missing: made from `what`. */
  readonly title?: string;
  /** Number of single changes, for the button: `Write 3 changes`. */
  readonly count: number;
  /** Text of each single change: `app/interval_s 60 → 300`. Contains no secret. */
  readonly entries: readonly string[];
  /** Extent of the write: `Pages 0 and 2 of 6`; null if it needs no words. */
  readonly note: string | null;
  /** Edits of the view, so that it shows them again when it is opened again. */
  readonly draft: Draft;
}

type Changes = Readonly<Record<PortNumber, readonly PlannedChange[]>>;

const none = Object.fromEntries(portNumbers.map((port) => [port, []])) as unknown as Changes;
const changesStore = createStore<Changes>(() => none);

/** Returns the planned changes of a board, in the order in which they were made. */
export function changesOf(port: PortNumber): readonly PlannedChange[] {
  return changesStore.getState()[port];
}

/** Sets the change of the partition or area `name`; null removes it. */
export function setChange(port: PortNumber, name: string, planned: PlannedChange | null): void {
  const others = changesOf(port).filter(({ change }) => change.name !== name);
  changesStore.setState({ [port]: planned === null ? others : [...others, planned] });
}

/** Removes all planned changes of a board: *Undo all*, a written plan, or another board. */
export function dropChanges(port: PortNumber): void {
  if (changesOf(port).length > 0) {
    changesStore.setState({ [port]: [] });
  }
}

/** Calls `listener` when the planned changes of a board have changed. */
export function watchChanges(listener: (port: PortNumber) => void): () => void {
  return changesStore.subscribe((now, before) => {
    for (const port of portNumbers.filter((one) => now[one] !== before[one])) {
      listener(port);
    }
  });
}

export function useChanges(port: PortNumber): readonly PlannedChange[] {
  return useStore(changesStore, (changes) => changes[port]);
}

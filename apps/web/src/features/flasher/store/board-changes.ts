/**
 * Planned changes to what a board holds: keys, files, the other slot, a restored backup, an erase. A view of *On the
 * board* makes them, and the next write carries them out together with the files.
 */
import type { BoardChange } from '@wirebench/flasher/core';
import { byPort, type PortNumber, portNumbers } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import type { DiskFile } from './disk-files.ts';

/** @template Draft Edits of the view that made the change. */
export interface PlannedChange<Draft = unknown> {
  readonly change: BoardChange;
  /** Subject for the title of the plan, with its number: `3 changed keys`. */
  readonly what: string;
  /** Title of a plan with this change alone: `Erase nvs`. Missing: made from `what`. */
  readonly title?: string;
  /** Extent of a change that only erases: `nvs`, `all 4 MB`. Missing: the change writes. */
  readonly erased?: string;
  /** True: it erases all of the flash, which is asked before. */
  readonly isWholeErase?: true;
  /** Number of single changes, for the button: `Write 3 changes`. */
  readonly count: number;
  /** Text of each single change: `app/interval_s 60 → 300`. Contains no secret. */
  readonly entries: readonly string[];
  /** Extent of the write: `Pages 0 and 2 of 6`; null if it needs no words. */
  readonly note: string | null;
  /** Files on the disk that its bytes came from. Missing: none. */
  readonly madeFrom?: readonly DiskFile[];
  /** Edits of the view, so that it shows them again when it is opened again. */
  readonly draft: Draft;
}

/** Changes that the last write carried out and verified. */
export interface WrittenChanges {
  /** Time of the write's end, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly changes: readonly PlannedChange[];
  /** Contents before the write, as far as they were read. */
  readonly before: readonly { readonly change: BoardChange; readonly bytes: Uint8Array }[];
}

interface BoardChanges {
  /** In the order in which they were made. */
  readonly planned: readonly PlannedChange[];
  /** Null: the last write had none. */
  readonly written: WrittenChanges | null;
}

const boards = pageStore(byPort((): BoardChanges => ({ planned: [], written: null })));

/** Returns the extent of changes that only erase: `nvs and coredump`, `all 4 MB`; null if one of them writes, or if there are none. */
export function erasedBy(changes: readonly PlannedChange[]): readonly string[] | null {
  const names = changes.flatMap(({ erased }) => erased ?? []);
  return names.length === 0 || names.length < changes.length ? null : names;
}

function changeBoard(port: PortNumber, change: Partial<BoardChanges>): void {
  boards.setState((all) => ({ [port]: { ...all[port], ...change } }));
}

/** @param written Null: another board, or none. */
export function setWritten(port: PortNumber, written: WrittenChanges | null): void {
  changeBoard(port, { written });
}

/** Returns the last written changes of a board; null if the last write had none. */
export function useWritten(port: PortNumber): WrittenChanges | null {
  return boards.use((all) => all[port].written);
}

/** Returns the planned changes of a board, in the order in which they were made. */
export function changesOf(port: PortNumber): readonly PlannedChange[] {
  return boards.getState()[port].planned;
}

/** Sets the change of the partition or area `name`; null removes it. */
export function setChange(port: PortNumber, name: string, planned: PlannedChange | null): void {
  const others = changesOf(port).filter(({ change }) => change.name !== name);
  changeBoard(port, { planned: planned === null ? others : [...others, planned] });
}

/** Removes all planned changes of a board: *Undo all*, a written plan, or another board. */
export function dropChanges(port: PortNumber): void {
  if (changesOf(port).length > 0) {
    changeBoard(port, { planned: [] });
  }
}

/** Calls `listener` when the planned changes of a board have changed. */
export function watchChanges(listener: (port: PortNumber) => void): () => void {
  return boards.subscribe((now, before) => {
    for (const port of portNumbers.filter((one) => now[one].planned !== before[one].planned)) {
      listener(port);
    }
  });
}

export function useChanges(port: PortNumber): readonly PlannedChange[] {
  return boards.use((all) => all[port].planned);
}

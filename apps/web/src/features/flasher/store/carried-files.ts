/**
 * Files that were given to one flasher and belong in another. They go along by themselves where nothing is lost by it,
 * else when a person opens the other flasher.
 */
import { type FamilyId, families } from '@wirebench/boards';
import { portNumbers } from '@wirebench/serial';
import { appNavigation } from '../../../shared/app-navigation.ts';
import { isBusy } from '../state/flash-state.ts';
import { hasImage } from './board-builds.ts';
import type { DiskFile } from './disk-files.ts';
import { type FlasherState, flasherStore, flashOf } from './flasher-store.ts';
import { acquiredPort } from './port-owners.ts';

/** Files that a family's page has refused last, with the ways to read them again. */
const refused = new Map<FamilyId, readonly DiskFile[]>();

interface Carried {
  readonly family: FamilyId;
  readonly files: readonly DiskFile[];
  /** Null: a person opened the flasher. */
  readonly arrival: FlasherState['arrival'];
}

let carried: Carried | null = null;

/**
 * Keeps the files of the last call if they belong elsewhere. Opens the flasher that alone takes them, unless the shown
 * one is in use: it has files, or a board. Without this document's way to other pages the files would be lost.
 *
 * @param wasUsed True: the page had a release until the files came.
 */
export function noteElsewhere(files: readonly DiskFile[], wasUsed: boolean): void {
  const state = flasherStore().getState();
  const { elsewhere } = state.chosen;
  const from = state.family.name;
  refused.set(from, elsewhere === undefined ? [] : files);
  const { show } = appNavigation;
  if (elsewhere?.only && !wasUsed && !isUsed(state) && location.pathname === families[from].page && show !== null) {
    carried = { family: elsewhere.family, files, arrival: { from, names: elsewhere.names } };
    show(families[elsewhere.family].page);
  }
}

function isUsed(state: FlasherState): boolean {
  const hasBoard = portNumbers.some(
    (port) => flashOf(port).board !== null || isBusy(flashOf(port)) || acquiredPort(port) !== null,
  );
  return hasBoard || state.batchMode || hasImage(state) || state.chosen.builds !== undefined;
}

/** Takes the refused files along to the flasher of the family. */
export function carryFiles(family: FamilyId): void {
  const from = flasherStore().getState().family.name;
  carried = { family, files: refused.get(from) ?? [], arrival: null };
  refused.delete(from);
  flasherStore().setState(({ chosen: { elsewhere: _, ...chosen } }) => ({ chosen }));
}

/** Adds the files that were carried to this family, once. Those that were carried elsewhere are forgotten. */
export async function takeCarried(take: (files: readonly DiskFile[]) => Promise<void>): Promise<void> {
  const own = carried;
  carried = null;
  const { getState, setState } = flasherStore();
  if (own?.family === getState().family.name && own.files.length > 0) {
    await take(own.files);
    setState({ arrival: own.arrival });
  }
}

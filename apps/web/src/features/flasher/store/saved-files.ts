/**
 * Files of each board that its write takes: sent to the downloads before the write, and offered again as long as this page
 * holds them. After a failed write, data that it was to put back is held too. Loaded with the first plan.
 */
import type { FamilyId } from '@wirebench/boards';
import { isSame } from '@wirebench/flasher/core';
import { byPort, type PortNumber, portNumbers } from '@wirebench/serial';
import type { PlanFacts, SavedArchive } from '../../../protocol/flash-protocol.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { pageStore } from '../../../shared/page-store.ts';
import type { FlashPhase } from '../state/flash-state.ts';
import { getFlasher } from './flasher-line.ts';
import { flashOf, shownFamily, watchFlashers } from './flasher-store.ts';

export interface HeldFiles {
  /** Family whose flasher holds them. */
  readonly family: FamilyId | null;
  /** Files of file systems. */
  readonly archives: readonly SavedArchive[];
  /** Plan that takes the archives; null without any. */
  readonly plan: PlanFacts | null;
  /** Name under which the archives went to the downloads; null if they did not. */
  readonly sentAs: string | null;
  /** Data beside files that a failed write was to put back. The next write does. */
  readonly left: readonly SavedArchive[];
}

const none: HeldFiles = { family: null, archives: [], plan: null, sentAs: null, left: [] };

const boards = pageStore(byPort(() => none));

const change = (port: PortNumber, held: Partial<HeldFiles>) =>
  boards.setState((all) => ({ [port]: { ...all[port], ...held, family: shownFamily()?.name ?? null } }));

/** Returns what the shown flasher holds of the board at a port. */
export function useHeldFiles(port: PortNumber): HeldFiles {
  const held = boards.use((all) => all[port]);
  return held.family === shownFamily()?.name ? held : none;
}

const phases = new Map<PortNumber, FlashPhase>();

watchFlashers(() => {
  for (const port of portNumbers) {
    const { phase, source } = flashOf(port);
    if (phase === phases.get(port)) {
      continue;
    }
    phases.set(port, phase);
    if (phase === 'connecting' && source?.kind !== 'same') {
      boards.setState({ [port]: none });
    } else if (phase === 'restarting') {
      // The write has put back what an earlier one has left.
      change(port, { left: [] });
    }
  }
});

/**
 * Sends the files that the plan takes to the downloads, unless the same bytes went there before.
 *
 * @throws for files that cannot be read or sent.
 */
export async function saveFirst(port: PortNumber, plan: PlanFacts): Promise<null> {
  try {
    const before = boards.getState()[port];
    const archives = await archivesOf(port);
    const isSent = before.sentAs !== null && (await areSame(archives, before.archives));
    change(port, { archives, plan, ...(!isSent && { sentAs: null }) });
    if (!isSent) {
      change(port, { sentAs: await send(port, archives) });
    }
    return null;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The files of the board could not be saved. ${why}`, { cause });
  }
}

/** Holds the files that the plan takes, without saving them: a person has given them up. */
export async function holdUnsaved(port: PortNumber, plan: PlanFacts): Promise<null> {
  const archives = await archivesOf(port).catch(() => []);
  change(port, { archives, plan, sentAs: null });
  return null;
}

/** Sends the held files to the downloads once more. */
export async function saveAgain(port: PortNumber): Promise<void> {
  change(port, { sentAs: await send(port, boards.getState()[port].archives) });
}

/** Sends what a failed write was to put back to the downloads. */
export async function saveLeft(port: PortNumber): Promise<void> {
  await send(port, boards.getState()[port].left);
}

/** Holds what a failed write has left in memory. */
export async function holdLeft(port: PortNumber): Promise<void> {
  const files = await savedFiles(port).catch(() => []);
  change(port, { left: files.filter(isRest) });
}

const isRest = ({ offset }: SavedArchive) => offset !== undefined;

const savedFiles = async (port: PortNumber): Promise<readonly SavedArchive[]> =>
  (await getFlasher().call('savedFiles', port)) ?? [];

async function archivesOf(port: PortNumber): Promise<readonly SavedArchive[]> {
  const archives = (await savedFiles(port)).filter((file) => !isRest(file));
  if (archives.length === 0) {
    throw new Error('The board’s files are not in this page any more. Connect the board again.');
  }
  return archives;
}

async function areSame(some: readonly SavedArchive[], others: readonly SavedArchive[]): Promise<boolean> {
  if (some.length !== others.length) {
    return false;
  }
  for (const [index, { name, content }] of some.entries()) {
    const other = others[index];
    if (other?.name !== name || other.content.size !== content.size) {
      return false;
    }
    const [one, two] = await Promise.all(
      [content, other.content].map(async (blob) => new Uint8Array(await blob.arrayBuffer())),
    );
    if (one === undefined || two === undefined || !isSame(one, two)) {
      return false;
    }
  }
  return true;
}

/** Sends files as one download: a browser may hold back the second one of a press. @returns its name. */
async function send(port: PortNumber, files: readonly SavedArchive[]): Promise<string> {
  const [first, ...others] = files;
  if (first !== undefined && others.length === 0) {
    saveFile(first.content, first.name);
    return first.name;
  }
  const { zipFiles } = await import('../../../workbench/recording/zip-files.ts');
  const at = Date.now();
  const name = `${(flashOf(port).board?.name ?? 'board').toLowerCase()}-files.zip`;
  saveFile(
    await zipFiles(
      files.map((file) => ({ ...file, lastModified: at })),
      () => undefined,
    ),
    name,
  );
  return name;
}

/** Adds, removes, places and renews the files to write. */
import { baseName } from '@wirebench/flasher/core';
import { type ChosenFiles, type FileFacts, type GivenBuilds, originOf } from '../../../protocol/flash-protocol.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { dropBuilds } from './board-builds.ts';
import { noteElsewhere } from './carried-files.ts';
import {
  changedFiles,
  type DiskFile,
  type FileFault,
  type GivenBatches,
  givenFile,
  isOnDisk,
  newestFiles,
} from './disk-files.ts';
import { getFlasher } from './flasher-line.ts';
import { flasherStore, noOverrides } from './flasher-store.ts';
import { outdateResults, planSoon } from './plan-actions.ts';

/** Adds the user's own files. The image no longer counts as the release, even if files of the release remain. */
export async function addFiles(files: readonly DiskFile[]): Promise<void> {
  if (files.length > 0) {
    leaveRelease();
    await giveFiles(files);
  }
}

/** From here on the files are no longer those of the release. */
function leaveRelease(): void {
  flasherStore().setState({ release: null, arrival: null });
  void dropBuilds();
}

/** Adds dropped or chosen files once they are found. A folder may contain no firmware. */
export async function takeFiles(finding: readonly DiskFile[] | Promise<readonly DiskFile[]>): Promise<void> {
  let files: readonly DiskFile[];
  try {
    files = await finding;
  } catch (error) {
    unreadable(error);
    return;
  }
  if (files.length === 0) {
    const text = 'No firmware was found there. Choose the output folder of your build, or the files in it.';
    toast(text, { level: 'error' });
  }
  const hadRelease = flasherStore().getState().release !== null;
  await addFiles(files);
  noteElsewhere(files, hadRelease);
}

/** End of the latest change to the chosen files. Changes follow each other, because a renewal replaces all files. */
let latest: Promise<unknown> = Promise.resolve();

export function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
  const result = latest.then(act);
  latest = result.catch(() => undefined);
  return result;
}

/** Passes files from any origin to the host. */
export function giveFiles(files: readonly DiskFile[]): Promise<void> {
  flasherStore().setState({ reading: true });
  return inTurn(async () => {
    try {
      await withdrawFaulty(files);
      const chosen = await getFlasher().call('addFiles', files.map(givenFile));
      const names = new Set(files.map(({ name }) => name));
      flasherStore().setState(({ given, withdrawn }) => ({
        given: [...given.map((batch) => batch.filter(({ name }) => !names.has(name))), files],
        withdrawn: withdrawn.filter(({ from }) => !names.has(from)),
      }));
      take(chosen);
    } catch (error) {
      unreadable(error);
    } finally {
      flasherStore().setState({ reading: false });
    }
  });
}

/** Removes the chosen files that could not be read again and are given again, perhaps from another folder. */
async function withdrawFaulty(files: readonly DiskFile[]): Promise<void> {
  const { fileFaults, chosen } = flasherStore().getState();
  const named = (all: readonly { readonly name: string }[], name: string) =>
    all.filter((file) => baseName(file.name) === baseName(name)).length;
  // A name alone does not tell which of several files it replaces.
  const replaced = fileFaults.filter(
    ({ name }) =>
      files.some((file) => file.name === name) || (named(files, name) === 1 && named(fileFaults, name) === 1),
  );
  const ids = chosen.files
    .filter((file) => replaced.some(({ name }) => name === originOf(file).from))
    .map(({ id }) => id);
  if (ids.length > 0) {
    take(await getFlasher().call('removeFiles', ids));
  }
  flasherStore().setState({ fileFaults: fileFaults.filter((fault) => !replaced.includes(fault)) });
}

function unreadable(error: unknown): void {
  toast(`The files could not be read: ${error instanceof Error ? error.message : String(error)}`, { level: 'error' });
}

/** Returns the names of the given files that are written, or followed as a list. */
export const usedNames = ({ files, list }: ChosenFiles): ReadonlySet<string> =>
  new Set([...files.map((file) => originOf(file).from), ...(list === undefined ? [] : [list])]);

/** Outcome of reading the chosen files again. `faulty`: one cannot be read, and the page says which. */
export type Renewal = 'same' | 'changed' | 'faulty';

let renewing: Promise<Renewal> | null = null;

/** Reads all chosen files again. Those that have changed replace the old ones, and plans are made again. */
export function renewFiles(): Promise<Renewal> {
  if (renewing === null) {
    renewing = inTurn(renewNow).finally(() => {
      renewing = null;
    });
  }
  return renewing;
}

/** Times that the files are read before the build counts as running, and the pause in between in milliseconds. */
const attempts = { count: 3, pause: 300 };

async function renewNow(): Promise<Renewal> {
  let renewal: Renewal = 'same';
  for (let attempt = 1; ; attempt++) {
    const { given, chosen, withdrawn } = flasherStore().getState();
    if (chosen.files.length === 0 || !given.flat().some(isOnDisk)) {
      flasherStore().setState({ fileFaults: [] });
      return renewal;
    }
    const { batches, faults } = await newestFiles(given, usedNames(chosen), withdrawn);
    if (faults.length > 0) {
      return faulty(faults);
    }
    try {
      const renewed = await getFlasher().call(
        'renewFiles',
        batches.map((batch) => batch.map(givenFile)),
        withdrawn,
      );
      renewal = takeRenewed(renewed, batches) ? 'changed' : renewal;
      const changed = await changedInUse();
      if (changed.length === 0) {
        flasherStore().setState({ fileFaults: [] });
        return renewal;
      }
      if (attempt === attempts.count) {
        return faulty(changed.map(({ name }) => ({ name, code: 'busy' })));
      }
    } catch (error) {
      const changed = await changedInUse();
      if (changed.length === 0) {
        unreadable(error);
        return 'faulty';
      }
      if (attempt === attempts.count) {
        return faulty(changed);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, attempts.pause));
  }
}

/** Returns the faults of the given files that are in use. */
export function changedInUse(): Promise<readonly FileFault[]> {
  const { given, chosen } = flasherStore().getState();
  const used = usedNames(chosen);
  return changedFiles(given.flat().filter(({ name }) => used.has(name)));
}

function faulty(fileFaults: readonly FileFault[]): Renewal {
  flasherStore().setState({ fileFaults });
  outdateResults();
  return 'faulty';
}

/**
 * Notes what the worker has read of the given files.
 *
 * @returns True if the files differ from those before.
 */
export function takeRenewed(next: ChosenFiles | null, given: GivenBatches): boolean {
  flasherStore().setState({ given });
  if (next === null) {
    return false;
  }
  const { chosen: before, typedOffsets, renewed } = flasherStore().getState();
  const olderOf = (file: FileFacts) => {
    const { from, name } = originOf(file);
    return before.files.find((other) => originOf(other).from === from && other.name === name);
  };
  const offsets: Record<number, string> = {};
  for (const file of next.files) {
    const typed = typedOffsets[olderOf(file)?.id ?? -1];
    if (typed !== undefined) {
      offsets[file.id] = typed;
    }
  }
  const changed = next.files.flatMap((file) => {
    const older = olderOf(file);
    const content = given.flat().find(({ name }) => name === originOf(file).from)?.content;
    const isOther = older === undefined || older.sha256 !== file.sha256 || older.size !== file.size;
    return isOther && content instanceof File ? [{ name: file.name, at: content.lastModified }] : [];
  });
  const others = renewed.filter(({ name }) => !changed.some((file) => file.name === name));
  leaveRelease();
  flasherStore().setState({
    chosen: next,
    typedOffsets: offsets,
    overrides: noOverrides,
    renewed: [...others, ...changed],
  });
  planSoon();
  return true;
}

let looks = false;

/** Looks for changed files whenever the person comes back to the page. Once for each document. */
export function watchDisk(): void {
  if (looks) {
    return;
  }
  looks = true;
  const look = async () => {
    const { given, fileFaults } = flasherStore().getState();
    const isSeen = document.visibilityState === 'visible' && given.flat().some(isOnDisk);
    if (isSeen && (fileFaults.length > 0 || (await changedInUse()).length > 0)) {
      await renewFiles();
    }
  };
  window.addEventListener('focus', () => void look());
  document.addEventListener('visibilitychange', () => void look());
}

export function removeFile(id: number): Promise<void> {
  leaveRelease();
  return inTurn(async () => {
    const file = flasherStore()
      .getState()
      .chosen.files.find((one) => one.id === id);
    if (file !== undefined) {
      flasherStore().setState(({ withdrawn }) => ({ withdrawn: [...withdrawn, originOf(file)] }));
    }
    take(await getFlasher().call('removeFiles', [id]));
  });
}

/** Removes all files, and the release that they came from. */
export async function removeAllFiles(): Promise<void> {
  flasherStore().setState({ typedOffsets: {}, release: null });
  await dropBuilds();
  await inTurn(async () => {
    const ids = flasherStore()
      .getState()
      .chosen.files.map((file) => file.id);
    take(await getFlasher().call('removeFiles', ids));
  });
}

export function typeOffset(id: number, text: string): void {
  flasherStore().setState(({ typedOffsets }) => ({
    typedOffsets: { ...typedOffsets, [id]: text },
    overrides: noOverrides,
    release: null,
  }));
  planSoon();
}

/** Notes the files that are chosen now. A given file that was used and no longer is, is not read again. */
function take(chosen: ChosenFiles): void {
  const { chosen: before, given } = flasherStore().getState();
  const [used, wasUsed] = [usedNames(chosen), usedNames(before)];
  // The files of a build that is not picked, or of several to choose from, are kept for the next choice.
  const isOpen = chosen.builds !== undefined;
  const none = chosen.files.length === 0 && !isOpen;
  const left = given.map((batch) => batch.filter(({ name }) => isOpen || used.has(name) || !wasUsed.has(name)));
  const replaced = isOpen ? [] : before.files.map(originOf).filter(({ from }) => !used.has(from));
  flasherStore().setState(({ withdrawn, fileFaults, renewed }) => ({
    chosen,
    overrides: noOverrides,
    given: none ? [] : left.filter((batch) => batch.length > 0),
    withdrawn: none ? [] : [...withdrawn, ...replaced],
    fileFaults: fileFaults.filter(({ name }) => used.has(name)),
    renewed: renewed.filter(({ name }) => chosen.files.some((file) => file.name === name)),
  }));
  planSoon();
}

/** Build that a person has chosen among those that were given together; it is kept for every board. */
let pickedByHand: string | null = null;

/** Returns the builds that may be for a board; all while its chip is unknown, or if none is for it. */
export function fittingBuilds({ options }: GivenBuilds, chip: string | null): GivenBuilds['options'] {
  const own = options.filter((option) => option.chip === chip);
  const open = options.filter((option) => option.chip === null);
  return chip === null || own.length + open.length === 0 ? options : [...own, ...open];
}

/** Takes the only build for a board's chip. Does nothing if there are none or several, or if a person has chosen. */
export async function settleBuild(chip: string): Promise<void> {
  const { builds } = flasherStore().getState().chosen;
  const [only, second] = builds === undefined ? [] : fittingBuilds(builds, chip);
  const isByHand = builds?.picked !== null && builds?.picked === pickedByHand;
  if (!isByHand && only?.chip === chip && second === undefined && only.name !== builds?.picked) {
    await inTurn(async () => take(await getFlasher().call('pickBuild', only.name)));
  }
}

/** Takes the build that a person has chosen. */
export async function pickBuild(name: string): Promise<void> {
  pickedByHand = name;
  await inTurn(async () => take(await getFlasher().call('pickBuild', name)));
}

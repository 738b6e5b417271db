/** Adds, removes and places the files to write. */

import type { ChosenFiles, GivenFile } from '../../../protocol/flash-protocol.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { changedContents, type DiskFile, hasNoDiskFiles, lookAtDisk, noteDiskFiles } from './disk-files.ts';
import { getFlasher } from './flasher-line.ts';
import { flasherStore, noOverrides } from './flasher-store.ts';
import { outdateResults, planSoon } from './plan-actions.ts';
import { dropBuilds } from './release-builds.ts';

/** Adds the user's own files. The image no longer counts as the release, even if files of the release remain. */
export async function addFiles(files: readonly GivenFile[]): Promise<void> {
  if (files.length > 0) {
    leaveRelease();
    await giveFiles(files);
  }
}

/** From here on the files are no longer those of the release. */
function leaveRelease(): void {
  flasherStore().setState({ release: null });
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
  noteDiskFiles(files);
  await addFiles(files.map(({ reread: _, ...file }) => file));
}

/**
 * Reads the files again that have changed on the disk since they were chosen. Resolves when they are placed.
 */
export async function rereadFiles(): Promise<void> {
  const files = await changedContents();
  noteDiskFiles(files);
  if (files.length > 0) {
    leaveRelease();
    await giveFiles(files.map(({ reread: _, ...file }) => file));
  }
}

let looks = false;

/** Looks for changed files whenever the person comes back to the page. Once for each document. */
export function watchDisk(): void {
  if (looks) {
    return;
  }
  looks = true;
  const look = async () => {
    const names = flasherStore()
      .getState()
      .chosen.files.map(({ name }) => name);
    if (document.visibilityState === 'visible' && !hasNoDiskFiles() && (await lookAtDisk(names))) {
      outdateResults();
    }
  };
  window.addEventListener('focus', () => void look());
  document.addEventListener('visibilitychange', () => void look());
}

/** Passes files from any origin to the host. */
export async function giveFiles(files: readonly GivenFile[]): Promise<void> {
  flasherStore().setState({ reading: true });
  try {
    take(await getFlasher().call('addFiles', files));
  } catch (error) {
    unreadable(error);
  } finally {
    flasherStore().setState({ reading: false });
  }
}

function unreadable(error: unknown): void {
  toast(`The files could not be read: ${error instanceof Error ? error.message : String(error)}`, { level: 'error' });
}

export async function removeFile(id: number): Promise<void> {
  leaveRelease();
  take(await getFlasher().call('removeFiles', [id]));
}

/** Removes all files, and the release that they came from. */
export async function removeAllFiles(): Promise<void> {
  const { chosen } = flasherStore().getState();
  const ids = chosen.files.map((file) => file.id);
  flasherStore().setState({ typedOffsets: {}, release: null });
  await dropBuilds();
  take(await getFlasher().call('removeFiles', ids));
}

export function typeOffset(id: number, text: string): void {
  flasherStore().setState(({ typedOffsets }) => ({
    typedOffsets: { ...typedOffsets, [id]: text },
    overrides: noOverrides,
    release: null,
  }));
  planSoon();
}

function take(chosen: ChosenFiles): void {
  flasherStore().setState({ chosen, overrides: noOverrides });
  planSoon();
}

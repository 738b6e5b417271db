/** Choosing files: given, removed, placed by hand. */
import { toast } from '../../../shared/ui/toast.ts';
import type { ChosenFiles, GivenFile } from '../flash-protocol.ts';
import { getFlasher } from './flasher-line.ts';
import { flasherStore, noOverrides } from './flasher-store.ts';
import { planSoon } from './plan-actions.ts';

/** A person's own files: what is written then is no release any more, even beside its files. */
export async function addFiles(files: readonly GivenFile[]): Promise<void> {
  if (files.length > 0) {
    flasherStore().setState({ release: null });
    await giveFiles(files);
  }
}

/** What a person has dropped or chosen, as soon as it is found: a folder may hold nothing that is for a board. */
export async function takeFiles(finding: readonly GivenFile[] | Promise<readonly GivenFile[]>): Promise<void> {
  let files: readonly GivenFile[];
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
  await addFiles(files);
}

/** Hands files to the host, wherever they are from. */
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
  flasherStore().setState({ release: null });
  take(await getFlasher().call('removeFiles', [id]));
}

/** Takes all files away, and whatever release they came from. */
export async function removeAllFiles(): Promise<void> {
  const { chosen } = flasherStore().getState();
  const ids = chosen.files.map((file) => file.id);
  flasherStore().setState({ typedOffsets: {}, release: null });
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

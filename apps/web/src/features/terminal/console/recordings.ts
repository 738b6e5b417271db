/** Starts, stops, saves and deletes recordings, and lists the files that are not saved yet. */
import { systemClock } from '@wirebench/clock';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { saveFile } from '../../../shared/files/save-file.ts';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import {
  canRecord,
  finishedRecordings,
  type RecordedFile,
  recordedFile,
  removeRecording,
} from '../../../shared/storage/recording-folder.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { SavedRecordings } from '../../../workbench/recording/saved-recordings.ts';

const saved = new SavedRecordings({
  locks: () => navigator.locks,
  storage: browserStorage,
  clock: systemClock,
  remove: removeRecording,
});

interface Recordings {
  /** Finished but unsaved recordings, oldest first. */
  readonly unsaved: readonly RecordedFile[];
}

const recordings = createStore<Recordings>(() => ({ unsaved: [] }));

export function useUnsavedRecordings(): readonly RecordedFile[] {
  return useStore(recordings, ({ unsaved }) => unsaved);
}

/** Deletes files that were saved on an earlier visit. Lists the files left by a crash or a closed tab. */
export async function findRecordings(): Promise<void> {
  if (canRecord()) {
    await saved.sweep();
    await refresh();
  }
}

export async function startRecording(): Promise<void> {
  try {
    await getBench().call('startRecording');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toast(`Recording could not start: ${reason} Free some disk space, then try again.`, { level: 'error' });
  }
}

/**
 * Stops recording. A single file is saved at once. Several files get one button each, because browsers ask about
 * multiple downloads.
 */
export async function stopRecording(): Promise<void> {
  const files = await getBench().call('stopRecording');
  const [only] = files;
  if (only === undefined) {
    toast('Nothing was received while recording, so there is no file.', { level: 'info' });
  } else if (files.length === 1) {
    await saveRecording(only);
  }
  await refresh();
}

/** Closes a failed recording and offers the part that was written. */
export async function collectFailedRecording(): Promise<void> {
  await getBench().call('stopRecording');
  await refresh();
}

export async function saveRecording(name: string): Promise<void> {
  try {
    if (!(await saved.own(name))) {
      toast('Another tab has saved this recording.', { level: 'info' });
      await refresh();
      return;
    }
    saveFile(await recordedFile(name), name);
    await saved.saved(name);
    toast('Recording saved to file');
  } catch (error) {
    failed('The recording could not be saved.', error);
  }
  await refresh();
}

export async function deleteRecording(name: string): Promise<void> {
  try {
    if (!(await saved.delete(name))) {
      toast('Another tab is saving this recording, so it was not deleted.', { level: 'info' });
    }
  } catch (error) {
    failed('The recording could not be deleted.', error);
  }
  await refresh();
}

function failed(text: string, error: unknown): void {
  if (!(error instanceof DOMException)) {
    throw error;
  }
  const detail = error.name === 'NotFoundError' ? 'The file is gone: another tab may have deleted it.' : error.message;
  toast(text, { level: 'error', detail });
}

async function refresh(): Promise<void> {
  const unsaved = (await finishedRecordings()).filter(({ name }) => !saved.has(name));
  recordings.setState({ unsaved });
}

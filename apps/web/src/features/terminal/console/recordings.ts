/** Recording, as the terminal offers it: starting, stopping, and the files that nobody has saved yet. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { saveFile } from '../../../shared/files/save-file.ts';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import {
  finishedRecordings,
  type RecordedFile,
  recordedFile,
  removeRecording,
} from '../../../workbench/recording/recording-folder.ts';

/** Names of files that were handed to the downloads. They can only go once nobody may be reading them any more. */
const savedKey = 'wirebench.saved-recordings';

/** The same names of this page, where the storage has no room for them: the files are offered once more on the next visit then. */
const savedHere = new Set<string>();

interface Recordings {
  /** Finished and not saved, oldest first. */
  readonly unsaved: readonly RecordedFile[];
}

const recordings = createStore<Recordings>(() => ({ unsaved: [] }));

export function useUnsavedRecordings(): readonly RecordedFile[] {
  return useStore(recordings, ({ unsaved }) => unsaved);
}

/** Removes what was saved on an earlier visit and finds what a crash or a closed tab has left. Once per page. */
export async function findRecordings(): Promise<void> {
  for (const name of savedNames()) {
    try {
      await removeRecording(name);
    } catch (error) {
      if (!(error instanceof DOMException)) {
        throw error;
      }
      // It is gone already, or another tab is at it.
    }
  }
  browserStorage.removeItem(savedKey);
  await refresh();
}

export async function startRecording(): Promise<void> {
  try {
    await getBench().call('startRecording');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toast(`Recording could not start: ${reason} Free some disk space, then try again.`, { level: 'error' });
  }
}

/** A recording of one port is saved at once; of several, each has its own button: browsers ask about many downloads. */
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

/** After a recording failed: what it has is closed, and offered. */
export async function collectFailedRecording(): Promise<void> {
  await getBench().call('stopRecording');
  await refresh();
}

export async function saveRecording(name: string): Promise<void> {
  saveFile(await recordedFile(name), name);
  savedHere.add(name);
  rememberSaved();
  toast('Recording saved to file');
  await refresh();
}

export async function deleteRecording(name: string): Promise<void> {
  await removeRecording(name);
  await refresh();
}

async function refresh(): Promise<void> {
  const saved = savedNames();
  const unsaved = (await finishedRecordings()).filter(({ name }) => !saved.includes(name));
  recordings.setState({ unsaved });
}

function savedNames(): string[] {
  return [...(browserStorage.getItem(savedKey) ?? '').split('\n').filter(Boolean), ...savedHere];
}

function rememberSaved(): void {
  try {
    browserStorage.setItem(savedKey, [...new Set(savedNames())].join('\n'));
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
  }
}

/**
 * Starts, stops, saves and deletes recordings. `startRecording` and `stopRecording` are for all parts of the terminal
 * that record. The work is in `recording-shelf.ts`, which pages without recordings do not load.
 */
import { canRecord, hasRecordings } from '../../../shared/storage/recording-folder.ts';
import { toast } from '../../../shared/ui/toast.ts';
import type { RecordingChoice, SaveProgress } from './recording-store.ts';

/** Null until something was recorded, or was found from earlier visits. */
let shelf: Promise<typeof import('./recording-shelf.ts')> | null = null;

/** Runs `work` with the code of recordings. Returns null, after a message, if it cannot be loaded. */
async function withShelf<Result>(
  work: (loaded: typeof import('./recording-shelf.ts')) => Promise<Result>,
): Promise<Result | null> {
  shelf ??= import('./recording-shelf.ts');
  try {
    await shelf;
  } catch {
    shelf = null;
    toast('The code for recordings could not be loaded. Check the connection, then try again.', { level: 'error' });
    return null;
  }
  return work(await shelf);
}

/** Deletes files that were saved on an earlier visit. Lists the files left by a crash or a closed tab. */
export async function findRecordings(): Promise<void> {
  if (canRecord() && (await hasRecordings())) {
    await withShelf((loaded) => loaded.findRecordings());
  }
}

/**
 * Starts a recording beside those that run.
 *
 * @returns Its id; null if it could not start, which the user has been told.
 */
export const startRecording = (choice: RecordingChoice): Promise<string | null> =>
  withShelf((loaded) => loaded.startRecording(choice));

/**
 * Stops a recording.
 *
 * @param save True, the default: a single file is saved to the downloads at once. Several files wait for a press,
 *   because browsers ask about multiple downloads. False: the recording stays in the list.
 */
export async function stopRecording(id: string, { save = true }: { readonly save?: boolean } = {}): Promise<void> {
  await withShelf((loaded) => loaded.stopRecording(id, save));
}

/** Stops all recordings of this tab, and leaves them in the list. */
export async function stopRecordings(): Promise<void> {
  await withShelf((loaded) => loaded.stopRecordings());
}

/** Reads the list again, if there can be anything in it. */
export async function listRecordings(): Promise<void> {
  if (shelf !== null) {
    await withShelf((loaded) => loaded.listRecordings());
  }
}

/** Saves a recording to the downloads: its file, or a zip archive of its files. */
export async function saveRecording(id: string, progress: SaveProgress = {}): Promise<void> {
  await withShelf((loaded) => loaded.saveRecording(id, progress));
}

/** Saves one file of a recording to the downloads. The recording stays as it is. */
export async function saveRecordedFile(name: string): Promise<void> {
  await withShelf((loaded) => loaded.saveRecordedFile(name));
}

export async function deleteRecording(id: string): Promise<void> {
  await withShelf((loaded) => loaded.deleteRecording(id));
}

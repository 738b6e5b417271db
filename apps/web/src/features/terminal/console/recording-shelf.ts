/**
 * Starts, stops, saves and deletes recordings, and lists those of this browser. Loaded by `recordings.ts` when it is
 * needed first.
 */
import { systemClock } from '@wirebench/clock';
import { portNumbers } from '@wirebench/serial';
import type { PortNames } from '../../../protocol/bench/port-part.ts';
import type { StoppedRecording } from '../../../protocol/bench/recording-part.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { recordedFile } from '../../../shared/storage/recording-folder.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { SavedRecordings } from '../../../workbench/recording/saved-recordings.ts';
import { removeLeftOvers, removeRecording, storedRecordings } from '../../../workbench/recording/stored-recordings.ts';
import { portName, terminalSettingsNow } from '../settings/settings-store.ts';
import { type ListedRecording, type RecordingChoice, type SaveProgress, setRecordings } from './recording-store.ts';

const saved = new SavedRecordings({
  locks: () => navigator.locks,
  storage: browserStorage,
  clock: systemClock,
  remove: removeRecording,
});

/** Deletes files that were saved on an earlier visit. Lists the files left by a crash or a closed tab. */
export async function findRecordings(): Promise<void> {
  await saved.sweep();
  await removeLeftOvers(Date.now());
  await listRecordings();
}

/**
 * Starts a recording beside those that run.
 *
 * @returns Its id; null if it could not start, which the user has been told.
 */
export async function startRecording({
  kind,
  ports = portNumbers,
  splitBytes = null,
  folder = null,
}: RecordingChoice): Promise<string | null> {
  const names = portNumbers.map((port) => [port, portName(terminalSettingsNow(), port)] as const);
  const portNames = Object.fromEntries(names) as PortNames;
  try {
    const id = await getBench().call('startRecording', { kind, ports, portNames, splitBytes, folder });
    ownIds.add(id);
    if (folder === null) {
      await listRecordings();
    } else {
      toast(`Recording into the folder ${folder.name}`, { level: 'info' });
    }
    return id;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = folder === null ? 'Free some disk space' : 'Choose another folder';
    toast(`Recording could not start: ${reason} ${remedy}, then try again.`, { level: 'error' });
    return null;
  }
}

/**
 * Stops a recording.
 *
 * @param save True: a single file is saved to the downloads at once. Several files wait for a press, because browsers
 *   ask about multiple downloads. False: the recording stays in the list.
 */
export async function stopRecording(id: string, save: boolean): Promise<void> {
  const stopped = await getBench().call('stopRecording', id);
  if (stopped !== null) {
    await told(stopped, save);
  }
  await listRecordings();
}

/** Stops all recordings of this tab, and leaves them in the list. */
export async function stopRecordings(): Promise<void> {
  await Promise.all(benchStatus.tick.recordings.map(({ id }) => stopRecording(id, false)));
}

async function told({ id, files, folder }: StoppedRecording, save: boolean): Promise<void> {
  if (files.length === 0) {
    toast('Nothing was received while recording, so there is no file.', { level: 'info' });
  } else if (folder !== null) {
    const others = files.length > 1 ? ` and ${counted(files.length - 1, 'more file')}` : '';
    toast(`Recording is in the folder ${folder}`, { detail: `${files[0]}${others}` });
  } else if (save && files.length === 1) {
    await saveRecording(id);
  }
}

/** Saves a recording to the downloads: its file, or a zip archive of its files. */
export async function saveRecording(id: string, { onProgress, signal }: SaveProgress = {}): Promise<void> {
  try {
    await handOver(id, onProgress ?? (() => undefined), signal);
  } catch (error) {
    if (signal?.aborted !== true) {
      failed('The recording could not be saved.', error);
    }
  }
  await listRecordings();
}

async function handOver(id: string, onProgress: (bytes: number) => void, signal?: AbortSignal): Promise<void> {
  const recording = (await storedRecordings()).find((stored) => stored.id === id);
  if (recording === undefined) {
    throw new DOMException('There is no such recording.', 'NotFoundError');
  }
  const files = await Promise.all(recording.files.map(({ name }) => recordedFile(name)));
  const [only] = files;
  // The archive is a copy. A single file is read from the disk after the click, so no other tab may delete it.
  const zip = files.length === 1 ? null : await zipped(files, onProgress, signal);
  if (!(await saved.own(id))) {
    toast('Another tab has saved this recording.', { level: 'info' });
    return;
  }
  if (zip !== null) {
    saveFile(zip, `${id}.zip`);
  } else if (only !== undefined) {
    saveFile(only, only.name);
  }
  await saved.saved(id);
  toast('Recording saved to file');
}

async function zipped(
  files: readonly File[],
  onProgress: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<Blob> {
  const { maxZipBytes, zipFiles } = await import('../../../workbench/recording/zip-files.ts');
  if (files.reduce((sum, { size }) => sum + size, 0) > maxZipBytes) {
    throw new DOMException(tooMuchForZip, 'DataError');
  }
  const entries = files.map((file) => ({ name: file.name, content: file, lastModified: file.lastModified }));
  return zipFiles(entries, onProgress, signal);
}

const tooMuchForZip =
  'Its files are too large for one zip archive, which holds 4 GB. Save them one by one: Save, then Recordings in this browser.';

/** Saves one file of a recording to the downloads. The recording stays as it is. */
export async function saveRecordedFile(name: string): Promise<void> {
  try {
    saveFile(await recordedFile(name), name);
    toast('File saved to the downloads');
  } catch (error) {
    failed('The file could not be saved.', error);
  }
}

export async function deleteRecording(id: string): Promise<void> {
  try {
    if (!(await saved.delete(id))) {
      toast('Another tab is saving this recording, so it was not deleted.', { level: 'info' });
    }
  } catch (error) {
    failed('The recording could not be deleted.', error);
  }
  await listRecordings();
}

function failed(text: string, error: unknown): void {
  if (!(error instanceof DOMException)) {
    throw error;
  }
  const detail = error.name === 'NotFoundError' ? 'The file is gone: another tab may have deleted it.' : error.message;
  toast(text, { level: 'error', detail });
}

/** Ids of all recordings that this tab has run. Their locks may be held for a moment after the end. */
const ownIds = new Set<string>();

/** Reads the list again. */
export async function listRecordings(): Promise<void> {
  const stored = await storedRecordings();
  const running = new Set(benchStatus.tick.recordings.map(({ id }) => id));
  for (const id of running) {
    ownIds.add(id);
  }
  const all = stored.map((recording): ListedRecording => {
    const { id, files, state } = recording;
    const isHere = running.has(id);
    const isSaved = saved.has(id) || (files.length > 0 && files.every(({ name }) => saved.has(name)));
    const hasEnded = state === 'running' && !isHere && ownIds.has(id);
    return { ...recording, state: hasEnded ? 'stopped' : state, isHere, isSaved };
  });
  setRecordings(all);
}

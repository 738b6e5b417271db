/** The recordings in this browser: their files, grouped by recording, with the facts of their entries. */
import type { PortNumber } from '@wirebench/serial';
import {
  parseRecordingFileName,
  parseRecordingIndex,
  type RecordingFailure,
  type RecordingIndex,
  type RecordingKind,
} from '../../protocol/recording-index.ts';
import { recordedFile, removeStoredFile, type StoredFile, storedFiles } from '../../shared/storage/recording-folder.ts';

export interface StoredRecording {
  readonly id: string;
  readonly kind: RecordingKind;
  readonly ports: readonly PortNumber[];
  readonly portNames: Readonly<Partial<Record<PortNumber, string>>>;
  /** Milliseconds since the Unix epoch. `endedAt` is the time of the last write while the recording runs. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** `cut-off`: the tab was closed or crashed while it recorded. */
  readonly state: 'running' | 'stopped' | 'cut-off' | RecordingFailure;
  /** Files that are not empty, parts in order. */
  readonly files: readonly StoredFile[];
  readonly bytes: number;
}

/** Age from which files without content are taken for left over, in milliseconds. */
const leftOverAge = 60_000;

/** Returns the recordings, oldest first. Recordings of all tabs are included. */
export async function storedRecordings(): Promise<StoredRecording[]> {
  const files = await storedFiles();
  const indexes = new Map<string, RecordingIndex | null>();
  for (const { name } of files) {
    const parsed = parseRecordingFileName(name);
    if (parsed?.type === 'index') {
      indexes.set(parsed.id, parseRecordingIndex(await textOf(name)));
    }
  }
  return groupRecordings(files, indexes);
}

/** @param indexes Entries by the id of their recording. Recordings of older versions have none. */
function groupRecordings(
  files: readonly StoredFile[],
  indexes: ReadonlyMap<string, RecordingIndex | null>,
): StoredRecording[] {
  return [...filesById(files)]
    .flatMap(([id, own]) => recordingOf(id, own, indexes.get(id) ?? null) ?? [])
    .sort((a, b) => a.startedAt - b.startedAt || a.id.localeCompare(b.id));
}

/**
 * Deletes all files of a recording.
 *
 * @param id A recording, or a single file, which older versions have listed.
 * @throws DOMException `NotFoundError` if it is gone, `NoModificationAllowedError` while it is being written.
 */
export async function removeRecording(id: string): Promise<void> {
  const own = (await storedFiles()).filter(({ name }) => name === id || parseRecordingFileName(name)?.id === id);
  if (own.length === 0) {
    throw new DOMException('There is no such recording.', 'NotFoundError');
  }
  if (own.some(({ isRunning }) => isRunning)) {
    throw new DOMException('The recording is still running.', 'NoModificationAllowedError');
  }
  for (const { name } of own) {
    await removeStoredFile(name);
  }
}

/** Deletes the files of recordings that a crash ended before anything had come. */
export async function removeLeftOvers(now: number): Promise<void> {
  for (const [id, own] of filesById(await storedFiles())) {
    const isEmpty = own.every(({ name, size }) => size === 0 || parseRecordingFileName(name)?.type === 'index');
    if (isEmpty && own.every(({ isRunning, writtenAt }) => !isRunning && now - writtenAt > leftOverAge)) {
      await removeRecording(id);
    }
  }
}

function filesById(files: readonly StoredFile[]): Map<string, StoredFile[]> {
  const groups = new Map<string, StoredFile[]>();
  for (const file of files) {
    const parsed = parseRecordingFileName(file.name);
    if (parsed !== null) {
      groups.set(parsed.id, [...(groups.get(parsed.id) ?? []), file]);
    }
  }
  return groups;
}

function recordingOf(id: string, own: readonly StoredFile[], index: RecordingIndex | null): StoredRecording | null {
  const parsed = own.map((file) => ({ file, name: parseRecordingFileName(file.name) }));
  const isRunning = own.some((file) => file.isRunning);
  const content = parsed.filter(({ file, name }) => name?.type !== 'index' && file.size > 0);
  if (content.length === 0 && !isRunning) {
    return null;
  }
  const lastWrite = Math.max(...own.map(({ writtenAt }) => writtenAt));
  const hasText = content.some(({ name }) => name?.type === 'text');
  const hasRaw = content.some(({ name }) => name?.type === 'raw');
  const portsOfFiles = [...new Set(content.flatMap(({ name }) => name?.port ?? []))];
  return {
    id,
    kind: index?.start.kind ?? (hasText && hasRaw ? 'both' : hasText ? 'text' : 'raw'),
    ports: index?.start.ports ?? portsOfFiles,
    portNames: index?.start.portNames ?? {},
    startedAt: index?.start.startedAt ?? timeOfId(id) ?? lastWrite,
    endedAt: index?.end?.endedAt ?? lastWrite,
    state: isRunning ? 'running' : (index?.end?.end ?? 'cut-off'),
    files: content.map(({ file }) => file),
    bytes: content.reduce((sum, { file }) => sum + file.size, 0),
  };
}

/** Returns the local time in a name such as `wirebench-2026-11-20-14-03-05`, in milliseconds since the Unix epoch. */
function timeOfId(id: string): number | null {
  const [, ...digits] = /^wirebench-(\d+)-(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)/.exec(id) ?? [];
  if (digits.length === 0) {
    return null;
  }
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = digits.map(Number);
  return new Date(year, month - 1, day, hours, minutes, seconds).getTime();
}

async function textOf(name: string): Promise<string> {
  try {
    return await (await recordedFile(name)).text();
  } catch (error) {
    // Another tab has deleted it, or is writing it.
    if (error instanceof DOMException) {
      return '';
    }
    throw error;
  }
}

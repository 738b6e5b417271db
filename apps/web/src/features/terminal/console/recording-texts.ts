/** Words for recordings. */
import type { PortNumber } from '@wirebench/serial';
import type { RunningRecording } from '../../../protocol/bench/recording-part.ts';
import type { RecordingKind } from '../../../protocol/recording-index.ts';
import { ageText } from '../../../shared/format/durations.ts';
import type { StoredRecording } from '../../../workbench/recording/stored-recordings.ts';

export const recordingKindText = {
  text: 'Text with times',
  raw: 'Received bytes',
  both: 'Text and bytes',
} satisfies Record<RecordingKind, string>;

/** Reason for the end of a recording, as a sentence; null for a recording that runs or was stopped by its user. */
export const recordingEndText = {
  running: null,
  stopped: null,
  'cut-off': 'Ended when the page was closed.',
  'storage-full': 'Ended because the storage was full.',
  'not-allowed': 'Ended because the browser no longer allowed writing.',
  'folder-gone': 'Ended because its folder was gone.',
  'too-slow': 'Ended because the disk was too slow.',
  'not-writable': 'Ended because the file could not be written.',
} satisfies Record<StoredRecording['state'], string | null>;

/** `All ports`, `Motor`, or `Motor, Port 2`. */
export function recordedPortsText(
  ports: readonly PortNumber[],
  names: Readonly<Partial<Record<PortNumber, string>>>,
): string {
  return ports.length === 4 ? 'All ports' : ports.map((port) => names[port] ?? `Port ${port}`).join(', ');
}

/**
 * Names a running recording where one of several is stopped: `Stop received bytes, since 10:28:37`. A number tells
 * those apart that began within the same second. It has no size, because an item of an open menu must not change.
 */
export function stopText({ id, kind, since }: Pick<RunningRecording, 'id' | 'kind' | 'since'>): string {
  const time = new Date(since).toTimeString().slice(0, 8);
  const [, number] = /^wirebench-(?:\d+-){6}(\d+)$/.exec(id) ?? [];
  return `Stop ${recordingKindText[kind].toLowerCase()}, since ${time}${number === undefined ? '' : ` (${number})`}`;
}

/** Duration as `41 s`, `12 min 5 s` or `7 h 42 min`. */
export function recordedTimeText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) {
    return ageText(milliseconds);
  }
  return minutes < 60
    ? `${minutes} min ${Math.floor(milliseconds / 1_000) % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Largest size of a file to split at, in MB. */
const maxSplit = 100_000;

export const splitFailureText = 'Enter whole megabytes from 1 to 100000, or leave it empty for one file.';

/**
 * Parses the size of a file as typed, in MB of 1,048,576 bytes.
 *
 * @returns The size in bytes; null for an empty field; undefined for an invalid one.
 */
export function parseSplit(typed: string): number | null | undefined {
  const digits = typed.trim();
  if (digits === '') {
    return null;
  }
  const megabytes = /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
  return megabytes >= 1 && megabytes <= maxSplit ? megabytes * 2 ** 20 : undefined;
}

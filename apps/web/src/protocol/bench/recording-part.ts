/** Requests for recordings, and the state of running ones. */
import type { PortNumber } from '@wirebench/serial';
import type { RecordingKind } from '../recording-index.ts';
import { type BenchPart, fact } from './fact.ts';

export interface RecordingRequest {
  readonly kind: RecordingKind;
  /** At least one. Bytes get a file for each port, text has one for all. */
  readonly ports: readonly PortNumber[];
  readonly portNames: Readonly<Record<PortNumber, string>>;
  /** Size of a file in bytes, after which the next one begins. Null: no limit. */
  readonly splitBytes: number | null;
  /** Folder that the user has chosen. Null: the browser's own file system. */
  readonly folder: FileSystemDirectoryHandle | null;
}

export interface RunningRecording {
  /** Beginning of the names of its files, unique in its folder. */
  readonly id: string;
  readonly kind: RecordingKind;
  readonly ports: readonly PortNumber[];
  /** Milliseconds since the Unix epoch. */
  readonly since: number;
  readonly bytes: number;
  /** Recorded lines of text. 0 for a recording of bytes alone. */
  readonly lines: number;
  /** Number of files that are not empty. */
  readonly files: number;
  /** True: recorded bytes survive a crash of the tab. False: this browser stores the last part only at the end. */
  readonly durable: boolean;
  /** Name of the user's folder. Null: the browser's own file system. */
  readonly folder: string | null;
}

export interface StoppedRecording {
  readonly id: string;
  /** Names of the files that are not empty. */
  readonly files: readonly string[];
  readonly folder: string | null;
}

/** Calls for recordings. */
export interface RecordingCalls {
  /** Starts a recording beside those that run. Returns its id. Rejects if a file cannot be created. */
  startRecording(request: RecordingRequest): string;
  /** Closes the files of a recording. Returns null if it is not running any more. */
  stopRecording(id: string): StoppedRecording | null;
}

export const recordingPart = {
  quiet: [],
  facts: {
    /** Running recordings, oldest first. */
    recordings: fact<readonly RunningRecording[]>([], ['bytes', 'lines']),
  },
} satisfies BenchPart<RecordingCalls>;

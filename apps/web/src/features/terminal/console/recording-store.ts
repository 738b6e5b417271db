/** The recordings that the page shows, its open dialog about them, and the choices for a new one. */
import type { PortNumber } from '@wirebench/serial';
import type { RecordingKind } from '../../../protocol/recording-index.ts';
import { pageStore } from '../../../shared/page-store.ts';
import type { StoredRecording } from '../../../workbench/recording/stored-recordings.ts';

export interface ListedRecording extends StoredRecording {
  /** True: this tab is writing it. Running recordings of other tabs can only be looked at. */
  readonly isHere: boolean;
  /** True: it was handed to the downloads. This copy is deleted on a later visit. */
  readonly isSaved: boolean;
}

/** Open dialog: the choices for a new recording, or the list. */
type RecordingDialog = { readonly name: 'record'; readonly kind: RecordingKind } | { readonly name: 'list' };

interface Recordings {
  /** Recordings in this browser, oldest first. */
  readonly all: readonly ListedRecording[];
  readonly dialog: RecordingDialog | null;
}

const recordingStore = pageStore<Recordings>({ all: [], dialog: null });

export const useRecordings = recordingStore.use;

/** Shows the recordings of this browser, oldest first. */
export function setRecordings(all: readonly ListedRecording[]): void {
  recordingStore.setState({ all });
}

export function showRecordingDialog(dialog: RecordingDialog | null): void {
  recordingStore.setState({ dialog });
}

export interface RecordingChoice {
  readonly kind: RecordingKind;
  /** Default: all, also those that are opened later. */
  readonly ports?: readonly PortNumber[];
  /** Size of a file in bytes, after which the next one begins. Default: one file. */
  readonly splitBytes?: number | null;
  /** Default: this browser's own storage. */
  readonly folder?: FileSystemDirectoryHandle | null;
}

export interface SaveProgress {
  /** Receives the number of bytes of the archive so far. */
  readonly onProgress?: (bytes: number) => void;
  /** Cancels the archive. */
  readonly signal?: AbortSignal;
}

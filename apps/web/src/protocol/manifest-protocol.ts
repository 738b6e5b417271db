/**
 * Messages between a page and the worker that loads a release from any address. The server lets this worker alone
 * connect to other hosts, so that its pages cannot. A page starts one worker for each task, and ends it to cancel.
 */
import type { ManifestFailure, ManifestFile, ManifestRelease } from '@wirebench/flasher/release';

export type ManifestTask =
  /** @property address Absolute, from `manifestAddress`. */
  | { readonly kind: 'manifest'; readonly address: string }
  /** Loads the files of one build. */
  | { readonly kind: 'files'; readonly files: readonly ManifestFile[] };

/** Reason for the end of a task. `unknown`: no `ManifestError`, and `what` is the message of the error. */
export interface ManifestTaskFault {
  readonly code: ManifestFailure | 'unknown';
  readonly what: string;
  readonly remedy: string;
}

export type ManifestTaskMessage =
  /** Bytes of all files that have arrived. */
  | { readonly received: number }
  | { readonly release: ManifestRelease }
  /** Contents in the order of the task's files. */
  | { readonly contents: readonly Blob[] }
  | { readonly fault: ManifestTaskFault };

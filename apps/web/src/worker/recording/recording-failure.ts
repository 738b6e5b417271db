/** Reasons for which a recording ends early, and their texts for the log. */
import type { RecordingFailure } from '../../protocol/recording-index.ts';

const reasons: Readonly<Record<string, RecordingFailure>> = {
  QuotaExceededError: 'storage-full',
  NotAllowedError: 'not-allowed',
  SecurityError: 'not-allowed',
  NotFoundError: 'folder-gone',
  TimeoutError: 'too-slow',
};

/** Returns the reason behind an error of the browser's file system. */
export function failureReason(error: unknown): RecordingFailure {
  return (error instanceof DOMException ? reasons[error.name] : undefined) ?? 'not-writable';
}

export const recordingFailureText = {
  'storage-full':
    "Recording stopped: the browser's storage for this site is full. Save what was recorded, free some disk space, then start again.",
  'not-allowed':
    'Recording stopped: the browser no longer allows writing to the folder. What was written so far is kept. Choose the folder again to go on.',
  'folder-gone':
    'Recording stopped: its folder or file was moved or deleted. What was written before is where it was moved to. Choose a folder, then start again.',
  'too-slow':
    'Recording stopped: the disk takes the data more slowly than it arrives. What was written so far is kept. Record in this browser, or to a faster disk.',
  'not-writable': 'Recording stopped: the browser could not write the file. Save what was recorded, then start again.',
} satisfies Record<RecordingFailure, string>;

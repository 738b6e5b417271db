/**
 * Steps from a filled form to a version: checks that the number is free, then uploads. Can be cancelled until the end
 * without leaving anything behind.
 */
import { type Clock, systemClock } from '@wirebench/clock';
import { nameKey, releaseText, type Version } from '@wirebench/contract';
import { ApiError, errorMessage } from '../../shared/api/api-error.ts';
import type { UploadProgress } from './calls/upload-fetch.ts';
import { uploadVersion, type VersionUpload, versionsOf } from './calls/versions.ts';
import { releaseFailureText } from './release-texts.ts';

interface UploadPace {
  /** Mean rate since the first bytes; null until it can be measured. */
  readonly bytesPerSecond: number | null;
}

export type CreationStep =
  | { readonly step: 'checking' }
  | ({ readonly step: 'uploading' } & UploadProgress & UploadPace)
  /** All bytes were sent, and the server stores them. Cancelling is no longer possible. */
  | { readonly step: 'storing' };

export type CreationResult =
  | { readonly result: 'created'; readonly version: Version }
  | { readonly result: 'cancelled' }
  /** Shown below the number. */
  | { readonly result: 'version-taken'; readonly text: string }
  | { readonly result: 'failed'; readonly text: string };

export interface CreationOptions {
  /** Maximum number of versions of a project. */
  readonly limit: number;
  readonly onStep: (step: CreationStep) => void;
  readonly signal: AbortSignal;
  readonly clock?: Pick<Clock, 'now'>;
}

/** Creates a version in steps. Never rejects: every failure is one of the results. */
export async function createVersion(
  upload: VersionUpload,
  { limit, onStep, signal, clock = systemClock }: CreationOptions,
): Promise<CreationResult> {
  onStep({ step: 'checking' });
  let versions: readonly Version[];
  try {
    versions = await versionsOf(upload.projectId, signal);
  } catch (error) {
    return signal.aborted
      ? { result: 'cancelled' }
      : { result: 'failed', text: releaseFailureText.checkUniqueness(errorMessage(error)) };
  }
  if (versions.some(({ version }) => nameKey(version) === nameKey(upload.version))) {
    return { result: 'version-taken', text: releaseText.versionTaken(upload.version) };
  }
  if (versions.length >= limit) {
    return { result: 'failed', text: releaseText.versionLimit(limit) };
  }
  const paceOf = uploadPace(clock);
  const onProgress = (progress: UploadProgress) =>
    onStep(
      progress.sent < progress.total
        ? { step: 'uploading', ...progress, bytesPerSecond: paceOf(progress.sent) }
        : { step: 'storing' },
    );
  try {
    return { result: 'created', version: await uploadVersion(upload, onProgress, signal) };
  } catch (error) {
    if (signal.aborted) {
      return { result: 'cancelled' };
    }
    return error instanceof ApiError && error.status === 409
      ? { result: 'version-taken', text: error.message }
      : { result: 'failed', text: releaseFailureText.createVersion(errorMessage(error)) };
  }
}

/** Returns the mean rate since the first call, in bytes per second. Null within the first quarter of a second. */
export function uploadPace(clock: Pick<Clock, 'now'>): (sent: number) => number | null {
  let first: { readonly at: number; readonly sent: number } | null = null;
  return (sent) => {
    first ??= { at: clock.now(), sent };
    const elapsed = clock.now() - first.at;
    return elapsed < 250 ? null : ((sent - first.sent) / elapsed) * 1_000;
  };
}

import { type Clock, systemClock } from '@wirebench/clock';
import {
  buildsOf,
  firmwarePaths,
  isForSameBoards,
  type LocalFile,
  nameKey,
  releaseText,
  type Version,
  versionDifference,
} from '@wirebench/contract';
import { sha256Hex } from '@wirebench/flasher/images';
import { buildName } from '@wirebench/flasher/release/builds';
import { ApiError, errorMessage } from '../../../shared/api/api-error.ts';
import type { UploadProgress } from '../calls/upload-fetch.ts';
import { uploadElf, uploadVersion, type VersionUpload, versionsOf } from '../calls/versions.ts';
import { releaseFailureText } from '../release-texts.ts';
import type { ProjectDevice } from './build-drafts.ts';
import type { PlacedFile } from './version-draft.ts';

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
  /** `withoutElf`: why ELF files of its builds are missing, one sentence each. */
  | { readonly result: 'created'; readonly version: Version; readonly withoutElf?: readonly string[] }
  | { readonly result: 'cancelled' }
  /** Shown below the number. */
  | { readonly result: 'version-taken'; readonly text: string }
  /** `mayBeStored`: the server's answer was lost, so that the version may be there although it is not known. */
  | { readonly result: 'failed'; readonly text: string; readonly mayBeStored?: true };

export interface CreationOptions {
  /** Maximum number of versions of a project. */
  readonly limit: number;
  readonly project: ProjectDevice;
  /** True: the answer to an earlier upload of this form was lost. A version with the same files is then its result. */
  readonly isRepeated: boolean;
  readonly onStep: (step: CreationStep) => void;
  readonly signal: AbortSignal;
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Creates a version in steps, and gives each build its ELF file in a request of its own. Never rejects: every failure is
 * one of the results.
 */
export async function createVersion(upload: VersionUpload, options: CreationOptions): Promise<CreationResult> {
  const created = await createWithoutElfs(upload, options);
  return created.result === 'created' ? await withElfs(created.version, upload, options) : created;
}

/** A failure leaves the version without the ELF file: its other files are stored. */
async function withElfs(
  version: Version,
  { builds, isSimple }: VersionUpload,
  { project, onStep, signal, clock = systemClock }: CreationOptions,
): Promise<CreationResult> {
  let latest = version;
  const failures: string[] = [];
  for (const build of isSimple ? [] : builds) {
    const stored = buildsOf(version, project).find((one) => isForSameBoards(one, build));
    if (build.elf === null) {
      continue;
    }
    const path = firmwarePaths.versionElf(version._id, stored?._id);
    try {
      latest = await uploadElf(path, build.elf, progressSteps(onStep, clock), signal);
    } catch (error) {
      const reason = signal.aborted ? 'The upload was cancelled.' : errorMessage(error);
      failures.push(releaseFailureText.elfOfBuild(buildName(stored ?? build), reason));
    }
  }
  return { result: 'created', version: latest, ...(failures.length === 0 ? {} : { withoutElf: failures }) };
}

/** Turns the progress of an upload into steps. */
export function progressSteps(onStep: CreationOptions['onStep'], clock: Pick<Clock, 'now'>) {
  const paceOf = uploadPace(clock);
  return (progress: UploadProgress) =>
    onStep(
      progress.sent < progress.total
        ? { step: 'uploading', ...progress, bytesPerSecond: paceOf(progress.sent) }
        : { step: 'storing' },
    );
}

async function createWithoutElfs(
  upload: VersionUpload,
  { limit, project, isRepeated, onStep, signal, clock = systemClock }: CreationOptions,
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
  const known = numbered(versions, upload);
  if (known !== null) {
    return isRepeated ? await repeated(known, upload, project) : taken(upload);
  }
  if (versions.length >= limit) {
    return { result: 'failed', text: releaseText.versionLimit(limit) };
  }
  try {
    return { result: 'created', version: await uploadVersion(upload, progressSteps(onStep, clock), signal) };
  } catch (error) {
    if (signal.aborted) {
      return { result: 'cancelled' };
    }
    if (error instanceof ApiError && error.status === 409) {
      return { result: 'version-taken', text: error.message };
    }
    const text = releaseFailureText.createVersion(errorMessage(error));
    // Statuses above come from proxies too, after the server has stored the version.
    const isAnswered = error instanceof ApiError && error.status >= 400 && error.status < 500;
    return isAnswered ? { result: 'failed', text } : await afterLostAnswer(text, upload, project, signal);
  }
}

/** Asks the server for the version whose answer was lost. */
async function afterLostAnswer(
  text: string,
  upload: VersionUpload,
  project: ProjectDevice,
  signal: AbortSignal,
): Promise<CreationResult> {
  try {
    const known = numbered(await versionsOf(upload.projectId, signal), upload);
    return known === null ? { result: 'failed', text } : await repeated(known, upload, project);
  } catch {
    return { result: 'failed', text, mayBeStored: true };
  }
}

const numbered = (versions: readonly Version[], { version }: VersionUpload): Version | null =>
  versions.find((one) => nameKey(one.version) === nameKey(version)) ?? null;

const taken = ({ version }: VersionUpload, difference = ''): CreationResult => ({
  result: 'version-taken',
  text: `${releaseText.versionTaken(version)} ${difference}`.trimEnd(),
});

/** Takes the stored version as the result if it has the files of the form. */
async function repeated(known: Version, upload: VersionUpload, project: ProjectDevice): Promise<CreationResult> {
  // A page over plain http cannot hash.
  if (!isSecureContext) {
    return taken(upload);
  }
  const local = upload.builds.map(async (build) => ({
    ...build,
    files: await Promise.all(build.files.map(localFile)),
  }));
  const difference = versionDifference(known, project, await Promise.all(local));
  return difference === null ? { result: 'created', version: known } : taken(upload, difference);
}

async function localFile({ file, offset }: PlacedFile): Promise<LocalFile> {
  const sha256 = await sha256Hex(new Uint8Array(await file.arrayBuffer()));
  return { name: file.name, offset: offset.trim() === '' ? null : offset.trim(), sha256 };
}

/** Returns the mean rate since the first call, in bytes per second. Null within the first quarter of a second. */
function uploadPace(clock: Pick<Clock, 'now'>): (sent: number) => number | null {
  let first: { readonly at: number; readonly sent: number } | null = null;
  return (sent) => {
    first ??= { at: clock.now(), sent };
    const elapsed = clock.now() - first.at;
    return elapsed < 250 ? null : ((sent - first.sent) / elapsed) * 1_000;
  };
}

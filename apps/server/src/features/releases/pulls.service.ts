/**
 * Takes versions of a project from a manifest on the web, on its owner's request. The hashes of the files are pinned: the
 * same version is never taken with other contents.
 */
import { familyOf } from '@wirebench/boards';
import type { Clock } from '@wirebench/clock';
import {
  buildLimits,
  formatOffset,
  type NewBuild,
  nameKey,
  normalizeLine,
  pullText,
  releaseLimits,
  singleLineFault,
  singleLineText,
  type Version,
} from '@wirebench/contract';
import { type ConnectionFault, connectionFault } from '@wirebench/contract/connection-fault';
import {
  buildName,
  loadManifest,
  loadManifestFile,
  type ManifestBuild,
  ManifestError,
  type ManifestFile,
  type ManifestRelease,
  type ManifestRequest,
  type ManifestVersion,
  manifestAddress,
} from '@wirebench/flasher/release';
import type { Actor } from '../../access/actor.ts';
import type { UploadAdmission } from '../../admission/upload-admission.ts';
import { ApiError, refusedField } from '../../api-error.ts';
import { AddressRefusedError, type PublicFetch } from '../../public-web/public-fetch.ts';
import type { Spool } from '../../storage/blobs/spool.ts';
import { checkFirmwareName } from './file-name.ts';
import type { PulledFile, PulledFileRepository } from './pulled-files.repository.ts';
import { maxVersionBytes, type UploadedFile } from './upload-form.ts';
import type { VersionService } from './versions.service.ts';

export interface PullServiceOptions {
  readonly versions: VersionService;
  readonly pins: PulledFileRepository;
  readonly fetch: PublicFetch;
  readonly spool: Spool;
  readonly uploads: UploadAdmission;
  readonly clock: Clock;
  /** Maximum number of builds of a version. */
  readonly maxBuilds: number;
}

export interface Pull {
  readonly projectId: string;
  /** Address of the manifest, or of a release page. */
  readonly manifest: string;
  /** Version to take; undefined for the newest one of the manifest. */
  readonly version?: string | undefined;
}

export interface Pulled {
  readonly version: Version;
  /** False: the project had the same version with the same files already. */
  readonly isNew: boolean;
}

/** Time for the manifest and all files, in milliseconds. */
const TIME_LIMIT = 120_000;
/** Seconds until a second pull of the same user is worth a try. */
const RETRY_AFTER = 10;

export type PullService = ReturnType<typeof pullService>;

export function pullService({ versions, pins, fetch, spool, uploads, clock, maxBuilds }: PullServiceOptions) {
  /** Users with a pull in progress. */
  const busy = new Set<string>();

  /** Runs requests to the web and turns their failures into refusals. */
  async function onWeb<Result>(
    left: AbortSignal,
    work: (request: ManifestRequest, end: (refusal: ApiError) => void) => Promise<Result>,
  ): Promise<Result> {
    const ending = new AbortController();
    const end = (refusal: ApiError) => ending.abort(refusal);
    const cancel = clock.schedule(TIME_LIMIT, () =>
      end(new ApiError('pull-failed', { message: pullText.tooSlow(TIME_LIMIT / 1_000) })),
    );
    const onLeft = () => end(new ApiError('pull-failed', { message: pullText.left }));
    left.addEventListener('abort', onLeft, { once: true });
    if (left.aborted) {
      onLeft();
    }
    let refusal: AddressRefusedError | null = null;
    let fault: ConnectionFault | null = null;
    const request: ManifestRequest = {
      signal: ending.signal,
      isSecurePage: false,
      fetch: async (address, init) => {
        // The second question of the loader is about CORS, which servers do not need.
        if (init.mode === 'no-cors') {
          throw new TypeError('No second request.');
        }
        try {
          return await fetch(address, { signal: init.signal ?? null });
        } catch (error) {
          refusal = error instanceof AddressRefusedError ? error : refusal;
          fault = connectionFault(error, address);
          throw error;
        }
      },
    };
    try {
      return await work(request, end);
    } catch (cause) {
      if (ending.signal.aborted) {
        throw ending.signal.reason;
      }
      const known = refusal ?? cause;
      throw known instanceof AddressRefusedError || known instanceof ManifestError
        ? new ApiError('pull-failed', { message: refusalText(known, fault), cause })
        : cause;
    } finally {
      cancel();
      left.removeEventListener('abort', onLeft);
      // Closes the connection of an answer that was not read to its end.
      ending.abort();
    }
  }

  async function pull(
    actor: Actor,
    { projectId, manifest, version: wanted }: Pull,
    left: AbortSignal,
  ): Promise<Pulled> {
    const existing = await versions.list(projectId, actor);
    const { release, number, builds, faults } = await onWeb(left, async (request) => {
      const found = await loadManifest(manifestAddress(manifest), request);
      return { release: found, ...versionOf(found, wanted) };
    });
    if (release.isDemo) {
      throw new ApiError('pull-failed', { message: pullText.demo });
    }
    const known = existing.find(({ version }) => nameKey(version) === nameKey(number)) ?? null;
    const pinned = await pins.ofVersion(projectId, number);
    if (known === null) {
      await versions.precheck(actor, { projectId, version: number });
    } else if (pinned.length === 0) {
      throw new ApiError('version-taken', { message: pullText.notPulled(number) });
    }
    const files = uniqueFiles(builds);
    if (builds.length > maxBuilds) {
      throw new ApiError('pull-failed', { message: pullText.tooManyBuilds(maxBuilds) });
    }
    for (const build of builds) {
      if (build.files.length > buildLimits.files) {
        throw new ApiError('pull-failed', { message: pullText.tooManyFiles(buildName(build), buildLimits.files) });
      }
    }
    const maxBytes = maxVersionBytes(maxBuilds);
    const tooLarge = () => new ApiError('pull-failed', { message: pullText.tooLarge(maxBytes / (1_024 * 1_024)) });
    if (files.reduce((sum, { size }) => sum + (size ?? 0), 0) > maxBytes) {
      throw tooLarge();
    }
    using place = await uploads.admit(actor.user.subject, Math.min(files.length * releaseLimits.fileSize, maxBytes));
    await using spooled = new AsyncDisposableStack();
    const received = await onWeb(left, async (request, end) => {
      const all = new Map<string, UploadedFile>();
      let total = 0;
      // One after the other: memory holds one file.
      for (const file of files) {
        const fileName = checkFirmwareName(file.name);
        const bytes = await loadManifestFile(file, request, (arrived) => {
          if (total + arrived > maxBytes) {
            end(tooLarge());
          }
        });
        total += bytes.length;
        all.set(file.address, { fileName, bytes: spooled.use(await spool.receive(piecesOf(bytes))) });
        place.use(bytes.length);
      }
      return all;
    });
    const pulled = pulledFiles(builds, received);
    const changed = changeOf(pulled, pinned);
    if (changed !== null) {
      throw new ApiError('pull-changed', { message: pullText.changed(number, changed) });
    }
    if (known !== null) {
      return { version: known, isNew: false };
    }
    if (left.aborted) {
      throw new ApiError('pull-failed', { message: pullText.left });
    }
    const created = await versions.create(
      actor,
      {
        projectId,
        version: number,
        description: pullText
          .description(release.name, release.host, faults)
          .slice(0, releaseLimits.descriptionMaxLength),
        console: null,
        acceptDamaged: [],
        offsets: [],
        builds: buildsOf(builds, files),
      },
      files.flatMap(({ address }) => received.get(address) ?? []),
    );
    await pins.pin(projectId, number, pulled, created.createdAt);
    return { version: created, isNew: true };
  }

  return {
    /**
     * Takes a version. One at a time for a user.
     *
     * @param left Aborts when the caller no longer waits for the answer. Nothing is requested or stored afterwards.
     */
    async pull(actor: Actor, wanted: Pull, left: AbortSignal): Promise<Pulled> {
      const { subject } = actor.user;
      if (busy.has(subject)) {
        throw new ApiError('too-many-uploads', { message: pullText.oneAtATime, retryAfter: RETRY_AFTER });
      }
      busy.add(subject);
      try {
        return await pull(actor, wanted, left);
      } finally {
        busy.delete(subject);
      }
    },
  };
}

/** Adds the remedy where it is not about a browser. */
/** @param fault Reason of a failed connection; null without a known one. */
function refusalText(error: AddressRefusedError | ManifestError, fault: ConnectionFault | null): string {
  if (error instanceof ManifestError && error.code === 'unreachable' && fault !== null) {
    return fault.what;
  }
  return error instanceof ManifestError && (error.code === 'web-page' || error.code === 'not-json')
    ? `${error.what} ${error.remedy}`
    : error.message;
}

/** Chooses the version of a manifest, and its number. */
function versionOf(
  { versions }: ManifestRelease,
  wanted: string | undefined,
): { readonly number: string } & Pick<ManifestVersion, 'builds' | 'faults'> {
  const [newest] = versions;
  const found =
    wanted === undefined
      ? newest
      : versions.find(({ version }) => version !== '' && nameKey(version) === nameKey(wanted));
  // A manifest without a number has one version, which the owner names.
  const chosen = found ?? (newest?.version === '' ? newest : undefined);
  if (chosen === undefined) {
    throw new ApiError('pull-failed', { message: pullText.noVersion(wanted ?? '') });
  }
  const number = normalizeLine(chosen.version || (wanted ?? ''));
  if (number === '') {
    throw refusedField('version', pullText.unnamed);
  }
  const fault = singleLineFault(number, releaseLimits.versionMaxLength);
  if (fault !== null) {
    const message = fault === 'long' ? pullText.longNumber : singleLineText('Version', fault, number.length);
    throw new ApiError('pull-failed', { message });
  }
  return { number, builds: chosen.builds.filter(({ fault }) => fault === null), faults: chosen.faults };
}

function uniqueFiles(builds: readonly ManifestBuild[]): readonly ManifestFile[] {
  const files = new Map(builds.flatMap((build) => build.files).map((file) => [file.address, file]));
  return [...files.values()];
}

/** Returns the builds as a form sends them. The service stores a single plain one as a version without builds. */
function buildsOf(builds: readonly ManifestBuild[], files: readonly ManifestFile[]): NewBuild[] {
  return builds.map(({ deviceModel, guards, files: own }) => ({
    deviceModel,
    deviceFamily: familyOf(deviceModel) ?? 'esp',
    guards,
    files: own.map(({ address, offset }) => ({
      index: files.findIndex((file) => file.address === address),
      offset: formatOffset(offset),
    })),
  }));
}

function pulledFiles(
  builds: readonly ManifestBuild[],
  received: ReadonlyMap<string, UploadedFile>,
): readonly PulledFile[] {
  return builds.flatMap((build) =>
    build.files.map(({ name, address, offset }) => ({
      place: `${buildName(build)} ${formatOffset(offset)}`,
      fileName: name,
      sha256: received.get(address)?.bytes.sha256 ?? '',
    })),
  );
}

/** Returns the name of the first file that differs from the pinned ones; null without a difference. */
function changeOf(pulled: readonly PulledFile[], pinned: readonly PulledFile[]): string | null {
  if (pinned.length === 0) {
    return null;
  }
  const other = (file: PulledFile, files: readonly PulledFile[]) =>
    !files.some(({ place, sha256 }) => place === file.place && sha256 === file.sha256);
  const changed = pulled.find((file) => other(file, pinned)) ?? pinned.find((file) => other(file, pulled));
  return changed?.fileName ?? null;
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

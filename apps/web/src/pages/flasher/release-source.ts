/**
 * Loads the release that the page's address names, in the form that the flasher needs. Works without TanStack Query,
 * like the release page: nothing here is shown as a list or requested twice.
 */
import {
  type Build,
  type FirmwareFile,
  firmwarePaths,
  JkitAnswer,
  JkitContent,
  jkitPaths,
  parseOffset,
  sharedFirmwarePaths,
  type Version,
} from '@wirebench/contract';
import {
  type FlasherRelease,
  type FlashOutcome,
  type MonitorMessages,
  ReleaseError,
  type ReleaseVersion,
  type VersionBuild,
} from '../../features/flasher/release/flasher-release.ts';
import type { ReleaseSource } from '../../features/flasher/release/use-release.ts';
import { loadRelease, type Release } from '../../features/release/load-release.ts';
import { releaseProblemText } from '../../features/release/release-problem.tsx';
import { type ReleaseFault, type ReleaseProblem, releaseProblemOf } from '../../features/release/use-release.ts';
import { api, publicApi, readPublic, send } from '../../shared/api/api.ts';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { hasServer } from '../../shared/edition.ts';
import { readBody } from '../../shared/files/read-body.ts';
import { sha256Of } from '../../shared/files/sha256.ts';
import { type ReleaseAddress, releaseAddress } from '../../shared/release-address.ts';

/**
 * Returns the loader of the release; null if the address names none.
 * @param search Query of the page's address.
 */
export function releaseSource(search: string): ReleaseSource | null {
  const query = new URLSearchParams(search);
  const manifest = query.get('manifest');
  if (manifest !== null) {
    return async (signal) => (await import('./manifest-source.ts')).loadManifestRelease(manifest, signal);
  }
  if (!hasServer || (!query.has('type') && !query.has('id'))) {
    return null;
  }
  const address = releaseAddress(search);
  return async (signal) => {
    if (address === null) {
      throw explained({ problem: 'no-address', detail: null });
    }
    try {
      return flasherRelease(address, await loadRelease(address, signal));
    } catch (error) {
      throw error instanceof ReleaseError ? error : explained(releaseProblemOf(error), error);
    }
  };
}

/** Describes a failure in the words of the release's own page, so that a dead link has the same text everywhere. */
function explained({ problem, detail }: ReleaseFault, cause?: unknown): ReleaseError {
  const { title, remedy } = releaseProblemText[problem];
  const message = detail === null ? remedy : `${remedy} ${detail}`;
  return new ReleaseError(title, message, { way: wayOn(problem), cause });
}

function wayOn(problem: ReleaseProblem): ReleaseError['way'] {
  switch (problem) {
    case 'no-address':
    case 'taken-down':
    case 'ended':
      return null;
    case 'sign-in':
      return 'sign-in';
    default:
      return 'again';
  }
}

function flasherRelease(address: ReleaseAddress, release: Release): FlasherRelease {
  const { project, versions } = release;
  const offered = versions.map((version) => flasherVersion(address, release, version));
  const [chosen] = offered;
  if (chosen === undefined) {
    throw new ReleaseError('This project has no version yet', 'Ask its publisher to add one, then try again.');
  }
  return {
    name: project.name,
    publisher: project.publisher,
    demo: project.demo,
    deviceFamily: project.deviceFamily,
    deviceModel: project.deviceModel,
    versions: offered,
    chosen,
  };
}

function flasherVersion(address: ReleaseAddress, release: Release, version: Version): ReleaseVersion {
  const jkitId = version.console?.jkitId ?? null;
  return {
    id: version._id,
    shareId: version.isPublic ? version.shareId : null,
    version: version.version,
    ...(version.channel !== undefined && { channel: version.channel }),
    console: version.console,
    messages: jkitId === null ? null : (signal) => monitorMessages(release, jkitId, signal),
    files: version.files.map(({ _id, fileName, offset, size, sha256 }) => ({
      name: fileName,
      offset: parseOffset(offset) ?? 0,
      sha256,
      size,
      load: (signal, onProgress) => loadFile(address, release, { version, fileId: _id }, signal, onProgress),
    })),
    ...(version.builds !== undefined && {
      files: [],
      builds: version.builds.map((build) => versionBuild(address, release, version, build)),
    }),
    report: (outcome) => reportFlash(release, version, outcome),
  };
}

function versionBuild(
  address: ReleaseAddress,
  release: Release,
  version: Version,
  { _id, deviceFamily, deviceModel, guards, files }: Build,
): VersionBuild {
  return {
    id: _id,
    deviceFamily,
    deviceModel,
    guards,
    isHashed: true,
    size: files.reduce((sum, { size }) => sum + size, 0),
    load: async (signal, onProgress) => {
      const received = files.map(() => 0);
      return Promise.all(
        files.map(async (file, index) => {
          const content = await loadFile(address, release, { version, fileId: file._id }, signal, (bytes) => {
            received[index] = bytes;
            onProgress(received.reduce((sum, part) => sum + part, 0));
          });
          await checkHash(file, content);
          return { name: file.fileName, content, offset: parseOffset(file.offset) ?? 0 };
        }),
      );
    },
  };
}

/** Without hashes, on a page over plain http, the board's own hash is the only check. */
async function checkHash({ fileName, sha256 }: FirmwareFile, content: Blob): Promise<void> {
  const found = await sha256Of(new Uint8Array(await content.arrayBuffer()));
  if (found !== '' && found !== sha256) {
    throw new ReleaseError(`${fileName} is not the file that was published: its SHA-256 differs`, 'Try again.');
  }
}

async function loadFile(
  { type }: ReleaseAddress,
  { owned, shareId }: Release,
  { version, fileId }: { readonly version: Version; readonly fileId: string },
  signal: AbortSignal,
  onProgress: (received: number) => void,
): Promise<Blob> {
  try {
    const answer =
      owned === null
        ? await (await publicApi()).send(sharedFirmwarePaths.file(type, shareId, fileId), { signal })
        : await send(firmwarePaths.versionFile(version._id, fileId), { signal });
    return await readBody(answer, onProgress);
  } catch (error) {
    throw signal.aborted ? error : explained(releaseProblemOf(error), error);
  }
}

/** Loads the messages and rules of a JKit. The publisher can read a private one; everyone else needs it shared. */
async function monitorMessages({ owned }: Release, jkitId: string, signal: AbortSignal): Promise<MonitorMessages> {
  const path = jkitPaths.jkit(jkitId);
  const read = (client: ApiClient) => client.request(path, JkitAnswer, { signal });
  const { name, content } = (owned === null ? await readPublic(read) : await read(await api())).data;
  const { fields, settings, rules = [] } = JkitContent.parse(JSON.parse(content));
  return {
    name,
    lineEnding: settings?.ending ?? (settings?.lineEnding === true ? 'crlf' : 'lf'),
    messages: fields.map((field) =>
      typeof field === 'string'
        ? { content: field, mode: 'text', label: null, hidden: false }
        : {
            content: field.content,
            mode: field.type === 'hex' ? 'hex' : 'text',
            label: field.label ?? null,
            hidden: field.hidden ?? false,
          },
    ),
    rules,
  };
}

/**
 * Reports a flash of a public version, without waiting for the answer, even while the page is left. An unreachable
 * server counts one flash less.
 */
async function reportFlash({ apiUrl }: Release, { shareId, isPublic }: Version, outcome: FlashOutcome): Promise<void> {
  if (!isPublic) {
    return;
  }
  const { result, chip, errorCode, buildId } = outcome;
  const body = {
    result,
    ...(chip !== null && { chip }),
    ...(errorCode !== null && { errorCode }),
    ...(buildId !== null && { buildId }),
  };
  await fetch(`${apiUrl}${sharedFirmwarePaths.flashes(shareId)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => undefined);
}

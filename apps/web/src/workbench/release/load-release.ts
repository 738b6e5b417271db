/**
 * Loads releases. Works without TanStack Query: the main button of the release page must appear after a few kilobytes of
 * script, and nothing here is shown as a list or requested twice.
 */
import type { ReleaseAddress } from '@wirebench/boards';
import {
  buildsOf,
  firmwarePaths,
  type Project,
  ProjectAnswer,
  ProjectList,
  parseOffset,
  SharedVersionAnswer,
  sharedFirmwarePaths,
  type Version,
} from '@wirebench/contract';
import { readPublic, request } from '../../shared/api/api.ts';
import { noResponse } from '../../shared/api/api-error.ts';
import { publicConfig } from '../../shared/config/public-config.ts';
import { IncompleteLinkError, type ReleaseVersion, type ServerRelease, type VersionBuild } from './release.ts';

/**
 * Loads a release of this server.
 * @param address Null for an incomplete link.
 * @throws ApiError 404 for a private, deleted or unknown item.
 */
export async function loadRelease(address: ReleaseAddress | null, signal: AbortSignal): Promise<ServerRelease> {
  if (address === null) {
    throw new IncompleteLinkError();
  }
  const { apiUrl } = await publicConfig().catch((error: unknown) => {
    throw noResponse(error);
  });
  const item = (address.owned ? await readOwn(address, signal) : null) ?? (await readShared(address, signal));
  return releaseOf({ ...item, type: address.type, apiUrl });
}

/** An item as the server answers it, with what is known about its link. */
export interface Item extends Pick<ServerRelease, 'type' | 'project' | 'owned' | 'shareId' | 'shareEndsAt' | 'apiUrl'> {
  readonly versions: readonly Version[];
}

type ReadItem = Omit<Item, 'type' | 'apiUrl'>;

async function readShared({ type, id, beta }: ReleaseAddress, signal: AbortSignal): Promise<ReadItem> {
  const path = sharedFirmwarePaths.item(type, id);
  if (type === 'project') {
    const asked = beta ? `${path}?channel=beta` : path;
    const { project } = await readPublic((client) => client.request(asked, ProjectAnswer, { signal }));
    return { project, versions: project.versions, owned: null, ...linkOf(project) };
  }
  const { project, version } = await readPublic((client) => client.request(path, SharedVersionAnswer, { signal }));
  return { project, versions: [version], owned: null, ...linkOf(version) };
}

/** Returns null if the signed-in user does not own it: it may be another user's public release. */
async function readOwn({ type, id }: ReleaseAddress, signal: AbortSignal): Promise<ReadItem | null> {
  const { projects } = await request(firmwarePaths.projects, ProjectList, { signal });
  const isMeant = (item: Project | Version) => item._id === id || item.shareId === id;
  for (const project of projects) {
    const owned = { isPublic: project.isPublic };
    if (type === 'project' && isMeant(project)) {
      return { project, versions: project.versions, owned, ...linkOf(project) };
    }
    const version = type === 'version' ? project.versions.find(isMeant) : undefined;
    if (version !== undefined) {
      return { project, versions: [version], owned, ...linkOf(version) };
    }
  }
  return null;
}

function linkOf({ shareId, shareEndsAt }: Pick<Project, 'shareId' | 'shareEndsAt'>) {
  return { shareId, shareEndsAt };
}

/** Translates an answer. */
export function releaseOf(item: Item): ServerRelease {
  const { project, owned } = item;
  const { name, publisher, demo, deviceFamily, deviceModel } = project;
  const versions = item.versions.map((version) => versionOf(version, item));
  // An owner's list also has beta versions, which are chosen only without another one. The link of the beta channel asks
  // for them.
  const stable = owned === null ? undefined : versions.find(({ channel }) => channel === undefined);
  const usual = stable ?? versions[0] ?? null;
  return { ...item, name, publisher, demo, deviceFamily, deviceModel, versions, usual };
}

function versionOf(version: Version, item: Item): ReleaseVersion {
  const { _id: id, shareId, isPublic, channel, description, createdAt, writeCount, console } = version;
  const jkitId = console?.jkitId ?? null;
  return {
    id,
    shareId: isPublic ? shareId : null,
    version: version.version,
    ...(channel !== undefined && { channel }),
    description,
    createdAt,
    writeCount,
    console,
    messages:
      jkitId === null
        ? null
        : async (signal) => (await forFlash()).monitorMessages(jkitId, item.owned !== null, signal),
    builds: versionBuilds(version, item),
    isPerBoard: version.builds !== undefined,
    faults: [],
    report: (outcome) =>
      forFlash()
        .then(({ reportFlash }) => reportFlash(item.apiUrl, version, outcome))
        // An unreachable server counts one flash less.
        .catch(() => undefined),
  };
}

/** Fetched with the first flash, so that the release page shows its button without it. */
const forFlash = () => import('./server-release-files.ts');

function versionBuilds(version: Version, item: Item): VersionBuild[] {
  return buildsOf(version, item.project).map(({ _id, deviceFamily, deviceModel, guards, files: listed }) => {
    const files = listed.map(({ _id: id, fileName: name, offset, size, sha256 }) => ({
      id,
      name,
      offset: parseOffset(offset) ?? 0,
      size,
      sha256,
    }));
    return {
      id: _id,
      deviceFamily,
      deviceModel,
      guards,
      files,
      load: async (signal, onProgress) => (await forFlash()).loadFiles(item, version._id, files, signal, onProgress),
    };
  });
}

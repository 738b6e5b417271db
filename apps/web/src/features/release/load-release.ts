/** Loads the release of a share link from the server. */
import {
  firmwarePaths,
  type Project,
  ProjectAnswer,
  ProjectList,
  type ProjectSummary,
  SharedVersionAnswer,
  sharedFirmwarePaths,
  type Version,
} from '@wirebench/contract';
import { readPublic, request } from '../../shared/api/api.ts';
import { noResponse } from '../../shared/api/api-error.ts';
import { publicConfig } from '../../shared/config/public-config.ts';
import type { ReleaseAddress, ReleaseType } from '../../shared/release-address.ts';

export interface Release {
  readonly type: ReleaseType;
  readonly project: ProjectSummary;
  /** Newest first. A version link has only its own version. */
  readonly versions: readonly Version[];
  /** Visibility of the project itself, which strangers do not see. Null if a stranger asks. */
  readonly owned: { readonly isPublic: boolean } | null;
  /** Share id of the item that the link names. */
  readonly shareId: string;
  /** End of that link (ISO 8601); undefined for a link without an expiry. */
  readonly shareEndsAt?: string | undefined;
  /** Prefix of the API's paths. */
  readonly apiUrl: string;
}

/**
 * Loads a release.
 * @throws ApiError 404 for a private, deleted or unknown item.
 */
export async function loadRelease(address: ReleaseAddress, signal: AbortSignal): Promise<Release> {
  const { apiUrl } = await publicConfig().catch((error: unknown) => {
    throw noResponse(error);
  });
  const own = address.owned ? await loadOwn(address, apiUrl, signal) : null;
  return own ?? loadShared(address, apiUrl, signal);
}

async function loadShared({ type, id, beta }: ReleaseAddress, apiUrl: string, signal: AbortSignal): Promise<Release> {
  const path = sharedFirmwarePaths.item(type, id);
  if (type === 'project') {
    const asked = beta ? `${path}?channel=beta` : path;
    const { project } = await readPublic((client) => client.request(asked, ProjectAnswer, { signal }));
    return { type, project, versions: project.versions, owned: null, ...linkOf(project), apiUrl };
  }
  const { project, version } = await readPublic((client) => client.request(path, SharedVersionAnswer, { signal }));
  return { type, project, versions: [version], owned: null, ...linkOf(version), apiUrl };
}

/** Returns null if the signed-in user does not own it: it may be another user's public release. */
async function loadOwn({ type, id }: ReleaseAddress, apiUrl: string, signal: AbortSignal): Promise<Release | null> {
  const { projects } = await request(firmwarePaths.projects, ProjectList, { signal });
  const isMeant = (item: Project | Version) => item._id === id || item.shareId === id;
  if (type === 'project') {
    const project = projects.find(isMeant);
    return project === undefined ? null : { ...own(project, apiUrl), type, versions: project.versions };
  }
  for (const project of projects) {
    const version = project.versions.find(isMeant);
    if (version !== undefined) {
      return { ...own(project, apiUrl), type, versions: [version], ...linkOf(version) };
    }
  }
  return null;
}

function own(project: Project, apiUrl: string) {
  return { project, owned: { isPublic: project.isPublic }, ...linkOf(project), apiUrl };
}

function linkOf({ shareId, shareEndsAt }: Pick<Project, 'shareId' | 'shareEndsAt'>) {
  return { shareId, shareEndsAt };
}

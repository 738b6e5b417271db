/** Resolves the link of a release to the versions that a crash can be sent to. */
import { ProjectAnswer, SharedVersionAnswer, sharedFirmwarePaths } from '@wirebench/contract';
import { readPublic } from '../../../../../shared/api/api.ts';

export interface CrashTarget {
  /** Share id of the version. */
  readonly shareId: string;
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
}

export interface ReleaseLink {
  readonly type: 'project' | 'version';
  readonly id: string;
}

/** Parses a release link. Returns null if `text` is not one. */
export function readReleaseLink(text: string): ReleaseLink | null {
  const [, query = ''] = /\?([^#]*)/.exec(text.trim()) ?? [];
  const parameters = new URLSearchParams(query);
  const type = parameters.get('type');
  const id = parameters.get('id')?.trim() ?? '';
  return (type === 'project' || type === 'version') && /^[\w-]{1,64}$/.test(id) ? { type, id } : null;
}

/**
 * Returns the public versions behind a link, newest first.
 *
 * @throws ApiError with status 404 if the item is private, deleted or unknown.
 */
export async function targetsOf({ type, id }: ReleaseLink, signal: AbortSignal): Promise<readonly CrashTarget[]> {
  const path = sharedFirmwarePaths.item(type, id);
  if (type === 'version') {
    const { project, version } = await readPublic((client) => client.request(path, SharedVersionAnswer, { signal }));
    return [targetOf(project, version)];
  }
  const { project } = await readPublic((client) => client.request(path, ProjectAnswer, { signal }));
  return project.versions.map((version) => targetOf(project, version));
}

function targetOf(
  { name, publisher }: { readonly name: string; readonly publisher: string },
  { shareId, version }: { readonly shareId: string; readonly version: string },
): CrashTarget {
  return { shareId, name, version, publisher };
}

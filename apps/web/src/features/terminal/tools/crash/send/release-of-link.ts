/** The version that a crash is sent to, by the link that a person has of its release. */
import { ProjectAnswer, SharedVersionAnswer, sharedFirmwarePaths } from '@wirebench/contract';
import { readPublic } from '../../../../../shared/api/api.ts';

export interface CrashTarget {
  /** Of the version. */
  readonly shareId: string;
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
}

export interface ReleaseLink {
  readonly type: 'project' | 'version';
  readonly id: string;
}

/** Null for what is no link of a release. */
export function readReleaseLink(text: string): ReleaseLink | null {
  const [, query = ''] = /\?([^#]*)/.exec(text.trim()) ?? [];
  const parameters = new URLSearchParams(query);
  const type = parameters.get('type');
  const id = parameters.get('id')?.trim() ?? '';
  return (type === 'project' || type === 'version') && /^[\w-]{1,64}$/.test(id) ? { type, id } : null;
}

/** The public versions behind a link, newest first. Throws an ApiError: 404 for what is private, deleted or never was. */
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

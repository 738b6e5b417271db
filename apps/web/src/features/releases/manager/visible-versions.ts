/** Lists the versions that a public project shows. Publishing the project shows them again without another question. */
import type { Project } from '@wirebench/contract';

/** Returns a sentence that names them; null without any. */
export function withPublicVersions({ versions }: Pick<Project, 'versions'>): string | null {
  const names = versions.flatMap(({ version, isPublic }) => (isPublic ? [version] : []));
  const last = names.at(-1);
  if (last === undefined) {
    return null;
  }
  return names.length === 1
    ? `Version ${last} becomes visible too.`
    : `Versions ${names.slice(0, -1).join(', ')} and ${last} become visible too.`;
}

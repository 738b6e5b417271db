/** Which versions a project shows when it is public: making it public shows them again without a further question. */
import type { Project } from '@wirebench/contract';

/** A sentence that names them; null when there are none. */
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

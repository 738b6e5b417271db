import type { Project } from '@wirebench/contract';
import { errorMessage } from '../../shared/api/api-error.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useSetPublic } from './calls/items.ts';
import { withPublicVersions } from './model/visible-versions.ts';
import { releaseFailureText } from './release-texts.ts';

/** Makes a project public, and confirms it with the names of the versions that become visible. */
export function usePublishProject(project: Project) {
  const { _id: id, name } = project;
  return useSetPublic('project', id, {
    onSuccess: () => toast(`${name} is public`, { detail: withPublicVersions(project) ?? undefined }),
    onError: (error) => toast(releaseFailureText.toggle('project'), { level: 'error', detail: errorMessage(error) }),
  });
}

/**
 * The list of projects, from which all screens of the release manager are rendered, and the shared handling of its
 * changes.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { firmwarePaths, type NewProject, type Project, ProjectAnswer, ProjectList } from '@wirebench/contract';
import { request } from '../../../shared/api/api.ts';
import { ApiError } from '../../../shared/api/api-error.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { type ApiMutation, type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';

const listKey = 'firmware-projects';

/** @param user Owner of the list. The key keeps one user's list from the next user. */
const projectsQuery = (user: string) =>
  queryOptions({
    queryKey: [listKey, user],
    queryFn: async ({ signal }) => {
      const { projects } = await request(firmwarePaths.projects, ProjectList, { signal });
      return projects;
    },
  });

/** Query for the projects of the signed-in user, newest change first. */
export function useProjects(user: string) {
  return useQuery(projectsQuery(user), queryClient);
}

/** Reloads the list. Resolves after the answer, even if it is a failure, which the list itself shows. */
export function refreshProjects(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [listKey] });
}

/** Reloads the list if another tab has deleted or changed the item of a failed call. */
export function refreshAfter(error: unknown): void {
  if (error instanceof ApiError && (error.status === 404 || error.status === 409)) {
    void refreshProjects();
  }
}

/** Mutation of a release. Completes after the list is up to date. */
export function useReleaseMutation<Data = void, Variables = void>(
  mutationFn: (variables: Variables) => Promise<Data>,
  { onSuccess, onError }: CallEnds<Data, Variables> = {},
): ApiMutation<Data, Variables> {
  return useApiMutation<Data, Variables>({
    mutationFn,
    onSuccess: async (data, variables) => {
      await refreshProjects();
      onSuccess?.(data, variables);
    },
    onError: (error, variables) => {
      refreshAfter(error);
      onError?.(error, variables);
    },
  });
}

async function createProject(project: NewProject): Promise<Project> {
  const answer = await request(firmwarePaths.newProject, ProjectAnswer, {
    method: 'POST',
    body: project,
  });
  return answer.project;
}

export function useCreateProject(ends: CallEnds<Project, NewProject>) {
  return useReleaseMutation(createProject, ends);
}

/** The list of projects that every screen of the release manager is drawn from, and what each change of it has in common. */
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

/** The projects of who is signed in, newest change first. */
export function useProjects(user: string) {
  return useQuery(projectsQuery(user), queryClient);
}

/** Fetches the list again. Resolves when an answer arrives, also with a failure: the list itself shows it. */
export function refreshProjects(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [listKey] });
}

/** Fetches the list again if another tab has deleted or changed the item of a failed call. */
export function refreshAfter(error: unknown): void {
  if (error instanceof ApiError && (error.status === 404 || error.status === 409)) {
    void refreshProjects();
  }
}

/** A change of a release: it is done once the list shows it. */
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

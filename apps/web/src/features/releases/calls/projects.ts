/** Calls about projects, and the list that every screen of the release manager is drawn from. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  type DescriptionChange,
  firmwarePaths,
  type NewProject,
  type Project,
  ProjectAnswer,
  ProjectList,
  ShareAnswer,
} from '@wirebench/contract';
import { useEffect } from 'react';
import { api } from '../../../shared/api/api.ts';
import { queryClient } from '../../../shared/api/query-client.ts';

const listKey = 'firmware-projects';

/** @param user whose list it is: nobody sees another's from before a sign-out. */
function projectsQuery(user: string) {
  return queryOptions({
    queryKey: [listKey, user],
    queryFn: async ({ signal }) => {
      const { projects } = await (await api()).request(firmwarePaths.projects, ProjectList, { signal });
      return projects;
    },
  });
}

/** The projects of who is signed in, newest change first; asked anew when one comes back to this tab or window. */
export function useProjects(user: string) {
  const query = useQuery(projectsQuery(user), queryClient);
  useEffect(() => {
    // The library hears of tabs. Two windows side by side are both visible all the time.
    const refetch = () => void refreshProjects();
    window.addEventListener('focus', refetch);
    return () => window.removeEventListener('focus', refetch);
  }, []);
  return query;
}

/** Asks for the list anew. Resolves when the answer is there, whatever it is: the list says itself when it is not. */
export function refreshProjects(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [listKey] });
}

export async function createProject(project: NewProject): Promise<Project> {
  const answer = await (await api()).request(firmwarePaths.newProject, ProjectAnswer, {
    method: 'POST',
    body: project,
  });
  await refreshProjects();
  return answer.project;
}

/** @param change `before` is the description that was edited: a 409 says which one there is instead. */
export async function describeProject(id: string, change: DescriptionChange): Promise<void> {
  await (await api()).request(firmwarePaths.projectDescription(id), ProjectAnswer, {
    method: 'POST',
    body: change,
  });
  await refreshProjects();
}

/** Says which visibility is meant, so that a repeated call changes nothing. */
export async function setProjectPublic(id: string, isPublic: boolean): Promise<void> {
  await (await api()).request(firmwarePaths.projectSharing(id), ProjectAnswer, { method: 'POST', body: { isPublic } });
  await refreshProjects();
}

/** The id of the share link. */
export async function shareProject(id: string): Promise<string> {
  return (await (await api()).request(firmwarePaths.projectShare(id), ShareAnswer, { method: 'POST' })).shareId;
}

export async function deleteProject(id: string): Promise<void> {
  await (await api()).send(firmwarePaths.project(id), { method: 'DELETE' });
  await refreshProjects();
}

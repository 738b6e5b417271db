/** Calls that change a project or a version. */
import {
  type DescriptionChange,
  firmwarePaths,
  type Project,
  ProjectAnswer,
  ShareAnswer,
  type Version,
  VersionAnswer,
} from '@wirebench/contract';
import { request, send } from '../../../shared/api/api.ts';
import { type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import type { ItemType } from '../release-texts.ts';
import { refreshAfter, refreshProjects, useReleaseMutation } from './projects.ts';

const routes = {
  project: {
    answer: ProjectAnswer,
    item: firmwarePaths.project,
    description: firmwarePaths.projectDescription,
    sharing: firmwarePaths.projectSharing,
    share: firmwarePaths.projectShare,
    shareEnd: firmwarePaths.projectShareEnd,
    shareRenewal: firmwarePaths.projectShareRenewal,
  },
  version: {
    answer: VersionAnswer,
    item: firmwarePaths.version,
    description: firmwarePaths.versionDescription,
    sharing: firmwarePaths.versionSharing,
    share: firmwarePaths.versionShare,
    shareEnd: firmwarePaths.versionShareEnd,
    shareRenewal: firmwarePaths.versionShareRenewal,
  },
} as const satisfies Record<ItemType, object>;

type Change = 'description' | 'sharing' | 'shareEnd' | 'shareRenewal';

async function change(type: ItemType, id: string, what: Change, body?: object): Promise<void> {
  const { [what]: path, answer } = routes[type];
  await request<unknown>(path(id), answer, { method: 'POST', ...(body === undefined ? {} : { body }) });
}

/**
 * Mutation that changes the description. The server rejects it with 409 and the current description if that is no
 * longer `before`.
 */
export function useDescribe(type: ItemType, id: string, ends: CallEnds<void, DescriptionChange>) {
  return useReleaseMutation((to: DescriptionChange) => change(type, id, 'description', to), ends);
}

/** Mutation that sets the visibility. It sends the wanted state, so a repeated call changes nothing. */
export function useSetPublic(type: ItemType, id: string, ends: CallEnds<void, boolean>) {
  return useReleaseMutation((isPublic: boolean) => change(type, id, 'sharing', { isPublic }), ends);
}

/**
 * Mutation that makes a project and one of its versions public. The project comes first, because the visibility of a
 * version can be changed only then. A repeated call continues after a failure between the two.
 */
export function usePublish({ _id: id }: Pick<Project, '_id'>, ends: CallEnds<void, Version>) {
  return useReleaseMutation(async (version: Version) => {
    await change('project', id, 'sharing', { isPublic: true });
    await change('version', version._id, 'sharing', { isPublic: true }).catch((error: unknown) => {
      // The project is public already: the list has to say so.
      void refreshProjects();
      throw error;
    });
  }, ends);
}

/** Mutation that sets the end of the link, ISO 8601 in UTC. Null removes the end. */
export function useSetLinkEnd(type: ItemType, id: string, ends: CallEnds<void, string | null>) {
  return useReleaseMutation((endsAt: string | null) => change(type, id, 'shareEnd', { endsAt }), ends);
}

/** Mutation that renews the link. Links with the old share id stop working. */
export function useRenewLink(type: ItemType, id: string, ends: CallEnds) {
  return useReleaseMutation(() => change(type, id, 'shareRenewal'), ends);
}

/** Mutation that returns the id of the share link. The list is already up to date then. */
export function useShare(type: ItemType, id: string, { onSuccess, onError }: CallEnds<string>) {
  return useApiMutation<string>({
    mutationFn: async () => (await request(routes[type].share(id), ShareAnswer, { method: 'POST' })).shareId,
    onSuccess,
    onError: (error) => {
      refreshAfter(error);
      onError?.(error);
    },
  });
}

export function useDelete(type: ItemType, id: string, ends: CallEnds) {
  return useReleaseMutation(async () => {
    await send(routes[type].item(id), { method: 'DELETE' });
  }, ends);
}

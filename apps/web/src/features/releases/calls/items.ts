/** Calls about one project or one version: what can be changed of either. */
import { type DescriptionChange, firmwarePaths, ProjectAnswer, ShareAnswer, VersionAnswer } from '@wirebench/contract';
import { request, send } from '../../../shared/api/api.ts';
import { type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import type { ItemType } from '../release-texts.ts';
import { refreshAfter, useReleaseMutation } from './projects.ts';

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

/** `before` is the description that was edited: a 409 says which one there is instead. */
export function useDescribe(type: ItemType, id: string, ends: CallEnds<void, DescriptionChange>) {
  return useReleaseMutation((to: DescriptionChange) => change(type, id, 'description', to), ends);
}

/** Says which visibility is meant, so that a repeated call changes nothing. */
export function useSetPublic(type: ItemType, id: string, ends: CallEnds<void, boolean>) {
  return useReleaseMutation((isPublic: boolean) => change(type, id, 'sharing', { isPublic }), ends);
}

/** ISO 8601 in UTC; null takes the end away. */
export function useSetLinkEnd(type: ItemType, id: string, ends: CallEnds<void, string | null>) {
  return useReleaseMutation((endsAt: string | null) => change(type, id, 'shareEnd', { endsAt }), ends);
}

/** Links with the old share id are dead from then on. */
export function useRenewLink(type: ItemType, id: string, ends: CallEnds) {
  return useReleaseMutation(() => change(type, id, 'shareRenewal'), ends);
}

/** The id of the share link. The list has it already. */
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

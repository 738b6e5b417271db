/** One's own jkits: the list, and everything that changes one. */
import { useQuery } from '@tanstack/react-query';
import {
  type Jkit,
  JkitAnswer,
  type JkitChange,
  JkitList,
  jkitLimits,
  jkitPaths,
  type NewJkit,
} from '@wirebench/contract';
import { queryClient } from '../../../shared/api/query-client.ts';
import type { CallEnds } from '../../../shared/api/use-api-mutation.ts';
import { learnOwnName } from '../../../shared/session/own-names.ts';
import { sessionStore } from '../../../shared/session/page-session.ts';
import { jkitsKey, requestJkits, sendJkits, useJkitMutation } from './jkit-call.ts';

/** All of a type, the last changed first. @param user whose they are; @param slots how many one may have */
export function useOwnJkits(user: string, slots: number, type: Jkit['type']) {
  return useQuery(
    {
      queryKey: [jkitsKey, user, 'own', type, slots],
      queryFn: async ({ signal }) => {
        const limit = Math.min(100, Math.max(jkitLimits.pageSize, slots));
        const query = { type, limit, offset: 0, sort: 'updatedAt' };
        const { data } = await requestJkits(jkitPaths.jkits, JkitList, { query, signal });
        learnFrom(user, data);
        return data;
      },
    },
    queryClient,
  );
}

/** What one published says under which name. @param user whose jkits they are */
function learnFrom(user: string | null, [jkit]: readonly Jkit[]): void {
  if (user !== null && jkit !== undefined) {
    learnOwnName(user, jkit.publisher);
  }
}

/** Whoever is signed in, whose every saved jkit is. */
const currentUser = () => sessionStore.current()?.user.name ?? null;

/** A new jkit is private and has a version, and the call says so. */
async function saveJkit(jkit: Partial<NewJkit>): Promise<Jkit> {
  const body = { type: 'uart', shared: false, version: firstVersion, ...jkit };
  return (await requestJkits(jkitPaths.jkits, JkitAnswer, { method: 'POST', body })).data;
}

/** Of a jkit whose version nobody typed. */
const firstVersion = '1.0.0';

async function updateJkit(id: string, change: JkitChange): Promise<Jkit> {
  return (await requestJkits(jkitPaths.jkit(id), JkitAnswer, { method: 'PUT', body: change })).data;
}

/**
 * A new jkit, or another content of one.
 * @param id null for a new one; @param changeOf makes the call's body of what is given to `mutate`, and may throw
 */
export function useSaveJkit<Variables>(
  id: string | null,
  changeOf: (variables: Variables) => Partial<NewJkit> & JkitChange,
  { onSuccess, onError }: CallEnds<Jkit, Variables>,
) {
  return useJkitMutation(
    async (variables: Variables) => {
      const change = changeOf(variables);
      return id === null ? saveJkit(change) : updateJkit(id, change);
    },
    {
      onSuccess: (jkit, variables) => {
        learnFrom(currentUser(), [jkit]);
        onSuccess?.(jkit, variables);
      },
      onError,
    },
  );
}

/** Makes a jkit shared or private. */
export function useShareJkit(id: string, ends: CallEnds<Jkit, boolean>) {
  return useSaveJkit(id, (shared: boolean) => ({ shared }), ends);
}

export function useDeleteJkit(id: string, ends: CallEnds) {
  return useJkitMutation(async () => {
    await sendJkits(jkitPaths.jkit(id), { method: 'DELETE' });
  }, ends);
}

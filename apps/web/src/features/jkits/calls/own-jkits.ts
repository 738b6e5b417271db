/** The user's own JKits: list and mutations. */
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

/**
 * Query for the user's JKits of a type, last changed first.
 *
 * @param user Signed-in user, part of the query key.
 * @param slots Maximum number of JKits for each user.
 */
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

/**
 * Learns the user's public name from the publisher of a JKit.
 *
 * @param user Owner of the JKits.
 */
function learnFrom(user: string | null, [jkit]: readonly Jkit[]): void {
  if (user !== null && jkit !== undefined) {
    learnOwnName(user, jkit.publisher);
  }
}

/** Returns the signed-in user, who owns every saved JKit. */
const currentUser = () => sessionStore.current()?.user.name ?? null;

/** Creates a JKit. The call sets default values for `type`, `shared` and `version`: a new JKit is private. */
async function saveJkit(jkit: Partial<NewJkit>): Promise<Jkit> {
  const body = { type: 'uart', shared: false, version: firstVersion, ...jkit };
  return (await requestJkits(jkitPaths.jkits, JkitAnswer, { method: 'POST', body })).data;
}

/** Version of a JKit if the user entered none. */
const firstVersion = '1.0.0';

async function updateJkit(id: string, change: JkitChange): Promise<Jkit> {
  return (await requestJkits(jkitPaths.jkit(id), JkitAnswer, { method: 'PUT', body: change })).data;
}

/**
 * Mutation that creates a JKit or changes one.
 *
 * @param id JKit to change. Null: create one.
 * @param changeOf Builds the body from the variables given to `mutate`. May throw.
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

/** Mutation that makes a JKit shared or private. */
export function useShareJkit(id: string, ends: CallEnds<Jkit, boolean>) {
  return useSaveJkit(id, (shared: boolean) => ({ shared }), ends);
}

export function useDeleteJkit(id: string, ends: CallEnds) {
  return useJkitMutation(async () => {
    await sendJkits(jkitPaths.jkit(id), { method: 'DELETE' });
  }, ends);
}

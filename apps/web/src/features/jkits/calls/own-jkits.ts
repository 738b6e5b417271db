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
import { jkitsKey, refreshJkits, requestJkits, sendJkits } from './jkit-call.ts';

/** All of them, the newest first. @param user whose they are; @param slots how many one may have */
export function useOwnJkits(user: string, slots: number) {
  return useQuery(
    {
      queryKey: [jkitsKey, user, 'own', slots],
      queryFn: async ({ signal }) => {
        const limit = Math.min(100, Math.max(jkitLimits.pageSize, slots));
        const query = { type: 'uart', limit, offset: 0, sort: 'createdAt' };
        return (await requestJkits(jkitPaths.jkits, JkitList, { query, signal })).data;
      },
    },
    queryClient,
  );
}

/** A new jkit is private and has a version, and the call says so. */
export async function saveJkit(jkit: Partial<NewJkit>): Promise<Jkit> {
  const body = { type: 'uart', shared: false, version: firstVersion, ...jkit };
  const { data } = await requestJkits(jkitPaths.jkits, JkitAnswer, { method: 'POST', body });
  void refreshJkits();
  return data;
}

/** Of a jkit whose version nobody typed. */
const firstVersion = '1.0.0';

export async function updateJkit(id: string, change: JkitChange): Promise<Jkit> {
  const { data } = await requestJkits(jkitPaths.jkit(id), JkitAnswer, { method: 'PUT', body: change });
  void refreshJkits();
  return data;
}

export async function deleteJkit(id: string): Promise<void> {
  await sendJkits(jkitPaths.jkit(id), { method: 'DELETE' });
  void refreshJkits();
}

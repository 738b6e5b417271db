/** Fetches whole JKits. Lists of other publishers' JKits omit the contents if they would be too long. */
import { useQuery } from '@tanstack/react-query';
import { type Jkit, JkitAnswer, jkitPaths, type ListedJkit } from '@wirebench/contract';
import { queryClient } from '../../../shared/api/query-client.ts';
import { jkitsKey, requestJkits } from './jkit-call.ts';

/** Fetches a JKit by id: the user's own, or a shared one, which needs no sign-in. */
export async function fetchJkit(id: string, signal?: AbortSignal): Promise<Jkit> {
  return (await requestJkits(jkitPaths.jkit(id), JkitAnswer, signal === undefined ? {} : { signal })).data;
}

const isWhole = (jkit: ListedJkit): jkit is Jkit => jkit.content !== undefined;

/**
 * Query for the content that a list omitted.
 *
 * @param wanted False: do not fetch yet.
 */
export function useWholeJkit(user: string, jkit: ListedJkit, wanted: boolean) {
  const query = useQuery(
    {
      queryKey: [jkitsKey, user, 'whole', jkit._id],
      queryFn: ({ signal }) => fetchJkit(jkit._id, signal),
      enabled: wanted && !isWhole(jkit),
    },
    queryClient,
  );
  return { query, whole: isWhole(jkit) ? jkit : query.data };
}

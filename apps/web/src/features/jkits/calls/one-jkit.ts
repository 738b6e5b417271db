/** A whole jkit: lists of others' jkits leave out contents where they would be too long. */
import { useQuery } from '@tanstack/react-query';
import { type Jkit, JkitAnswer, jkitPaths, type ListedJkit } from '@wirebench/contract';
import { queryClient } from '../../../shared/api/query-client.ts';
import { jkitsKey, requestJkits } from './jkit-call.ts';

/** A jkit by its id: one's own, or a shared one, for which nobody has to be signed in. */
export async function fetchJkit(id: string, signal?: AbortSignal): Promise<Jkit> {
  return (await requestJkits(jkitPaths.jkit(id), JkitAnswer, signal === undefined ? {} : { signal })).data;
}

const isWhole = (jkit: ListedJkit): jkit is Jkit => jkit.content !== undefined;

/** Fetches what a list left out. @param wanted nothing is asked before */
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

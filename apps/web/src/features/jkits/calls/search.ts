/** Search in shared JKits. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Jkit, JkitSearchList, jkitLimits, jkitPaths } from '@wirebench/contract';
import { queryClient } from '../../../shared/api/query-client.ts';
import { jkitsKey, requestJkits } from './jkit-call.ts';

/**
 * Query for the pages of a search, best match first. A new search aborts the previous request.
 *
 * @param q Trimmed search text. Nothing is requested while it is empty.
 */
export function useJkitSearch(user: string, q: string, type: Jkit['type']) {
  return useInfiniteQuery(
    {
      queryKey: [jkitsKey, user, 'search', type, q],
      queryFn: ({ pageParam, signal }) => {
        const query = { q, type, shared: true, limit: jkitLimits.pageSize, skip: pageParam };
        return requestJkits(jkitPaths.search, JkitSearchList, { query, signal });
      },
      initialPageParam: 0,
      getNextPageParam: ({ data, pagination: { skip, hasMore } }) => {
        const next = skip + data.length;
        return hasMore && next <= jkitLimits.searchDepth ? next : undefined;
      },
      enabled: q !== '',
      placeholderData: keepPreviousData,
    },
    queryClient,
  );
}

import { useQuery } from '@tanstack/react-query';
import { JkitList, jkitPaths } from '@wirebench/contract';
import { request } from '../../../shared/api/api.ts';
import { queryClient } from '../../../shared/api/query-client.ts';

/** Query for the user's own JKits, which can be opened in the monitor after a flash. Newest change first. */
export function useOwnJkits(user: string) {
  return useQuery(
    {
      queryKey: ['release-jkits', user],
      queryFn: async ({ signal }) => {
        const query = { type: 'uart', limit: 100, sort: 'updatedAt' };
        return (await request(jkitPaths.jkits, JkitList, { query, signal })).data;
      },
    },
    queryClient,
  );
}

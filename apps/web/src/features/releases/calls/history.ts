/** The history of a project: in pages for the screen, or complete as a file. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { firmwarePaths, History, type Project } from '@wirebench/contract';
import { request, send } from '../../../shared/api/api.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import { refreshAfter } from './projects.ts';

const PAGE = 50;

/**
 * Loads a page of the history, newest first.
 * @param skip Number of entries already loaded.
 */
async function historyOf(projectId: string, skip: number, signal: AbortSignal): Promise<History> {
  return request(firmwarePaths.projectHistory(projectId), History, {
    query: { limit: PAGE, skip },
    signal,
  });
}

/** @param wanted False: sends no request yet. */
export function useHistory({ _id: id, updatedAt }: Project, wanted: boolean) {
  return useInfiniteQuery(
    {
      // `updatedAt` is in the key, because each change of the project adds an entry.
      queryKey: ['firmware-history', id, updatedAt],
      queryFn: ({ pageParam, signal }) => historyOf(id, pageParam, signal),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const read = pages.reduce((sum, { history }) => sum + history.length, 0);
        return last.history.length === 0 || read >= last.pagination.total ? null : read;
      },
      enabled: wanted,
    },
    queryClient,
  );
}

/** Downloads the complete history as CSV. */
export function useHistoryFile(projectId: string, { onSuccess, onError }: CallEnds<Blob>) {
  return useApiMutation<Blob>({
    mutationFn: async () => {
      const response = await send(firmwarePaths.projectHistory(projectId), { query: { format: 'csv' } });
      return response.blob();
    },
    onSuccess,
    onError: (error) => {
      refreshAfter(error);
      onError?.(error);
    },
  });
}

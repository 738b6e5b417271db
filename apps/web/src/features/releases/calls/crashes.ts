/** Calls about the crashes of a version that people sent: page by page, one with its examples, and what deletes them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CrashAnswer, CrashList, crashLimits, firmwarePaths } from '@wirebench/contract';
import { request, send } from '../../../shared/api/api.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import { refreshAfter, refreshProjects } from './projects.ts';

const listKey = 'firmware-crashes';

/** Seen last first. @param wanted nothing is asked before */
export function useCrashes(versionId: string, wanted: boolean) {
  return useInfiniteQuery(
    {
      queryKey: [listKey, versionId],
      queryFn: async ({ pageParam, signal }) =>
        request(firmwarePaths.versionCrashes(versionId), CrashList, {
          query: { limit: crashLimits.pageSize, skip: pageParam },
          signal,
        }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const read = pages.reduce((sum, { crashes }) => sum + crashes.length, 0);
        return last.crashes.length === 0 || read >= last.pagination.total ? null : read;
      },
      enabled: wanted,
    },
    queryClient,
  );
}

/** @param fingerprint null asks nothing */
export function useCrash(versionId: string, fingerprint: string | null) {
  return useQuery(
    {
      queryKey: [listKey, versionId, fingerprint],
      queryFn: async ({ signal }) =>
        (await request(firmwarePaths.versionCrash(versionId, fingerprint ?? ''), CrashAnswer, { signal })).crash,
      enabled: fingerprint !== null,
    },
    queryClient,
  );
}

/** One crash, or all of them with null. Done once the lists show it. */
export function useDeleteCrashes(versionId: string, { onSuccess, onError }: CallEnds<void, string | null>) {
  return useApiMutation<void, string | null>({
    mutationFn: async (fingerprint) => {
      const path =
        fingerprint === null
          ? firmwarePaths.versionCrashes(versionId)
          : firmwarePaths.versionCrash(versionId, fingerprint);
      await send(path, { method: 'DELETE' });
    },
    onSuccess: async (data, variables) => {
      await Promise.all([queryClient.invalidateQueries({ queryKey: [listKey, versionId] }), refreshProjects()]);
      onSuccess?.(data, variables);
    },
    onError: (error, variables) => {
      refreshAfter(error);
      onError?.(error, variables);
    },
  });
}

export function useCrashDump(versionId: string, fingerprint: string, ends: CallEnds<Blob, string>) {
  return useApiMutation<Blob, string>({
    mutationFn: async (exampleId) => (await send(firmwarePaths.crashDump(versionId, fingerprint, exampleId))).blob(),
    ...ends,
  });
}

/** Calls about the reported crashes of a version: pages of the list, one crash with its examples, and deletion. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CrashAnswer, CrashList, crashLimits, firmwarePaths } from '@wirebench/contract';
import { request, send } from '../../../shared/api/api.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import { refreshAfter, refreshProjects } from './projects.ts';

const listKey = 'firmware-crashes';

/**
 * Query for the crashes, last seen first.
 * @param wanted False: sends no request yet.
 */
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

/** @param fingerprint Null: sends no request. */
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

/** Mutation that deletes one crash, or all of them for null. Completes after the lists are up to date. */
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

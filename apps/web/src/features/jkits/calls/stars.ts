/** The user's stars and ratings for other publishers' JKits. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type Jkit,
  JkitAnswer,
  jkitLimits,
  jkitPaths,
  RatingAnswer,
  StarAnswer,
  StarredJkitList,
} from '@wirebench/contract';
import { queryClient } from '../../../shared/api/query-client.ts';
import type { CallEnds } from '../../../shared/api/use-api-mutation.ts';
import { jkitsKey, requestJkits, useJkitMutation } from './jkit-call.ts';

/** Query for the pages of the starred JKits, last changed first. */
export function useStarredJkits(user: string, type: Jkit['type']) {
  return useInfiniteQuery(
    {
      queryKey: [jkitsKey, user, 'starred', type],
      queryFn: ({ pageParam, signal }) => {
        const query = { type, limit: jkitLimits.pageSize, skip: pageParam, sort: 'updatedAt' };
        return requestJkits(jkitPaths.starred, StarredJkitList, { query, signal });
      },
      initialPageParam: 0,
      getNextPageParam: ({ data, pagination: { skip, total } }) => {
        const next = skip + data.length;
        return data.length > 0 && next < total ? next : undefined;
      },
    },
    queryClient,
  );
}

/**
 * Query for the user's star on a JKit.
 *
 * @param jkitId Null for the user's own JKits: nothing is requested.
 */
export function useIsStarred(user: string, jkitId: string | null) {
  return useQuery(
    {
      queryKey: [jkitsKey, user, 'is-starred', jkitId],
      queryFn: async ({ signal }) =>
        (await requestJkits(jkitPaths.isStarred(jkitId ?? ''), StarAnswer, { signal })).data.isStarred,
      enabled: jkitId !== null,
    },
    queryClient,
  );
}

/** Mutation that sets or removes the user's star. */
export function useSetStar(user: string, jkitId: string, { onSuccess, onError }: CallEnds<boolean, boolean>) {
  return useJkitMutation(
    async (starred: boolean) => {
      const method = starred ? 'POST' : 'DELETE';
      return (await requestJkits(jkitPaths.star(jkitId), StarAnswer, { method })).data.isStarred;
    },
    {
      onSuccess: (isStarred, starred) => {
        queryClient.setQueryData([jkitsKey, user, 'is-starred', jkitId], isStarred);
        onSuccess?.(isStarred, starred);
      },
      onError,
    },
  );
}

/** Query for the user's rating of a JKit, 1 to 5, or null without a rating. */
export function useOwnRating(user: string, jkitId: string) {
  return useQuery(
    {
      queryKey: [jkitsKey, user, 'own-rating', jkitId],
      queryFn: async ({ signal }) =>
        (await requestJkits(jkitPaths.rating(jkitId), RatingAnswer, { signal })).data.stars,
    },
    queryClient,
  );
}

/** Mutation that rates a JKit with 1 to 5 stars and replaces an earlier rating. */
export function useRateJkit(user: string, jkitId: string, { onSuccess, onError }: CallEnds<Jkit, number>) {
  return useJkitMutation(
    async (stars: number) =>
      (await requestJkits(jkitPaths.rating(jkitId), JkitAnswer, { method: 'POST', body: { stars } })).data,
    {
      onSuccess: (jkit, stars) => {
        queryClient.setQueryData([jkitsKey, user, 'own-rating', jkitId], stars);
        onSuccess?.(jkit, stars);
      },
      onError,
    },
  );
}

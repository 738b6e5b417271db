import { queryOptions, useQuery } from '@tanstack/react-query';
import { buildLimits, defaultReleaseLimits, type PublicConfig } from '@wirebench/contract';
import { queryClient } from '../api/query-client.ts';
import { publicConfig } from './public-config.ts';

export type ServerLimits = PublicConfig['limits'];

const defaultLimits: ServerLimits = { ...defaultReleaseLimits, builds: buildLimits.builds };

const publicConfigQuery = queryOptions({
  queryKey: ['public-config'],
  queryFn: publicConfig,
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * Returns the server's limits for projects, versions and JKits of a user. Returns the defaults until the server has
 * answered.
 */
export function useServerLimits(): ServerLimits {
  return useQuery({ ...publicConfigQuery, select: ({ limits }) => limits }, queryClient).data ?? defaultLimits;
}

import { useQuery } from '@tanstack/react-query';
import { defaultReleaseLimits } from '@wirebench/contract';
import { queryClient } from '../../../shared/api/query-client.ts';
import { publicConfig } from '../../../shared/config/public-config.ts';

export interface ReleaseLimits {
  readonly projects: number;
  readonly versions: number;
}

/** How many projects and versions this server allows; the specification's numbers until it has told. */
export function useLimits(): ReleaseLimits {
  const { data } = useQuery(
    {
      queryKey: ['release-limits'],
      queryFn: async () => (await publicConfig()).limits,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClient,
  );
  return data ?? defaultReleaseLimits;
}

import { useQuery } from '@tanstack/react-query';
import { defaultReleaseLimits } from '@wirebench/contract';
import { queryClient } from '../../../shared/api/query-client.ts';
import { publicConfig } from '../../../shared/config/public-config.ts';

/** How many jkits this server lets one have; the specification's number until it has told. */
export function useSlotLimit(): number {
  const { data } = useQuery(
    {
      queryKey: ['jkit-slots'],
      queryFn: async () => (await publicConfig()).limits.jkits,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClient,
  );
  return data ?? defaultReleaseLimits.jkits;
}

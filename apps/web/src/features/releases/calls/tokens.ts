/** Publishing tokens: the list and its changes. */
import { useQuery } from '@tanstack/react-query';
import { type NewToken, NewTokenAnswer, TokenList, tokenPaths } from '@wirebench/contract';
import { request, send } from '../../../shared/api/api.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { type CallEnds, useApiMutation } from '../../../shared/api/use-api-mutation.ts';

const listKey = 'publishing-tokens';

/**
 * Query for the tokens, newest first, including expired ones.
 * @param wanted False: sends no request yet.
 */
export function useTokens(user: string, wanted: boolean) {
  return useQuery(
    {
      queryKey: [listKey, user],
      queryFn: async ({ signal }) => (await request(tokenPaths.tokens, TokenList, { signal })).tokens,
      enabled: wanted,
    },
    queryClient,
  );
}

function refreshTokens(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [listKey] });
}

/** Mutation that creates a token. Only its answer contains the secret. */
export function useCreateToken({ onSuccess, onError }: CallEnds<NewTokenAnswer, NewToken>) {
  return useApiMutation<NewTokenAnswer, NewToken>({
    mutationFn: async (token) => request(tokenPaths.tokens, NewTokenAnswer, { method: 'POST', body: token }),
    onSuccess: (answer, token) => {
      // Not awaited, because the secret must be shown at once.
      void refreshTokens();
      onSuccess?.(answer, token);
    },
    onError,
  });
}

export function useRevokeToken(id: string, { onSuccess, onError }: CallEnds) {
  return useApiMutation({
    mutationFn: async () => {
      await send(tokenPaths.token(id), { method: 'DELETE' });
    },
    onSuccess: async () => {
      await refreshTokens();
      onSuccess?.();
    },
    onError,
  });
}

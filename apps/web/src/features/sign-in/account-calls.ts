/** The user's own account: the name under which the user publishes. */
import { useQuery } from '@tanstack/react-query';
import { type Account, AccountAnswer, accountPaths } from '@wirebench/contract';
import { request } from '../../shared/api/api.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { type CallEnds, useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { learnOwnName } from '../../shared/session/own-names.ts';

const accountKey = 'account';

/**
 * @param user Signed-in user.
 * @param wanted False: the account is not requested yet.
 */
export function useOwnAccount(user: string, wanted: boolean) {
  return useQuery(
    {
      queryKey: [accountKey, user],
      queryFn: async ({ signal }) => (await request(accountPaths.account, AccountAnswer, { signal })).account,
      enabled: wanted,
    },
    queryClient,
  );
}

async function changePublicName(publicName: string): Promise<Account> {
  const answer = await request(accountPaths.publicName, AccountAnswer, {
    method: 'PUT',
    body: { publicName },
  });
  return answer.account;
}

export function useChangePublicName(user: string, { onSuccess, onError }: CallEnds<Account, string>) {
  return useApiMutation<Account, string>({
    mutationFn: changePublicName,
    onSuccess: (account, publicName) => {
      learnOwnName(user, account.publicName);
      queryClient.setQueryData([accountKey, user], account);
      // Reloads all data, because publishers are shown by name.
      void queryClient.invalidateQueries();
      onSuccess?.(account, publicName);
    },
    onError,
  });
}

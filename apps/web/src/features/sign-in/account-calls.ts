/** Calls about one's own account. */
import { type Account, AccountAnswer, accountPaths } from '@wirebench/contract';
import { api } from '../../shared/api/api.ts';

export async function ownAccount(signal: AbortSignal): Promise<Account> {
  return (await (await api()).request(accountPaths.account, AccountAnswer, { signal })).account;
}

export async function changePublicName(publicName: string): Promise<Account> {
  const answer = await (await api()).request(accountPaths.publicName, AccountAnswer, {
    method: 'PUT',
    body: { publicName },
  });
  return answer.account;
}

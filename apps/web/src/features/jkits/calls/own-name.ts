/** Requests the user's public name if this browser does not know it yet. */
import { AccountAnswer, accountPaths } from '@wirebench/contract';
import { request } from '../../../shared/api/api.ts';
import { knowsOwnName, learnOwnName } from '../../../shared/session/own-names.ts';

const asked = new Map<string, Promise<void>>();

/**
 * Resolves when the name is known or the request has failed. Never rejects. After a failure, the next call requests
 * it again.
 */
export function learnNameOf(user: string): Promise<void> {
  if (knowsOwnName(user)) {
    return Promise.resolve();
  }
  const running = asked.get(user) ?? ask(user).finally(() => asked.delete(user));
  asked.set(user, running);
  return running;
}

async function ask(user: string): Promise<void> {
  try {
    const { account } = await request(accountPaths.account, AccountAnswer);
    learnOwnName(user, account.publicName);
  } catch (error) {
    console.warn('The public name could not be asked for.', error);
  }
}

/** The caller's own account over HTTP. Access tokens only: publishing tokens are refused. */
import { AccountAnswer, accountPaths, PublicNameChange } from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { type Guards, signedIn } from '../../plugins/auth.ts';
import type { AccountService } from './accounts.service.ts';

export interface AccountRoutesOptions {
  readonly accounts: Pick<AccountService, 'get' | 'rename'>;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
}

/** Bytes of a body. The longest name needs a fraction of it. */
const BODY_LIMIT = 4 * 1_024;

export const accountRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (app, options) => {
  const { accounts, guards, limitWrites } = options;
  const user = guards.requireUser('account-sign-in-required');

  app.get(
    accountPaths.account,
    {
      onRequest: user,
      schema: { summary: 'Returns the public name of the caller.', response: { 200: AccountAnswer } },
    },
    async (request) => ({ account: await accounts.get(signedIn(request)) }),
  );

  app.put(
    accountPaths.publicName,
    {
      onRequest: [user, limitWrites],
      bodyLimit: BODY_LIMIT,
      config: { refusals: ['public-name-taken'] },
      schema: {
        summary: 'Changes the name that the caller publishes under, also on what was published before.',
        body: PublicNameChange,
        response: { 200: AccountAnswer },
      },
    },
    async (request) => ({ account: await accounts.rename(signedIn(request), request.body.publicName) }),
  );
};

/** Publishing tokens over HTTP, for signed-in users only: a token cannot create or revoke tokens. */
import { NewToken, NewTokenAnswer, TokenList, tokenPaths } from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { type Guards, signedIn } from '../../plugins/auth.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { TokenService } from './tokens.service.ts';

export interface TokenRoutesOptions {
  readonly tokens: TokenService;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
}

/** Bytes of a body. The longest name needs a fraction of it. */
const BODY_LIMIT = 4 * 1_024;

export const tokenRoutes: FastifyPluginAsyncZod<TokenRoutesOptions> = async (app, { tokens, guards, limitWrites }) => {
  const user = guards.requireUser('releases-sign-in-required');
  const writing = { onRequest: [user, limitWrites], bodyLimit: BODY_LIMIT };

  app.get(
    tokenPaths.tokens,
    {
      onRequest: user,
      schema: { summary: 'Lists the publishing tokens of the caller, newest first.', response: { 200: TokenList } },
    },
    async (request) => ({ tokens: await tokens.list(signedIn(request)) }),
  );

  app.post(
    tokenPaths.tokens,
    {
      ...writing,
      config: { refusals: ['token-limit', 'not-found'] },
      schema: {
        summary:
          'Creates a token that publishes versions of one project, and returns its secret, which is shown only once.',
        body: NewToken,
        response: { 201: NewTokenAnswer },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await tokens.create(signedIn(request), { ...request.body, projectId: idOf(request.body.projectId) })),
  );

  app.delete(
    tokenPaths.token(':id'),
    {
      ...writing,
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Revokes a publishing token.',
        params: IdParams,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await tokens.remove(idOf(request.params.id), signedIn(request));
      return reply.code(204).send();
    },
  );
};

/** Lets people in person and their publishing tokens through to the firmware calls; everywhere else tokens are no good. */
import { tokenPrefix } from '@wirebench/contract';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../../api-error.ts';
import { bearerToken, type Guards } from '../../plugins/auth.ts';
import { refusing } from '../../plugins/route-refusals.ts';
import type { TokenService } from './tokens.service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The token that acts for `user`; null for the user in person. */
    publishingToken: { readonly id: string; readonly name: string } | null;
  }
}

/** A guard for `onRequest` hooks: it refuses before a body is read. */
export function guardPublishing(
  app: FastifyInstance,
  guards: Guards,
  tokens: Pick<TokenService, 'verify'>,
): onRequestAsyncHookHandler {
  app.decorateRequest('publishingToken', null);
  const requireUser = guards.requireUser('releases-sign-in-required');
  return refusing(
    async function (request, reply) {
      const bearer = bearerToken(request);
      if (bearer === null || !bearer.startsWith(tokenPrefix)) {
        await requireUser.call(this, request, reply);
        return;
      }
      const holder = await tokens.verify(bearer);
      if (holder === null) {
        request.log.info({ reason: 'no such publishing token' }, 'token refused');
        throw new ApiError('releases-sign-in-required');
      }
      const { id, name, subject, username } = holder;
      request.user = { subject, username, name: null, email: null, picture: null, roles: [] };
      request.publishingToken = { id, name };
    },
    'releases-sign-in-required',
    'identity-unavailable',
  );
}

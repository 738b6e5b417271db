/**
 * Guards of the firmware routes, which accept users and their publishing tokens. No other route accepts publishing
 * tokens.
 */
import { tokenPrefix } from '@wirebench/contract';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../../api-error.ts';
import { bearerToken, type Guards } from '../../plugins/auth.ts';
import { refusing } from '../../plugins/route-refusals.ts';
import type { TokenService } from './tokens.service.ts';

/** Guards for `onRequest` hooks: they refuse before a body is read. */
export interface PublishingGuards {
  /** Lets users and their tokens through. The services check which project a token covers. */
  readonly requirePublisher: onRequestAsyncHookHandler;
  /** Does the same, but refuses tokens that may only publish. */
  readonly requireOwner: onRequestAsyncHookHandler;
}

export function guardPublishing(
  app: FastifyInstance,
  guards: Guards,
  tokens: Pick<TokenService, 'verify'>,
): PublishingGuards {
  app.decorateRequest('publishingToken', null);
  const requireUser = guards.requireUser('releases-sign-in-required');
  const codes = [
    'releases-sign-in-required',
    'token-owner-inactive',
    'token-owner-blocked',
    'identity-unavailable',
  ] as const;
  const guard = (mayOnlyPublish: boolean): onRequestAsyncHookHandler =>
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
      const { id, name, projectId, mayReplace = false, subject, username } = holder;
      if (projectId !== null && !mayOnlyPublish) {
        throw new ApiError('token-not-allowed');
      }
      request.user = { subject, username, name: null, email: null, picture: null, roles: [] };
      request.publishingToken = { id, name, projectId, mayReplace };
    };
  return {
    requirePublisher: refusing(guard(true), ...codes),
    requireOwner: refusing(guard(false), ...codes, 'token-not-allowed'),
  };
}

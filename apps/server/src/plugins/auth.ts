/** Who calls: reads the bearer token and keeps routes for those who may. Which tokens are good is the verifier's matter. */
import type { ErrorCode } from '@wirebench/contract';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../api-error.ts';
import { InvalidTokenError, type VerifyToken } from '../identity/token-verifier.ts';
import type { User } from '../identity/user.ts';
import { refusing } from './route-refusals.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until a guard of the route has found out. */
    user: User | null;
  }
}

/** Guards for the `onRequest` hooks of routes: they refuse before a body is read. */
export interface Guards {
  /** Lets signed-in users through. `refusal` is the feature's code for the others. */
  requireUser(refusal: ErrorCode): onRequestAsyncHookHandler;
  /**
   * Finds out who calls where a token comes along, and lets others through without. A token that is no good is refused all the
   * same: who sent it means to be somebody, and can renew it. For routes with `config.open`.
   */
  identifyUser(refusal: ErrorCode): onRequestAsyncHookHandler;
  /** Lets users with the realm role through that `requireUser`, put before it, has let through. */
  requireRole(role: string, refusal: ErrorCode): onRequestAsyncHookHandler;
}

export function guardRoutes(app: FastifyInstance, verifyToken: VerifyToken): Guards {
  app.decorateRequest('user', null);
  const identify = async (request: FastifyRequest, token: string, refusal: ErrorCode): Promise<void> => {
    try {
      request.user = await verifyToken(token);
    } catch (error) {
      if (!(error instanceof InvalidTokenError)) {
        throw error;
      }
      request.log.info({ reason: error.message }, 'token refused');
      throw new ApiError(refusal, { cause: error });
    }
  };
  return {
    requireUser: (refusal) =>
      refusing(
        async (request) => {
          const token = bearerToken(request);
          if (token === null) {
            throw new ApiError(refusal);
          }
          await identify(request, token, refusal);
        },
        refusal,
        'identity-unavailable',
      ),
    identifyUser: (refusal) =>
      refusing(
        async (request) => {
          const token = bearerToken(request);
          if (token !== null) {
            await identify(request, token, refusal);
          }
        },
        refusal,
        'identity-unavailable',
      ),
    requireRole: (role, refusal) =>
      refusing(async (request) => {
        if (!signedIn(request).roles.includes(role)) {
          throw new ApiError(refusal);
        }
      }, refusal),
  };
}

/** The user of a guarded route. */
export function signedIn(request: FastifyRequest): User {
  if (request.user === null) {
    throw new Error(`${request.routeOptions.url} reads its user without a guard`);
  }
  return request.user;
}

/** The token of `Authorization: Bearer …` (RFC 6750 section 2.1); null when there is none. */
export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

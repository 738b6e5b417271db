/** Identifies the caller by the bearer token and guards routes. The verifier decides which tokens are valid. */
import type { ErrorCode } from '@wirebench/contract';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../api-error.ts';
import { InvalidTokenError, type VerifyToken } from '../identity/token-verifier.ts';
import type { User } from '../identity/user.ts';
import { refusing } from './route-refusals.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until a guard of the route has identified the caller. */
    user: User | null;
  }
}

/** Guards for the `onRequest` hooks of routes: they refuse before a body is read. */
export interface Guards {
  /** Lets signed-in users through. `refusal` is the feature's code for other callers. */
  requireUser(refusal: ErrorCode): onRequestAsyncHookHandler;
  /**
   * Identifies the caller if the request has a token, and lets other callers through. An invalid token is still
   * refused: its sender expects to be signed in and can renew it. For routes with `config.open`.
   */
  identifyUser(refusal: ErrorCode): onRequestAsyncHookHandler;
  /** Lets users with the realm role through. `requireUser` has to come before it. */
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

/** Returns the user of a guarded route. */
export function signedIn(request: FastifyRequest): User {
  if (request.user === null) {
    throw new Error(`${request.routeOptions.url} reads its user but has no guard that requires one`);
  }
  return request.user;
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750 section 2.1); null without one. */
export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

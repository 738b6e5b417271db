/** The actor of a request on a route that accepts users and their publishing tokens. */
import type { FastifyRequest } from 'fastify';
import { signedIn } from '../plugins/auth.ts';
import type { ActingToken, Actor } from './actor.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The token that acts for `user`; null if the user is signed in. */
    publishingToken: ActingToken | null;
  }
}

/** Returns the caller of a guarded route. */
export function actorOf(request: FastifyRequest): Actor {
  return { user: signedIn(request), token: request.publishingToken };
}

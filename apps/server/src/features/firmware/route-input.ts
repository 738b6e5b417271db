/** Input of the release routes besides the request's body. */
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { signedIn } from '../../plugins/auth.ts';
import type { Actor } from './actor.ts';

export const FileParams = z.object({ id: z.string(), fileId: z.string() });

/** Bytes of a JSON body. The longest description needs half of it in any encoding. */
export const BODY_LIMIT = 64 * 1_024;

/** Returns the caller of a guarded route. */
export function actorOf(request: FastifyRequest): Actor {
  return { user: signedIn(request), token: request.publishingToken };
}

/** Limits how often one user writes. Counts in this process; behind a balancer each process counts for itself. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../api-error.ts';
import { signedIn } from './auth.ts';

/**
 * A guard for the `onRequest` hooks of routes that write, to be put after the one that requires a user. All writes of a user
 * count together. `writesPerMinute` 0 lets everything through.
 */
export async function limitWrites(app: FastifyInstance, writesPerMinute: number): Promise<onRequestAsyncHookHandler> {
  if (writesPerMinute === 0) {
    return async () => undefined;
  }
  await app.register(rateLimit, { global: false });
  const count = app.createRateLimit({
    max: writesPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => signedIn(request).subject,
  });
  return async (request) => {
    const result = await count(request);
    if (!result.isAllowed && result.isExceeded) {
      throw new ApiError('too-many-requests', { retryAfter: Math.max(1, result.ttlInSeconds) });
    }
  };
}

/**
 * Limits how often one user writes and one address reports. Counts in this process; behind a balancer each process counts
 * for itself.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../api-error.ts';
import { addressKey } from './address-key.ts';
import { signedIn } from './auth.ts';
import { refusing } from './route-refusals.ts';

/**
 * A guard for the `onRequest` hooks of routes that write, to be put after the one that requires a user. All writes of a user
 * count together. `writesPerMinute` 0 lets everything through.
 */
export function limitWrites(app: FastifyInstance, writesPerMinute: number): Promise<onRequestAsyncHookHandler> {
  return limitPerMinute(app, writesPerMinute, (request) => signedIn(request).subject);
}

/** The same for routes that anybody may write to: all that one address sends to any of them counts together. */
export function limitReports(app: FastifyInstance, reportsPerMinute: number): Promise<onRequestAsyncHookHandler> {
  return limitPerMinute(app, reportsPerMinute, ({ ip }) => addressKey(ip));
}

async function limitPerMinute(
  app: FastifyInstance,
  max: number,
  keyOf: (request: FastifyRequest) => string,
): Promise<onRequestAsyncHookHandler> {
  if (max === 0) {
    return async () => undefined;
  }
  if (!app.hasDecorator('createRateLimit')) {
    await app.register(rateLimit, { global: false });
  }
  const count = app.createRateLimit({ max, timeWindow: 60_000, keyGenerator: keyOf });
  return refusing(async (request) => {
    const result = await count(request);
    if (!result.isAllowed && result.isExceeded) {
      throw new ApiError('too-many-requests', { retryAfter: Math.max(1, result.ttlInSeconds) });
    }
  }, 'too-many-requests');
}

/**
 * Limits how often one user writes, and how often one address reports and reads what costs. Counts in this process; behind a
 * balancer each process counts for itself.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../api-error.ts';
import { addressKey } from './address-key.ts';
import { signedIn } from './auth.ts';
import { refusing } from './route-refusals.ts';

/** Counts a call. Seconds until its caller may call again; null when it may now. */
export type Meter = (request: FastifyRequest) => Promise<number | null>;

/**
 * A guard for the `onRequest` hooks of routes that write, to be put after the one that requires a user. All writes of a user
 * count together. `writesPerMinute` 0 lets everything through.
 */
export async function limitWrites(app: FastifyInstance, writesPerMinute: number): Promise<onRequestAsyncHookHandler> {
  return limitBy(await meterPerMinute(app, writesPerMinute, (request) => signedIn(request).subject));
}

/** The same for routes that anybody may write to: all that one address sends to any of them counts together. */
export async function limitReports(app: FastifyInstance, reportsPerMinute: number): Promise<onRequestAsyncHookHandler> {
  return limitBy(await meterAddresses(app, reportsPerMinute));
}

/** Counts by address what anybody may ask: everything that one address sends to it, and of IPv6 everything that a /64 does. */
export function meterAddresses(app: FastifyInstance, callsPerMinute: number): Promise<Meter> {
  return meterPerMinute(app, callsPerMinute, ({ ip }) => addressKey(ip));
}

/** A guard that refuses calls that are over the limit. One that counts addresses belongs before the one that requires a user. */
export function limitBy(meter: Meter): onRequestAsyncHookHandler {
  return refusing(async (request) => {
    const retryAfter = await meter(request);
    if (retryAfter !== null) {
      throw new ApiError('too-many-requests', { retryAfter });
    }
  }, 'too-many-requests');
}

async function meterPerMinute(
  app: FastifyInstance,
  max: number,
  keyOf: (request: FastifyRequest) => string,
): Promise<Meter> {
  if (max === 0) {
    return async () => null;
  }
  if (!app.hasDecorator('createRateLimit')) {
    await app.register(rateLimit, { global: false });
  }
  const count = app.createRateLimit({ max, timeWindow: 60_000, keyGenerator: keyOf });
  return async (request) => {
    const result = await count(request);
    return !result.isAllowed && result.isExceeded ? Math.max(1, result.ttlInSeconds) : null;
  };
}

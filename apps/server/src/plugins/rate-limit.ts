/**
 * Limits the writes of each user, and the reports and costly reads of each address. Calls are counted in the Redis
 * that processes share, otherwise in this process. Without Redis, each process behind a balancer counts for itself.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { SharedStore } from '../storage/shared-store.ts';
import { addressKey } from './address-key.ts';
import { signedIn } from './auth.ts';
import { refusing } from './route-refusals.ts';
import { sharedCounts } from './shared-counts.ts';

/** Counts a call. Returns the seconds until the caller may call again; null if this call is allowed. */
export type Meter = (request: FastifyRequest) => Promise<number | null>;

/** Groups of calls. Calls of a group are counted together, across all processes. */
type Counted =
  | 'writes'
  | 'reports'
  | 'reads'
  | 'probes'
  | 'moderation-reports'
  | 'crashes'
  | 'crashes-of-versions'
  | 'sign-ins'
  | 'live';

/** Sets where calls are counted. Call it before the first meter is created. `shared` null counts in this process. */
export async function countCalls(app: FastifyInstance, shared: SharedStore | null): Promise<void> {
  await app.register(rateLimit, { global: false, ...(shared === null ? {} : { store: sharedCounts(shared) }) });
}

/**
 * Returns a guard for the `onRequest` hooks of routes that write. It has to follow the guard that requires a user.
 * All writes of a user count together. `writesPerMinute` 0 disables the limit.
 */
export async function limitWrites(app: FastifyInstance, writesPerMinute: number): Promise<onRequestAsyncHookHandler> {
  return limitBy(await meterPerMinute(app, 'writes', writesPerMinute, (request) => signedIn(request).subject));
}

/** Returns a guard for routes that anyone may write to. All writes from one address to these routes count together. */
export async function limitReports(
  app: FastifyInstance,
  counted: Counted,
  reportsPerMinute: number,
): Promise<onRequestAsyncHookHandler> {
  return limitBy(await meterAddresses(app, counted, reportsPerMinute));
}

/** Counts calls by address. For IPv6, all addresses of a /64 count together. */
export function meterAddresses(app: FastifyInstance, counted: Counted, callsPerMinute: number): Promise<Meter> {
  return meterPerMinute(app, counted, callsPerMinute, ({ ip }) => addressKey(ip));
}

/**
 * Counts calls by a key that the route determines, regardless of the caller. The meter returns the seconds until the
 * next call is allowed; null if this one is.
 */
export async function meterByKey(
  app: FastifyInstance,
  counted: Counted,
  callsPerMinute: number,
): Promise<(request: FastifyRequest, key: string) => Promise<number | null>> {
  const keys = new WeakMap<FastifyRequest, string>();
  const meter = await meterPerMinute(app, counted, callsPerMinute, (request) => keys.get(request) ?? '');
  return (request, key) => {
    keys.set(request, key);
    return meter(request);
  };
}

/**
 * Returns a guard that refuses calls over the limit. A guard that counts addresses has to precede the one that
 * requires a user.
 */
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
  counted: Counted,
  max: number,
  keyOf: (request: FastifyRequest) => string,
): Promise<Meter> {
  if (max === 0) {
    return async () => null;
  }
  if (!app.hasDecorator('createRateLimit')) {
    await countCalls(app, null);
  }
  const options = { max, timeWindow: 60_000, keyGenerator: keyOf, groupId: counted };
  const count = app.createRateLimit(options);
  return async (request) => {
    const result = await count(request);
    return !result.isAllowed && result.isExceeded ? Math.max(1, result.ttlInSeconds) : null;
  };
}

/**
 * Limits how often one user writes, and how often one address reports and reads what costs. Counts in a Redis that the processes share,
 * or else in this process; behind a balancer each process counts for itself then.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { SharedStore } from '../storage/shared-store.ts';
import { addressKey } from './address-key.ts';
import { signedIn } from './auth.ts';
import { refusing } from './route-refusals.ts';
import { sharedCounts } from './shared-counts.ts';

/** Counts a call. Seconds until its caller may call again; null when it may now. */
export type Meter = (request: FastifyRequest) => Promise<number | null>;

/** What is counted together, in every process. */
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

/** Before the first meter: where calls are counted. `shared` null counts in this process. */
export async function countCalls(app: FastifyInstance, shared: SharedStore | null): Promise<void> {
  await app.register(rateLimit, { global: false, ...(shared === null ? {} : { store: sharedCounts(shared) }) });
}

/**
 * A guard for the `onRequest` hooks of routes that write, to be put after the one that requires a user. All writes of a user
 * count together. `writesPerMinute` 0 lets everything through.
 */
export async function limitWrites(app: FastifyInstance, writesPerMinute: number): Promise<onRequestAsyncHookHandler> {
  return limitBy(await meterPerMinute(app, 'writes', writesPerMinute, (request) => signedIn(request).subject));
}

/** The same for routes that anybody may write to: all that one address sends to any of them counts together. */
export async function limitReports(
  app: FastifyInstance,
  counted: Counted,
  reportsPerMinute: number,
): Promise<onRequestAsyncHookHandler> {
  return limitBy(await meterAddresses(app, counted, reportsPerMinute));
}

/** Counts by address what anybody may ask: everything that one address sends to it, and of IPv6 everything that a /64 does. */
export function meterAddresses(app: FastifyInstance, counted: Counted, callsPerMinute: number): Promise<Meter> {
  return meterPerMinute(app, counted, callsPerMinute, ({ ip }) => addressKey(ip));
}

/** Counts calls by what a route has found out to be theirs, whoever sends them. Seconds until there may be another one; null for now. */
export async function meterThings(
  app: FastifyInstance,
  counted: Counted,
  callsPerMinute: number,
): Promise<(request: FastifyRequest, thing: string) => Promise<number | null>> {
  const things = new WeakMap<FastifyRequest, string>();
  const meter = await meterPerMinute(app, counted, callsPerMinute, (request) => things.get(request) ?? '');
  return (request, thing) => {
    things.set(request, thing);
    return meter(request);
  };
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

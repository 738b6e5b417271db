/**
 * Limits the writes of each user, and the reports and costly reads of each address. Calls are counted in the Redis
 * that processes share, otherwise in this process. Without Redis, each process behind a balancer counts for itself.
 */

import { createHash } from 'node:crypto';
import type { FastifyRateLimitOptions, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import rateLimit from '@fastify/rate-limit';
import { type Clock, systemClock } from '@wirebench/clock';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../api-error.ts';
import { BoundedMap } from '../bounded-map.ts';
import type { SharedStore } from '../storage/shared-store.ts';
import { addressKey } from './address-key.ts';
import { signedIn } from './auth.ts';
import { refusing } from './route-refusals.ts';

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

interface Count {
  readonly current: number;
  /** Milliseconds until the count restarts. */
  readonly ttl: number;
}

type Answer = (error: Error | null, count?: Count) => void;

/** Redis expires keys by its date. A key that would stay for longer than the window starts its window again. */
const COUNT = `local current = redis.call('INCR', KEYS[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 or ttl > tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return {current, ttl}`;

/** Maximum number of callers counted in one process, for each group. */
const MAX_LOCAL = 5_000;

/**
 * Returns a store for `@fastify/rate-limit`, whose own one follows the system's date. Without Redis, or while it is
 * unavailable, each process counts for itself: limits are looser then, but no call is refused because of it. Keys in
 * Redis are hashes, so that no names and addresses are stored.
 */
function countsIn(shared: SharedStore | null, clock: Clock): FastifyRateLimitStoreCtor {
  return class Counts {
    readonly #options: FastifyRateLimitOptions & { readonly groupId?: string };
    readonly #local = new BoundedMap<string, { count: number; readonly until: number }>({ capacity: MAX_LOCAL, clock });

    constructor(options: FastifyRateLimitOptions & { readonly groupId?: string }) {
      this.#options = options;
    }

    incr(key: string, answer: Answer, timeWindow = 60_000): void {
      if (shared === null) {
        answer(null, this.#countHere(key, timeWindow));
        return;
      }
      const name = createHash('sha256').update(key).digest('base64url');
      shared.run(COUNT, [`calls:${this.#options.groupId ?? ''}:${name}`], [timeWindow]).then(
        (reply) => {
          const [current, ttl] = reply as readonly [number, number];
          answer(null, { current, ttl });
        },
        () => answer(null, this.#countHere(key, timeWindow)),
      );
    }

    child(options: FastifyRateLimitOptions & { readonly groupId?: string }): Counts {
      return new Counts(options);
    }

    #countHere(key: string, timeWindow: number): Count {
      const now = clock.now();
      const entry = this.#local.get(key) ?? { count: 0, until: now + timeWindow };
      entry.count++;
      this.#local.set(key, entry, entry.until);
      return { current: entry.count, ttl: entry.until - now };
    }
  };
}

/** Sets where calls are counted. Call it before the first meter is created. `shared` null counts in this process. */
export async function countCalls(
  app: FastifyInstance,
  shared: SharedStore | null,
  clock: Clock = systemClock,
): Promise<void> {
  await app.register(rateLimit, { global: false, store: countsIn(shared, clock) });
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

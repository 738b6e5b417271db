/**
 * Counts calls in the Redis that processes share, so that a limit holds across all processes behind a balancer. While
 * Redis is unavailable, each process counts for itself: limits are looser then, but no call is refused because of it.
 * Keys are hashes, so that no names and addresses are stored.
 */
import { createHash } from 'node:crypto';
import type { FastifyRateLimitOptions, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { systemClock } from '@wirebench/clock';
import { BoundedMap } from '../bounded-map.ts';
import type { SharedStore } from '../storage/shared-store.ts';

interface Count {
  readonly current: number;
  /** Milliseconds until the count restarts. */
  readonly ttl: number;
}

type Answer = (error: Error | null, count?: Count) => void;

const COUNT = `local current = redis.call('INCR', KEYS[1])
if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {current, redis.call('PTTL', KEYS[1])}`;

/** Maximum number of callers counted in one process. */
const MAX_LOCAL = 5_000;

/** Returns a store for `@fastify/rate-limit`. */
export function sharedCounts(shared: SharedStore): FastifyRateLimitStoreCtor {
  return class SharedCounts {
    readonly #options: FastifyRateLimitOptions & { readonly groupId?: string };
    readonly #local = new BoundedMap<string, { count: number; readonly until: number }>({ capacity: MAX_LOCAL });

    constructor(options: FastifyRateLimitOptions & { readonly groupId?: string }) {
      this.#options = options;
    }

    incr(key: string, answer: Answer, timeWindow = 60_000): void {
      const name = createHash('sha256').update(key).digest('base64url');
      shared.run(COUNT, [`calls:${this.#options.groupId ?? ''}:${name}`], [timeWindow]).then(
        (reply) => {
          const [current, ttl] = reply as readonly [number, number];
          answer(null, { current, ttl });
        },
        () => answer(null, this.#countHere(name, timeWindow)),
      );
    }

    child(options: FastifyRateLimitOptions & { readonly groupId?: string }): SharedCounts {
      return new SharedCounts(options);
    }

    #countHere(name: string, timeWindow: number): Count {
      const now = systemClock.now();
      const entry = this.#local.get(name) ?? { count: 0, until: now + timeWindow };
      entry.count++;
      this.#local.set(name, entry, entry.until);
      return { current: entry.count, ttl: entry.until - now };
    }
  };
}

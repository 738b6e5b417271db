/** Assembles the relay of shared benches: for this process alone, or together with others that share a Redis. */
import type { Clock } from '@wirebench/clock';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Guards } from '../../plugins/auth.ts';
import type { Meter } from '../../plugins/rate-limit.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { SharedStore } from '../../storage/shared-store.ts';
import { liveRoutes } from './live.routes.ts';
import { type LiveService, liveService } from './live.service.ts';
import { newProcessMark } from './live-tokens.ts';
import type { LiveTraffic } from './live-traffic.ts';
import { MemoryDirectory } from './memory-directory.ts';
import { RedisDirectory } from './redis-directory.ts';
import { type LiveLimits, newProcessName, Relay } from './relay.ts';
import { RedisBus, soloBus } from './room-bus.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Closes all WebSockets before the server stops. Their clients may reconnect. */
    closeLiveConnections(): Promise<void>;
  }
}

export interface LiveOptions {
  readonly queries: Queries;
  readonly clock: Clock;
  /** Null for a process that serves all rooms. */
  readonly shared: SharedStore | null;
  readonly limits: LiveLimits;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
  readonly limitReads: onRequestAsyncHookHandler;
  readonly meterJoins: Meter;
  readonly origins: ReadonlySet<string>;
  readonly traffic: LiveTraffic;
}

export interface Live extends AsyncDisposable {
  readonly service: LiveService;
}

/** Adds the routes. The disposal closes all open connections. */
export async function addLive(app: FastifyInstance, options: LiveOptions): Promise<Live> {
  const { queries, clock, shared, limits, traffic, ...routes } = options;
  const process = newProcessName();
  await using stack = new AsyncDisposableStack();
  const bus = stack.use(shared === null ? soloBus : new RedisBus(shared, process, clock));
  const directory = shared === null ? new MemoryDirectory(clock) : new RedisDirectory(shared, process);
  const relay = stack.use(
    new Relay({
      clock,
      directory,
      bus,
      process,
      limits,
      traffic,
      onFailure: (error) => app.log.error({ err: error }, 'the relay of shared benches failed'),
    }),
  );
  app.decorate('closeLiveConnections', () => relay.stop());
  const service = liveService({ queries, directory, relay, clock, limits, mark: newProcessMark() });
  await app.register(liveRoutes, { ...routes, live: service, relay, traffic });
  const resources = stack.move();
  return { service, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

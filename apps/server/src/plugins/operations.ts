/** Health checks for operators, and the configuration that the web app requests first. */
import type { Clock } from '@wirebench/clock';
import { apiPaths, Health, PublicConfig } from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ApiError } from '../api-error.ts';
import { remembered } from '../remembered.ts';
import { DatabaseUnavailableError } from '../storage/database/database-failure.ts';

export interface OperationsOptions {
  readonly publicConfig: PublicConfig;
  /** Rejects if the database does not answer. */
  readonly checkDatabase: () => Promise<void>;
  /** Rejects with a `BlobStoreUnavailableError` if the file store is unusable. */
  readonly checkStore: () => Promise<void>;
  /** Rejects with a `SharedStoreUnavailableError` if the Redis that processes share does not answer. */
  readonly checkShared: () => Promise<void>;
  /** Limits readiness checks per address. */
  readonly limitProbes: onRequestAsyncHookHandler;
  /** Returns true while requests are refused because of overload. */
  readonly isOverloaded: () => boolean;
  readonly clock: Clock;
}

/** Milliseconds that the result of a check is valid, for any number of callers. */
const FRESH = 1_000;

/** Seconds. */
const RETRY_AFTER = 2;

export const operationRoutes: FastifyPluginAsyncZod<OperationsOptions> = async (app, options) => {
  const check = remembered(FRESH, options.clock, async () => {
    await options.checkDatabase().catch((error: unknown) => {
      throw error instanceof DatabaseUnavailableError || error instanceof ApiError
        ? error
        : new DatabaseUnavailableError({ cause: error });
    });
    await options.checkStore();
    await options.checkShared();
  });

  app.get(
    apiPaths.config,
    {
      schema: { summary: 'Returns the configuration that the web app needs.', response: { 200: PublicConfig } },
    },
    async (_request, reply) => reply.header('cache-control', 'no-cache').send(options.publicConfig),
  );

  app.get(
    apiPaths.health,
    {
      schema: {
        summary: 'Alive: the process answers, whatever the state of its dependencies.',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    apiPaths.ready,
    {
      schema: { summary: 'Ready: the dependencies of the process answer too.', response: { 200: Health } },
      onRequest: options.limitProbes,
      config: {
        refusals: [
          'database-unavailable',
          'disk-full',
          'store-unavailable',
          'store-full',
          'live-unavailable',
          'overloaded',
        ],
      },
    },
    async () => {
      if (options.isOverloaded()) {
        throw new ApiError('overloaded', { retryAfter: RETRY_AFTER });
      }
      await check();
      return { status: 'ok' as const };
    },
  );
};

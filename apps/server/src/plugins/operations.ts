/** Answers for whoever runs the server, and the configuration that the web app asks for first. */
import { apiPaths, Health, PublicConfig } from '@wirebench/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { DatabaseUnavailableError } from '../storage/database/database-failure.ts';

export interface OperationsOptions {
  readonly publicConfig: PublicConfig;
  /** Rejects when the database does not answer. */
  readonly checkDatabase: () => Promise<void>;
  /** Rejects with `BlobStoreUnavailableError` when the file store cannot be used. */
  readonly checkStore: () => Promise<void>;
}

export const operationRoutes: FastifyPluginAsyncZod<OperationsOptions> = async (app, options) => {
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
      config: { refusals: ['database-unavailable', 'store-unavailable', 'store-full'] },
    },
    async () => {
      await options.checkDatabase().catch((error: unknown) => {
        throw new DatabaseUnavailableError({ cause: error });
      });
      await options.checkStore();
      return { status: 'ok' as const };
    },
  );
};

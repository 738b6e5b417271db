/** Answers for whoever runs the server, and the configuration that the web app asks for first. */
import { apiPaths, Health, PublicConfig } from '@wirebench/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { DatabaseUnavailableError } from '../storage/database/database-failure.ts';

export interface OperationsOptions {
  readonly publicConfig: PublicConfig;
  /** Rejects when the database does not answer. */
  readonly checkDatabase: () => Promise<void>;
}

export const operationRoutes: FastifyPluginAsyncZod<OperationsOptions> = async (app, options) => {
  app.get(apiPaths.config, { schema: { response: { 200: PublicConfig } } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(options.publicConfig),
  );

  // Alive: the process answers, whatever it depends on.
  app.get(apiPaths.health, { schema: { response: { 200: Health } } }, async () => ({ status: 'ok' as const }));

  // Ready: what it depends on answers too.
  app.get(apiPaths.ready, { schema: { response: { 200: Health } } }, async () => {
    await options.checkDatabase().catch((error: unknown) => {
      throw new DatabaseUnavailableError({ cause: error });
    });
    return { status: 'ok' as const };
  });
};

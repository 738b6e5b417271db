/** The server's state and the sizes of the operators' lists over HTTP. */
import { AdminCounts, moderationPaths, ServerState } from '@wirebench/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Guards } from '../../plugins/auth.ts';
import type { StateService } from './state.service.ts';

export interface StateRoutesOptions {
  readonly state: StateService;
  readonly counts: () => Promise<AdminCounts>;
  readonly guards: Guards;
  readonly adminRole: string;
}

export const stateRoutes: FastifyPluginAsyncZod<StateRoutesOptions> = async (app, options) => {
  const { state, counts, guards, adminRole } = options;
  const onRequest = [
    guards.requireUser('moderation-sign-in-required'),
    guards.requireRole(adminRole, 'moderation-access-denied'),
  ];

  app.get(
    moderationPaths.state,
    {
      onRequest,
      schema: {
        summary: 'Returns version, disk, database, files and last backup of the server, and what is misconfigured.',
        response: { 200: ServerState },
      },
    },
    async () => state.read(),
  );

  app.get(
    moderationPaths.counts,
    {
      onRequest,
      schema: { summary: 'Returns the number of entries of the operators’ lists.', response: { 200: AdminCounts } },
    },
    async () => counts(),
  );
};

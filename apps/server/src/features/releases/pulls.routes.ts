/** Versions from a manifest on the web, for the owners of projects. */
import { firmwarePaths, NewPull, VersionAnswer } from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { actorOf } from '../../access/request-actor.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { PullService } from './pulls.service.ts';
import { BODY_LIMIT } from './route-input.ts';

export interface PullRoutesOptions {
  readonly pulls: PullService;
  /** Lets users and their tokens through, but refuses tokens that may only publish. */
  readonly requireOwner: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
}

export const pullRoutes: FastifyPluginAsyncZod<PullRoutesOptions> = async (app, options) => {
  const { pulls, requireOwner, limitWrites } = options;
  app.post(
    firmwarePaths.projectPull(':id'),
    {
      onRequest: [requireOwner, limitWrites],
      bodyLimit: BODY_LIMIT,
      config: {
        refusals: [
          'not-found',
          'pull-failed',
          'pull-changed',
          'version-taken',
          'version-limit',
          'files-damaged',
          'unsupported-media-type',
          'too-many-uploads',
          'uploads-busy',
          'disk-space-low',
          'store-unavailable',
          'store-full',
        ],
      },
      schema: {
        summary: 'Takes a version from a manifest on the web as a private version, and pins the hashes of its files.',
        params: IdParams,
        body: NewPull,
        response: { 200: VersionAnswer, 201: VersionAnswer },
      },
    },
    async (request, reply) => {
      const projectId = idOf(request.params.id);
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const { version, isNew } = await pulls.pull(actorOf(request), { ...request.body, projectId }, left.signal);
      return reply.code(isNew ? 201 : 200).send({ version });
    },
  );
};

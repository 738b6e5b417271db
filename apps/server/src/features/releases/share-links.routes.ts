/** Share links of releases over HTTP, for their owners. */
import { firmwarePaths, ProjectAnswer, ShareEndChange, VersionAnswer } from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { actorOf } from '../../access/request-actor.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import { BODY_LIMIT } from './route-input.ts';
import type { ShareLinkService } from './share-links.service.ts';

export interface ShareLinkRoutesOptions {
  readonly links: ShareLinkService;
  /** Lets owners through, but no tokens of a single project. */
  readonly requireOwner: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
}

export const shareLinkRoutes: FastifyPluginAsyncZod<ShareLinkRoutesOptions> = async (app, options) => {
  const { links, requireOwner, limitWrites } = options;
  const writing = {
    onRequest: [requireOwner, limitWrites],
    bodyLimit: BODY_LIMIT,
    config: { refusals: ['not-found'] as const },
  };

  app.post(
    firmwarePaths.projectShareRenewal(':id'),
    {
      ...writing,
      schema: {
        summary: 'Gives a project a new share ID; links with the old one stop working at once.',
        params: IdParams,
        response: { 200: ProjectAnswer },
      },
    },
    async (request) => ({ project: await links.renewProject(idOf(request.params.id), actorOf(request)) }),
  );

  app.post(
    firmwarePaths.versionShareRenewal(':id'),
    {
      ...writing,
      schema: {
        summary: 'Gives a version a new share ID; links with the old one stop working at once.',
        params: IdParams,
        response: { 200: VersionAnswer },
      },
    },
    async (request) => ({ version: await links.renewVersion(idOf(request.params.id), actorOf(request)) }),
  );

  app.post(
    firmwarePaths.projectShareEnd(':id'),
    {
      ...writing,
      schema: {
        summary: 'Sets when the link of a project expires; from then on it answers 410. Null removes the expiry.',
        params: IdParams,
        body: ShareEndChange,
        response: { 200: ProjectAnswer },
      },
    },
    async (request) => ({
      project: await links.endProject(idOf(request.params.id), actorOf(request), request.body.endsAt),
    }),
  );

  app.post(
    firmwarePaths.versionShareEnd(':id'),
    {
      ...writing,
      schema: {
        summary: 'Sets when the link of a version expires; from then on it answers 410. Null removes the expiry.',
        params: IdParams,
        body: ShareEndChange,
        response: { 200: VersionAnswer },
      },
    },
    async (request) => ({
      version: await links.endVersion(idOf(request.params.id), actorOf(request), request.body.endsAt),
    }),
  );
};

/** Projects over HTTP, for their owners. */
import { Readable } from 'node:stream';
import {
  firmwarePaths,
  History,
  HistoryQuery,
  NewProject,
  ProjectAnswer,
  ProjectDescriptionChange,
  ProjectList,
  ShareAnswer,
  SharingChange,
} from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { actorOf } from '../../access/request-actor.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { ProjectService } from './projects.service.ts';
import { BODY_LIMIT } from './route-input.ts';

export interface ProjectRoutesOptions {
  readonly projects: ProjectService;
  /** Lets users and their publishing tokens through. */
  readonly requirePublisher: onRequestAsyncHookHandler;
  /** Does the same, but refuses tokens that may only publish. */
  readonly requireOwner: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
}

export const projectRoutes: FastifyPluginAsyncZod<ProjectRoutesOptions> = async (app, options) => {
  const { projects, requirePublisher, requireOwner, limitWrites } = options;
  const reading = { onRequest: requirePublisher };
  const owning = { onRequest: [requireOwner, limitWrites], bodyLimit: BODY_LIMIT };
  const sharing = { onRequest: [requirePublisher, limitWrites], bodyLimit: BODY_LIMIT };

  app.get(
    firmwarePaths.projects,
    {
      ...reading,
      schema: {
        summary: 'Lists the projects of the caller with their versions, newest change first.',
        response: { 200: ProjectList },
      },
    },
    async (request) => ({ projects: await projects.list(actorOf(request)) }),
  );

  app.post(
    firmwarePaths.newProject,
    {
      ...owning,
      config: { refusals: ['project-name-taken', 'project-limit'] },
      schema: { summary: 'Creates a private project.', body: NewProject, response: { 201: ProjectAnswer } },
    },
    async (request, reply) => reply.code(201).send({ project: await projects.create(actorOf(request), request.body) }),
  );

  app.post(
    firmwarePaths.projectDescription(':id'),
    {
      ...owning,
      config: { refusals: ['not-found', 'description-changed'] },
      schema: {
        summary: 'Changes the description of a project.',
        params: IdParams,
        body: ProjectDescriptionChange,
        response: { 200: ProjectAnswer },
      },
    },
    async (request) => ({
      project: await projects.describe(idOf(request.params.id), actorOf(request), request.body),
    }),
  );

  app.post(
    firmwarePaths.projectSharing(':id'),
    {
      ...owning,
      config: { refusals: ['not-found', 'own-taken-down', 'sharing-blocked'], worksOnFullDisk: true },
      schema: {
        summary: 'Makes a project public or private.',
        params: IdParams,
        body: SharingChange,
        response: { 200: ProjectAnswer },
      },
    },
    async (request) => ({
      project: await projects.toggle(idOf(request.params.id), actorOf(request), request.body?.isPublic),
    }),
  );

  app.post(
    firmwarePaths.projectShare(':id'),
    {
      ...sharing,
      config: { refusals: ['not-found', 'project-not-public'] },
      schema: {
        summary: 'Returns the share ID of a public project, the same each time.',
        params: IdParams,
        response: { 200: ShareAnswer },
      },
    },
    async (request) => ({ shareId: await projects.share(idOf(request.params.id), actorOf(request)) }),
  );

  app.delete(
    firmwarePaths.project(':id'),
    {
      ...owning,
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Deletes a project with all its versions and files.',
        params: IdParams,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await projects.remove(idOf(request.params.id), actorOf(request));
      return reply.code(204).send();
    },
  );

  app.get(
    firmwarePaths.projectHistory(':id'),
    {
      ...reading,
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Lists who changed what in a project and when, as JSON or CSV.',
        params: IdParams,
        querystring: HistoryQuery,
        response: {
          200: {
            description: 'The changes, newest first',
            content: {
              'application/json': { schema: History },
              'text/csv': { schema: z.unknown() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const [id, actor] = [idOf(request.params.id), actorOf(request)];
      if (request.query.format === 'json') {
        return projects.history(id, actor, request.query);
      }
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="history-${id}.csv"`)
        .send(Readable.from(await projects.exportHistory(id, actor)));
    },
  );
};

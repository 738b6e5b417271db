/** Versions over HTTP, for the owners of their projects. Uploads of new ones are in `version-upload.routes.ts`. */
import {
  ChannelChange,
  ConsoleChange,
  FlashesAnswer,
  firmwarePaths,
  ShareAnswer,
  SharingChange,
  VersionAnswer,
  VersionDescriptionChange,
  VersionList,
} from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { actorOf } from '../../access/request-actor.ts';
import { fileAnswer } from '../../plugins/file-answer.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { FileReplies } from './file-reply.ts';
import { BODY_LIMIT, FileParams } from './route-input.ts';
import type { VersionService } from './versions.service.ts';

export interface VersionRoutesOptions {
  readonly versions: VersionService;
  readonly files: FileReplies;
  /** Lets users and their publishing tokens through. */
  readonly requirePublisher: onRequestAsyncHookHandler;
  /** Does the same, but refuses tokens that may only publish. */
  readonly requireOwner: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
}

export const versionRoutes: FastifyPluginAsyncZod<VersionRoutesOptions> = async (app, options) => {
  const { versions, files, requirePublisher, requireOwner, limitWrites } = options;
  const reading = { onRequest: requirePublisher };
  const writing = { onRequest: [requirePublisher, limitWrites], bodyLimit: BODY_LIMIT };

  app.get(
    firmwarePaths.versions(':id'),
    {
      ...reading,
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Lists the versions of a project, newest first.',
        params: IdParams,
        response: { 200: VersionList },
      },
    },
    async (request) => ({ versions: await versions.list(idOf(request.params.id), actorOf(request)) }),
  );

  app.post(
    firmwarePaths.versionDescription(':id'),
    {
      ...writing,
      config: { refusals: ['not-found', 'description-changed'] },
      schema: {
        summary: 'Changes the description of a version.',
        params: IdParams,
        body: VersionDescriptionChange,
        response: { 200: VersionAnswer },
      },
    },
    async (request) => ({
      version: await versions.describe(idOf(request.params.id), actorOf(request), request.body),
    }),
  );

  app.post(
    firmwarePaths.versionConsole(':id'),
    {
      ...writing,
      config: { refusals: ['not-found'] },
      schema: {
        summary:
          'Sets up the monitor that opens after a version has been flashed: rate, line ending, and the JKit with its messages and rules.',
        params: IdParams,
        body: ConsoleChange,
        response: { 200: VersionAnswer },
      },
    },
    async (request) => ({
      version: await versions.setConsole(idOf(request.params.id), actorOf(request), request.body.console),
    }),
  );

  app.post(
    firmwarePaths.versionChannel(':id'),
    {
      ...writing,
      config: { refusals: ['not-found'] },
      schema: {
        summary: "Moves a version to a channel. The project's link leads to its newest stable version.",
        params: IdParams,
        body: ChannelChange,
        response: { 200: VersionAnswer },
      },
    },
    async (request) => ({
      version: await versions.setChannel(idOf(request.params.id), actorOf(request), request.body.channel),
    }),
  );

  app.post(
    firmwarePaths.versionSharing(':id'),
    {
      ...writing,
      config: {
        refusals: ['not-found', 'versions-not-visible', 'own-taken-down', 'sharing-blocked', 'token-not-allowed'],
        worksOnFullDisk: true,
      },
      schema: {
        summary: 'Makes a version public or private, while its project is public.',
        params: IdParams,
        body: SharingChange,
        response: { 200: VersionAnswer },
      },
    },
    async (request) => ({
      version: await versions.toggle(idOf(request.params.id), actorOf(request), request.body?.isPublic),
    }),
  );

  app.post(
    firmwarePaths.versionShare(':id'),
    {
      ...writing,
      config: { refusals: ['not-found', 'project-not-public', 'version-not-public'] },
      schema: {
        summary: 'Returns the share ID of a public version, the same each time.',
        params: IdParams,
        response: { 200: ShareAnswer },
      },
    },
    async (request) => ({ shareId: await versions.share(idOf(request.params.id), actorOf(request)) }),
  );

  app.delete(
    firmwarePaths.version(':id'),
    {
      ...writing,
      onRequest: [requireOwner, limitWrites],
      config: { refusals: ['not-found'] },
      schema: { summary: 'Deletes a version with its files.', params: IdParams, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await versions.remove(idOf(request.params.id), actorOf(request));
      return reply.code(204).send();
    },
  );

  app.get(
    firmwarePaths.versionFlashes(':id'),
    {
      ...reading,
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Counts the flashes of a version, by result, chip and error.',
        params: IdParams,
        response: { 200: FlashesAnswer },
      },
    },
    async (request) => ({ flashes: await versions.flashes(idOf(request.params.id), actorOf(request)) }),
  );

  app.get(
    firmwarePaths.versionFile(':id', ':fileId'),
    {
      ...reading,
      config: { refusals: ['not-found', 'bytes-missing', 'store-unavailable'] },
      schema: {
        summary: "Returns the bytes of a file of one of the caller's versions.",
        params: FileParams,
        response: { 200: fileAnswer('The bytes, or the requested range of them', 'application/octet-stream') },
      },
    },
    async (request, reply) => {
      const { id, fileId } = request.params;
      const find = () => versions.file(idOf(id), idOf(fileId), actorOf(request));
      return files.send(request, reply, { find, isPublic: false });
    },
  );
};

/**
 * Public releases over HTTP, readable by anyone from any origin. Their headers for other origins are in the security
 * table.
 */
import {
  ChannelQuery,
  EspManifest,
  FlashReport,
  ProjectAnswer,
  SharedVersionAnswer,
  sharedFirmwarePaths,
} from '@wirebench/contract';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { fileAnswer } from '../../plugins/file-answer.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import { matchesTag } from './byte-range.ts';
import type { FileReplies } from './file-reply.ts';
import { BODY_LIMIT, FileParams } from './route-input.ts';
import type { SharedAnswer, SharedService } from './shared.service.ts';
import type { SharedType } from './shared-item.ts';

export interface SharedRoutesOptions {
  readonly shared: SharedService;
  readonly files: FileReplies;
  /** Limits how often one address reports. */
  readonly limitReports: onRequestAsyncHookHandler;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const SVG_TYPE = 'image/svg+xml; charset=utf-8';

export const sharedRoutes: FastifyPluginAsyncZod<SharedRoutesOptions> = async (app, options) => {
  const { shared, files, limitReports } = options;
  const config = { refusals: ['not-found', 'taken-down', 'share-ended'] as const };

  for (const type of ['project', 'version'] as const satisfies readonly SharedType[]) {
    const answers = type === 'project' ? ProjectAnswer : SharedVersionAnswer;
    app.get(
      sharedFirmwarePaths.item(type, ':id'),
      {
        config,
        schema: {
          summary: `Returns a public ${type} by its share ID.`,
          params: IdParams,
          querystring: ChannelQuery,
          response: { 200: answers },
        },
      },
      async (request, reply) =>
        sendAnswer(request, reply, JSON_TYPE, await shared.read(type, request.params.id, request.query.channel)),
    );

    app.get(
      sharedFirmwarePaths.manifest(type, ':id'),
      {
        config,
        schema: {
          summary: `Returns the ESP Web Tools manifest of a public ${type} for an Espressif chip; a demo has none.`,
          params: IdParams,
          querystring: ChannelQuery,
          response: { 200: EspManifest },
        },
      },
      async (request, reply) =>
        sendAnswer(request, reply, JSON_TYPE, await shared.manifest(type, request.params.id, request.query.channel)),
    );

    app.get(
      sharedFirmwarePaths.badge(type, ':id'),
      {
        config,
        schema: {
          summary: `Draws a badge of a public ${type}.`,
          params: IdParams,
          querystring: ChannelQuery,
          response: { 200: fileAnswer('The badge', 'image/svg+xml') },
        },
      },
      async (request, reply) =>
        sendAnswer(request, reply, SVG_TYPE, await shared.badge(type, request.params.id, request.query.channel)),
    );

    app.get(
      sharedFirmwarePaths.file(type, ':id', ':fileId'),
      {
        config: { refusals: ['not-found', 'taken-down', 'share-ended', 'bytes-missing', 'store-unavailable'] },
        schema: {
          summary: `Returns the bytes of a file of a public ${type}.`,
          params: FileParams,
          response: { 200: fileAnswer('The bytes, or the requested range of them', 'application/octet-stream') },
        },
      },
      async (request, reply) => {
        const { id, fileId } = request.params;
        return files.send(request, reply, { find: () => shared.file(type, id, idOf(fileId)), isPublic: true });
      },
    );
  }

  app.post(
    sharedFirmwarePaths.flashes(':id'),
    {
      onRequest: limitReports,
      bodyLimit: BODY_LIMIT,
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Counts a flash of a public version as a success or a failure.',
        params: IdParams,
        body: FlashReport,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await shared.report(request.params.id, request.body);
      return reply.code(204).send();
    },
  );
};

/** Sends a finished answer, or 304 if the client already has it. */
function sendAnswer(request: FastifyRequest, reply: FastifyReply, type: string, answer: SharedAnswer): FastifyReply {
  const { body, etag } = answer;
  reply.headers({ etag, 'cache-control': 'no-cache' });
  return matchesTag(request.headers['if-none-match'], etag)
    ? reply.code(304).send()
    : reply.header('content-type', type).send(body);
}

/** Crashes over HTTP. Every reader of a version may send them. Only its owner reads and deletes them. */
import {
  CrashAnswer,
  CrashList,
  CrashQuery,
  crashLimits,
  firmwarePaths,
  NewCrashReport,
  sharedFirmwarePaths,
} from '@wirebench/contract';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { actorOf } from '../../access/request-actor.ts';
import { ApiError } from '../../api-error.ts';
import { attachment } from '../../plugins/attachment.ts';
import { fileAnswer } from '../../plugins/file-answer.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { CrashService } from './crashes.service.ts';

export interface CrashRoutesOptions {
  readonly crashes: CrashService;
  /** Lets owners through, but no tokens that may only publish. */
  readonly requireOwner: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
  /** Limits how often one address sends crashes. */
  readonly limitSenders: onRequestAsyncHookHandler;
  /**
   * Counts a crash of a version. Returns the seconds until the version accepts another crash; null if it accepts this
   * one.
   */
  readonly meterVersion: (request: FastifyRequest, versionId: string) => Promise<number | null>;
}

/** Bytes of a body: the core dump in Base64, the stacks with every character in its longest encoding, and the rest. */
const BODY_LIMIT = Math.ceil(crashLimits.memory / 3) * 4 + 3 * crashLimits.tasksLength + 16 * 1_024;

const CrashParams = z.object({ id: z.string(), fingerprint: z.string() });
const DumpParams = z.object({ id: z.string(), fingerprint: z.string(), exampleId: z.string() });

export const crashRoutes: FastifyPluginAsyncZod<CrashRoutesOptions> = async (app, options) => {
  const { crashes, requireOwner, limitWrites, limitSenders, meterVersion } = options;
  const reading = { onRequest: requireOwner, config: { refusals: ['not-found'] as const } };
  const deleting = {
    onRequest: [requireOwner, limitWrites],
    config: { refusals: ['not-found'] as const },
  };

  async function countVersion(request: FastifyRequest, versionId: string): Promise<void> {
    const retryAfter = await meterVersion(request, versionId);
    if (retryAfter !== null) {
      throw new ApiError('too-many-requests', { retryAfter });
    }
  }

  app.post(
    sharedFirmwarePaths.crashes(':id'),
    {
      bodyLimit: BODY_LIMIT,
      onRequest: limitSenders,
      config: { refusals: ['not-found', 'taken-down', 'share-ended', 'too-many-requests'] },
      schema: {
        summary: 'Sends a crash to the publisher of a public version. Who sends it is not stored.',
        params: IdParams,
        body: NewCrashReport,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      const versionId = await crashes.versionAt(request.params.id);
      await countVersion(request, versionId);
      await crashes.receive(versionId, request.body);
      return done(reply);
    },
  );

  app.post(
    firmwarePaths.versionCrashes(':id'),
    {
      bodyLimit: BODY_LIMIT,
      onRequest: [requireOwner, limitWrites],
      config: { refusals: ['not-found'] },
      schema: {
        summary: "Adds a crash to one of the caller's own versions, public or not.",
        params: IdParams,
        body: NewCrashReport,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      const versionId = idOf(request.params.id);
      await crashes.receiveOwn(versionId, actorOf(request), request.body);
      return done(reply);
    },
  );

  app.get(
    firmwarePaths.versionCrashes(':id'),
    {
      ...reading,
      schema: {
        summary: 'Lists the different crashes of a version with how often they came, seen last first.',
        params: IdParams,
        querystring: CrashQuery,
        response: { 200: CrashList },
      },
    },
    async (request) => crashes.list(idOf(request.params.id), actorOf(request), request.query),
  );

  app.get(
    firmwarePaths.versionCrash(':id', ':fingerprint'),
    {
      ...reading,
      schema: {
        summary: 'Returns a crash of a version with its newest examples.',
        params: CrashParams,
        response: { 200: CrashAnswer },
      },
    },
    async (request) => ({ crash: await crashes.find(crashOf(request.params), actorOf(request)) }),
  );

  app.get(
    firmwarePaths.crashDump(':id', ':fingerprint', ':exampleId'),
    {
      ...reading,
      schema: {
        summary: 'Returns the core dump that was sent along with a crash.',
        params: DumpParams,
        response: { 200: fileAnswer('The core dump', 'application/octet-stream') },
      },
    },
    async (request, reply) => {
      const { exampleId } = request.params;
      const dump = await crashes.dump(crashOf(request.params), idOf(exampleId), actorOf(request));
      return reply
        .type('application/octet-stream')
        .headers({ 'cache-control': 'no-store', 'content-disposition': attachment(`crash-${exampleId}.coredump`) })
        .send(dump);
    },
  );

  app.delete(
    firmwarePaths.versionCrash(':id', ':fingerprint'),
    {
      ...deleting,
      schema: {
        summary: 'Deletes a crash of a version with its examples.',
        params: CrashParams,
        response: { 204: z.void() },
      },
    },
    async (request, reply) => {
      await crashes.remove(crashOf(request.params), actorOf(request));
      return done(reply);
    },
  );

  app.delete(
    firmwarePaths.versionCrashes(':id'),
    {
      ...deleting,
      schema: { summary: 'Deletes all crashes of a version.', params: IdParams, response: { 204: z.void() } },
    },
    async (request, reply) => {
      await crashes.removeAll(idOf(request.params.id), actorOf(request));
      return done(reply);
    },
  );
};

function crashOf({ id, fingerprint }: { readonly id: string; readonly fingerprint: string }) {
  return { versionId: idOf(id), fingerprint };
}

function done(reply: FastifyReply): FastifyReply {
  return reply.code(204).send();
}

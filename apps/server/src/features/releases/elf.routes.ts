/** The ELF files of versions over HTTP, for their owner only. Uploads are in `version-upload.routes.ts`. */
import { ElfQuery, FoundElf, firmwarePaths, VersionAnswer } from '@wirebench/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { actorOf } from '../../access/request-actor.ts';
import { fileAnswer } from '../../plugins/file-answer.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { VersionRoutesOptions } from './versions.routes.ts';

export type ElfRoutesOptions = Pick<VersionRoutesOptions, 'versions' | 'files' | 'requireOwner' | 'limitWrites'>;

export const elfRoutes: FastifyPluginAsyncZod<ElfRoutesOptions> = async (app, options) => {
  const { versions, files, requireOwner, limitWrites } = options;

  app.get(
    firmwarePaths.elf,
    {
      onRequest: requireOwner,
      schema: {
        summary:
          "Finds the ELF file of one of the caller's versions by the first digits of its SHA-256; null when there is none.",
        querystring: ElfQuery,
        response: { 200: FoundElf },
      },
    },
    async (request) => ({ elf: await versions.findElf(request.query.sha256, actorOf(request)) }),
  );

  app.get(
    firmwarePaths.versionElf(':id'),
    {
      onRequest: requireOwner,
      config: { refusals: ['not-found', 'bytes-missing', 'store-unavailable'] },
      schema: {
        summary: "Returns the ELF file of one of the caller's versions.",
        params: IdParams,
        response: { 200: fileAnswer('The bytes, or the requested range of them', 'application/octet-stream') },
      },
    },
    async (request, reply) => {
      const find = () => versions.elf(idOf(request.params.id), actorOf(request));
      return files.send(request, reply, { find, isPublic: false });
    },
  );

  app.delete(
    firmwarePaths.versionElf(':id'),
    {
      onRequest: [requireOwner, limitWrites],
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Takes the ELF file of a version away.',
        params: IdParams,
        response: { 200: VersionAnswer },
      },
    },
    async (request) => ({ version: await versions.removeElf(idOf(request.params.id), actorOf(request)) }),
  );
};

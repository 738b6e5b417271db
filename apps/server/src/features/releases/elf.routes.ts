/** The ELF files of versions over HTTP, for their owner only. Uploads are in `version-upload.routes.ts`. */
import { BuildOfElf, ElfQuery, FoundElf, firmwarePaths, VersionAnswer } from '@wirebench/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { actorOf } from '../../access/request-actor.ts';
import { fileAnswer } from '../../plugins/file-answer.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { ElfPlace } from './shared-item.ts';
import type { VersionRoutesOptions } from './versions.routes.ts';

export type ElfRoutesOptions = Pick<VersionRoutesOptions, 'versions' | 'files' | 'requireOwner' | 'limitWrites'>;

/** Returns the version, or the build of it, that a call names. */
export const elfPlace = (id: string, { build }: BuildOfElf): ElfPlace => ({
  id: idOf(id),
  buildId: build === undefined ? null : idOf(build),
});

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
        summary: "Returns the ELF file of one of the caller's versions, or of one of its builds.",
        params: IdParams,
        querystring: BuildOfElf,
        response: { 200: fileAnswer('The bytes, or the requested range of them', 'application/octet-stream') },
      },
    },
    async (request, reply) => {
      const find = () => versions.elf(elfPlace(request.params.id, request.query), actorOf(request));
      return files.send(request, reply, { find, isPublic: false });
    },
  );

  app.delete(
    firmwarePaths.versionElf(':id'),
    {
      onRequest: [requireOwner, limitWrites],
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Takes the ELF file of a version, or of one of its builds, away.',
        params: IdParams,
        querystring: BuildOfElf,
        response: { 200: VersionAnswer },
      },
    },
    async (request) => ({
      version: await versions.removeElf(elfPlace(request.params.id, request.query), actorOf(request)),
    }),
  );
};

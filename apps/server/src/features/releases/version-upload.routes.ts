/**
 * Uploads of a new version, and of the ELF file of a version: forms whose files go straight to the spool, with fields
 * before or after them.
 */
import multipart from '@fastify/multipart';
import {
  BuildOfElf,
  buildLimits,
  ElfForm,
  elfText,
  firmwarePaths,
  NewVersionForm,
  releaseLimits,
  VersionAnswer,
} from '@wirebench/contract';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { actorOf } from '../../access/request-actor.ts';
import type { UploadAdmission } from '../../admission/upload-admission.ts';
import { refusedField } from '../../api-error.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { Spool } from '../../storage/blobs/spool.ts';
import { elfPlace } from './elf.routes.ts';
import { checkBinName, checkFileName, checkFirmwareName } from './file-name.ts';
import {
  type ArrivingFile,
  type Fields,
  hasBuilds,
  maxVersionBytes,
  readVersion,
  type UploadedFile,
  uploadForm,
} from './upload-form.ts';
import type { VersionService } from './versions.service.ts';

export interface VersionUploadOptions {
  readonly versions: VersionService;
  readonly spool: Spool;
  readonly uploads: UploadAdmission;
  /** `elfSize`: largest ELF file in bytes. `builds`: maximum number of builds of a version. */
  readonly limits: { readonly elfSize: number; readonly builds: number };
  /** Lets users and their publishing tokens through. */
  readonly requirePublisher: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
}

const { files: maxFiles, fileSize } = releaseLimits;

/** Refusals that every upload may end with. */
const uploadRefusals = [
  'not-found',
  'request-timeout',
  'too-many-uploads',
  'uploads-busy',
  'disk-space-low',
  'store-unavailable',
  'store-full',
] as const;

export const versionUploadRoutes: FastifyPluginAsyncZod<VersionUploadOptions> = async (app, options) => {
  const { versions, spool, uploads, limits, requirePublisher, limitWrites } = options;
  const { elfSize } = limits;
  const maxBuildFiles = limits.builds * buildLimits.files;
  const versionForm = uploadForm({
    spool,
    uploads,
    maxBytes: maxVersionBytes(limits.builds) + elfSize,
    largestFile: Math.max(fileSize, elfSize),
    maxFiles: Math.max(maxFiles, maxBuildFiles) + 1,
  });
  const elfForm = uploadForm({ spool, uploads, maxBytes: elfSize, largestFile: elfSize, maxFiles: 1 });
  const guards = ({ takeTime, refuseTooLarge }: typeof elfForm) => ({
    onRequest: [requirePublisher, takeTime, limitWrites, refuseTooLarge],
  });
  app.removeAllContentTypeParsers();
  await app.register(multipart, { throwFileSizeLimit: false });

  app.post(
    firmwarePaths.newVersion,
    {
      ...guards(versionForm),
      config: { refusals: [...uploadRefusals, 'files-damaged', 'version-taken', 'version-limit', 'token-not-allowed'] },
      schema: {
        summary: 'Adds a private version with its files to a project.',
        consumes: ['multipart/form-data'],
        body: NewVersionForm,
        response: { 201: VersionAnswer },
      },
      // The schema is for the documentation. The form is parsed and checked below.
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const received: UploadedFile[] = [];
      const elfs: UploadedFile[] = [];
      const onFile = async (file: ArrivingFile, fields: Fields) => {
        if (file.part.fieldname === 'picture') {
          file.part.file.resume();
          return;
        }
        if (received.length + elfs.length === 0) {
          await precheck(request, fields);
        }
        if (file.part.fieldname === 'elf') {
          elfs.push(await receiveElf(file, elfs.length));
        } else {
          received.push(await receiveFirmware(file, received.length, hasBuilds(fields)));
        }
      };
      // Answered only after its place is free, so that a client that uploads one version after the other never needs
      // two.
      const version = await versionForm.takeIn(request, onFile, async (fields) => {
        const form = readVersion(fields);
        return await versions.create(actor, { ...form, projectId: idOf(form.projectId) }, received, elfs[0]);
      });
      return reply.code(201).send({ version });
    },
  );

  app.post(
    firmwarePaths.versionElf(':id'),
    {
      ...guards(elfForm),
      config: { refusals: uploadRefusals },
      schema: {
        summary:
          'Gives a version, or one of its builds, the ELF file of its program, in place of the one that it has. Only its owner can read it.',
        params: IdParams,
        querystring: BuildOfElf,
        consumes: ['multipart/form-data'],
        body: ElfForm,
        response: { 200: VersionAnswer },
      },
      validatorCompiler: () => () => true,
    },
    async (request) => {
      const actor = actorOf(request);
      const place = elfPlace((request.params as { id: string }).id, request.query as BuildOfElf);
      await versions.precheckElf(place, actor);
      const elfs: UploadedFile[] = [];
      const onFile = async (file: ArrivingFile) => {
        if (file.part.fieldname === 'elf') {
          elfs.push(await receiveElf(file, elfs.length));
        } else {
          file.part.file.resume();
        }
      };
      const version = await elfForm.takeIn(request, onFile, async () => {
        const [elf] = elfs;
        if (elf === undefined) {
          throw refusedField('elf', elfText.missing);
        }
        return await versions.setElf(place, actor, elf);
      });
      return { version };
    },
  );

  /** Refuses a version that has no room before its files are uploaded, if its fields came first. */
  async function precheck(request: FastifyRequest, fields: Fields): Promise<void> {
    const { projectId, version } = fields;
    if (typeof projectId === 'string' && typeof version === 'string') {
      await versions.precheck(actorOf(request), {
        projectId: idOf(projectId),
        version: version.trim(),
        replaceOldest: fields['replaceOldest'] === 'true',
      });
    }
  }

  /** @param ofBuilds True: the form has builds, and its files may have any format of firmware. */
  async function receiveFirmware(
    { part, receive }: ArrivingFile,
    index: number,
    ofBuilds: boolean,
  ): Promise<UploadedFile> {
    const most = ofBuilds ? maxBuildFiles : maxFiles;
    if (index >= most) {
      throw refusedField('files', `A version can have at most ${most} files`);
    }
    // A part may be a file by its type alone, and then has no name.
    const name = part.filename ?? '';
    const fileName = ofBuilds ? checkFirmwareName(name) : checkBinName(name);
    return receive(fileName, fileSize, `"${fileName}" is larger than ${fileSize / 1_024 / 1_024} MB`);
  }

  async function receiveElf({ part, receive }: ArrivingFile, index: number): Promise<UploadedFile> {
    if (index > 0) {
      throw refusedField('elf', elfText.one);
    }
    const fileName = checkFileName(part.filename ?? '') || 'firmware.elf';
    return receive(fileName, elfSize, elfText.tooLarge(fileName, elfSize));
  }
};

/** A new version over HTTP: a form whose files go straight to the spool, with its fields before or after them. */
import multipart, { type MultipartFile } from '@fastify/multipart';
import { firmwarePaths, NewVersionForm, releaseLimits, type Version, VersionAnswer } from '@wirebench/contract';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { expectUpload } from '../../admission/body-arrival.ts';
import type { UploadAdmission } from '../../admission/upload-admission.ts';
import { ApiError } from '../../api-error.ts';
import { idOf } from '../../plugins/id-params.ts';
import { refusing } from '../../plugins/route-refusals.ts';
import type { Spool } from '../../storage/blobs/spool.ts';
import type { Room } from '../../storage/disk-room.ts';
import { checkFileName } from './file-name.ts';
import { limitForm } from './form-size.ts';
import { freeMemory } from './free-memory.ts';
import { actorOf } from './route-input.ts';
import { type Fields, readForm, reading, readVersion } from './version-form.ts';
import type { UploadedFile, VersionService } from './versions.service.ts';

export interface VersionUploadOptions {
  readonly versions: VersionService;
  readonly spool: Spool;
  readonly uploads: UploadAdmission;
  /** Lets users and their publishing tokens through. */
  readonly requirePublisher: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
}

const { files: mostFiles, fileSize } = releaseLimits;

/** Bytes of all fields, part heads and boundaries together, with room to spare. */
const FORM_SIZE = 1_024 * 1_024;
const MOST_BYTES = mostFiles * fileSize + FORM_SIZE;

/** One file more than allowed, to be distinguished from a form that is not well-formed. */
const limits = { files: mostFiles + 1, fileSize, fields: 20, fieldSize: 64 * 1_024, parts: mostFiles + 21 };

export const versionUploadRoutes: FastifyPluginAsyncZod<VersionUploadOptions> = async (app, options) => {
  const { versions, spool, uploads, requirePublisher, limitWrites } = options;
  app.removeAllContentTypeParsers();
  await app.register(multipart, { limits, throwFileSizeLimit: false });

  app.post(
    firmwarePaths.newVersion,
    {
      onRequest: [requirePublisher, takeTime, limitWrites, refuseTooLarge],
      config: {
        refusals: [
          'not-found',
          'files-damaged',
          'version-taken',
          'version-limit',
          'request-timeout',
          'too-many-uploads',
          'uploads-busy',
          'disk-space-low',
          'store-unavailable',
          'store-full',
        ],
      },
      schema: {
        summary: 'Adds a private version with its files to a project.',
        consumes: ['multipart/form-data'],
        body: NewVersionForm,
        response: { 201: VersionAnswer },
      },
      // The schema describes the form; what it carries is read and checked below.
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      if (!request.isMultipart()) {
        throw new ApiError('unsupported-media-type');
      }
      // Answered only after its place is free again: whoever uploads one version after the other needs no second one.
      const version = await takeIn(request);
      return reply.code(201).send({ version });
    },
  );

  async function takeIn(request: FastifyRequest): Promise<Version> {
    const actor = actorOf(request);
    const declared = Number(request.headers['content-length'] ?? MOST_BYTES);
    using place = await uploads.admit(actor.user.subject, declared);
    await using files = new AsyncDisposableStack();
    const received: UploadedFile[] = [];
    const fields: Fields = {};
    try {
      await readLimited(request, fields, async (part) => {
        if (received.length === 0) {
          await precheck(request, fields);
        }
        received.push(await receive(part, received.length, files, place));
      });
    } finally {
      // A refusal is answered at once; the rest of the body is read and thrown away, or the client would not get the answer.
      request.raw.unpipe();
      request.raw.resume();
    }
    const form = readVersion(fields);
    return await versions.create(actor, { ...form, projectId: idOf(form.projectId) }, received);
  }

  /** Spares somebody the upload of files that there is no room for, where the fields came first. */
  async function precheck(request: FastifyRequest, fields: Fields): Promise<void> {
    const { projectId, version } = fields;
    if (typeof projectId === 'string' && typeof version === 'string') {
      await versions.precheck(actorOf(request), { projectId: idOf(projectId), version: version.trim() });
    }
  }

  async function receive(
    part: MultipartFile,
    index: number,
    files: AsyncDisposableStack,
    place: Room,
  ): Promise<UploadedFile> {
    if (index >= mostFiles) {
      const message = `A version can have at most ${mostFiles} files`;
      throw new ApiError('invalid-request', { message, issues: [{ path: 'files', message }] });
    }
    // A part may be a file by its type alone, and then has no name.
    const fileName = checkFileName(part.filename ?? '');
    const onWritten = (chunk: Uint8Array) => {
      place.use(chunk.length);
      freeMemory(chunk);
    };
    const bytes = files.use(await spool.receive(reading<Uint8Array>(part.file), onWritten));
    if (part.file.truncated) {
      const message = `"${fileName}" is larger than ${fileSize / 1_024 / 1_024} MB`;
      throw new ApiError('body-too-large', { message });
    }
    return { fileName, bytes };
  }
};

/** Reads the form as long as it is no larger than a form may be. */
async function readLimited(
  request: FastifyRequest,
  fields: Fields,
  onFile: (part: MultipartFile) => Promise<void>,
): Promise<void> {
  // Nobody would tell the parser of an end that came before it.
  if (request.raw.destroyed) {
    throw new ApiError('invalid-request', { message: 'The form is incomplete' });
  }
  using size = limitForm(request.raw, MOST_BYTES);
  try {
    await readForm(request.parts(), fields, onFile);
  } catch (error) {
    throw size.isExceeded ? new ApiError('body-too-large', { cause: error }) : error;
  }
}

/** Uploads are slow where lines are; whoever may not upload has no time for it either. */
const takeTime: onRequestAsyncHookHandler = async ({ raw }) => expectUpload(raw, MOST_BYTES);

const refuseTooLarge = refusing(async (request) => {
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) {
    throw new ApiError('body-too-large');
  }
}, 'body-too-large');

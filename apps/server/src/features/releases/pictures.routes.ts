/** The sentence and the picture of a project over HTTP. Everyone may read the picture of a public project. */
import multipart from '@fastify/multipart';
import {
  PictureForm,
  PictureQuery,
  ProjectAnswer,
  ProjectPageChange,
  pictureLimits,
  picturePaths,
  pictureText,
  pictureTypes,
} from '@wirebench/contract';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { actorOf } from '../../access/request-actor.ts';
import type { UploadAdmission } from '../../admission/upload-admission.ts';
import { refusedField } from '../../api-error.ts';
import { IdParams, idOf } from '../../plugins/id-params.ts';
import type { Spool } from '../../storage/blobs/spool.ts';
import { checkFileName } from './file-name.ts';
import type { FileReplies } from './file-reply.ts';
import type { PictureService } from './pictures.service.ts';
import { BODY_LIMIT } from './route-input.ts';
import type { SharedService } from './shared.service.ts';
import type { StoredPicture } from './shared-item.ts';
import { type ArrivingFile, type UploadedFile, uploadForm } from './upload-form.ts';

export interface PictureRoutesOptions {
  readonly pictures: PictureService;
  readonly shared: SharedService;
  readonly files: FileReplies;
  readonly spool: Spool;
  readonly uploads: UploadAdmission;
  /** Lets users through, but no tokens that may only publish. */
  readonly requireOwner: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
}

const { fileSize } = pictureLimits;

/** An answer that is a picture of one of the types. */
const pictureAnswer = {
  description: 'The picture',
  content: Object.fromEntries(pictureTypes.map((type) => [type, { schema: z.unknown() }])),
};

export const pictureRoutes: FastifyPluginAsyncZod<PictureRoutesOptions> = async (app, options) => {
  const { pictures, shared, files, spool, uploads, requireOwner, limitWrites } = options;

  app.post(
    picturePaths.page(':id'),
    {
      onRequest: [requireOwner, limitWrites],
      bodyLimit: BODY_LIMIT,
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Changes what the page of a project says: its sentence, and the alternative text of its picture.',
        params: IdParams,
        body: ProjectPageChange,
        response: { 200: ProjectAnswer },
      },
    },
    async (request) => ({
      project: await pictures.changePage(idOf(request.params.id), actorOf(request), request.body),
    }),
  );

  app.get(
    picturePaths.own(':id'),
    {
      onRequest: requireOwner,
      config: { refusals: ['not-found', 'bytes-missing', 'store-unavailable'] },
      schema: {
        summary: "Returns the picture of one of the caller's projects.",
        params: IdParams,
        querystring: PictureQuery,
        response: { 200: pictureAnswer },
      },
    },
    async (request, reply) => {
      const place = { id: idOf(request.params.id), theme: request.query.theme };
      const picture = await pictures.own(place, actorOf(request));
      return files.send(
        request,
        reply,
        shown(picture, () => pictures.own(place, actorOf(request))),
      );
    },
  );

  app.delete(
    picturePaths.own(':id'),
    {
      onRequest: [requireOwner, limitWrites],
      config: { refusals: ['not-found'] },
      schema: {
        summary: 'Takes the picture of a theme away.',
        params: IdParams,
        querystring: PictureQuery,
        response: { 200: ProjectAnswer },
      },
    },
    async (request) => ({
      project: await pictures.remove({ id: idOf(request.params.id), theme: request.query.theme }, actorOf(request)),
    }),
  );

  for (const type of ['project', 'version'] as const) {
    app.get(
      picturePaths.shared(type, ':id'),
      {
        config: { refusals: ['not-found', 'taken-down', 'share-ended', 'bytes-missing', 'store-unavailable'] },
        schema: {
          summary: `Returns the picture of a public ${type}.`,
          params: IdParams,
          querystring: PictureQuery,
          response: { 200: pictureAnswer },
        },
      },
      async (request, reply) => {
        const find = () => shared.picture(type, request.params.id, request.query.theme);
        return files.send(request, reply, shown(await find(), find));
      },
    );
  }

  await app.register(async (forms) => {
    const form = uploadForm({ spool, uploads, maxBytes: fileSize, largestFile: fileSize, maxFiles: 1 });
    forms.removeAllContentTypeParsers();
    await forms.register(multipart, { throwFileSizeLimit: false });
    forms.post(
      picturePaths.own(':id'),
      {
        onRequest: [requireOwner, form.takeTime, limitWrites, form.refuseTooLarge],
        config: {
          refusals: [
            'not-found',
            'request-timeout',
            'too-many-uploads',
            'uploads-busy',
            'disk-space-low',
            'store-unavailable',
            'store-full',
          ],
        },
        schema: {
          summary:
            'Gives a project a picture for one theme, in place of the one that it has: PNG, JPEG, WebP or AVIF, at most 2 MB, at least 1600 × 1172 pixels.',
          params: IdParams,
          querystring: PictureQuery,
          consumes: ['multipart/form-data'],
          body: PictureForm,
          response: { 200: ProjectAnswer },
        },
        // The schema is for the documentation. The form is parsed and checked below.
        validatorCompiler: () => () => true,
      },
      async (request) => {
        const actor = actorOf(request);
        const id = idOf((request.params as { id: string }).id);
        const query = z.safeParse(PictureQuery, request.query);
        if (!query.success) {
          throw refusedField('theme', query.error.issues[0]?.message ?? '');
        }
        const before = await pictures.precheck(id, actor);
        const received: UploadedFile[] = [];
        const onFile = async ({ part, receive }: ArrivingFile) => {
          if (part.fieldname !== 'picture') {
            part.file.resume();
            return;
          }
          if (received.length > 0) {
            throw refusedField('picture', pictureText.one);
          }
          const fileName = checkFileName(part.filename ?? '') || 'picture';
          received.push(await receive(fileName, fileSize, pictureText.tooLarge(fileName)));
        };
        const project = await form.takeIn(request, onFile, async (fields) => {
          const given = z.safeParse(PictureForm.shape.text, fields['text']);
          if (!given.success) {
            throw refusedField('text', given.error.issues[0]?.message ?? pictureText.textRequired);
          }
          const text = given.data ?? before;
          const [picture] = received;
          if (picture === undefined) {
            throw refusedField('picture', pictureText.missing);
          }
          if (text === null) {
            throw refusedField('text', pictureText.textRequired);
          }
          return await pictures.set({ id, theme: query.data.theme }, actor, picture, text);
        });
        return { project };
      },
    );
  });
};

/** Pictures come through the server, which says what they are. A store might let browsers guess. */
function shown({ type }: StoredPicture, find: () => Promise<StoredPicture>) {
  return { find, isPublic: false, type };
}

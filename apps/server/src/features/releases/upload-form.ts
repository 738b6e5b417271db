/**
 * Forms whose files go straight to the spool. A form is admitted before it is read, measured while it arrives, and
 * read and discarded once it is refused.
 */
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { actorOf } from '../../access/request-actor.ts';
import { expectUpload } from '../../admission/body-arrival.ts';
import type { UploadAdmission } from '../../admission/upload-admission.ts';
import { ApiError } from '../../api-error.ts';
import { refusing } from '../../plugins/route-refusals.ts';
import type { Spool } from '../../storage/blobs/spool.ts';
import { limitForm } from './form-size.ts';
import { freeMemory } from './free-memory.ts';
import type { UploadedFile } from './uploaded-file.ts';
import { type Fields, readForm, reading } from './version-form.ts';

export interface UploadFormOptions {
  readonly spool: Spool;
  readonly uploads: UploadAdmission;
  /** Bytes of all files of a form together. */
  readonly maxBytes: number;
  /** Bytes of the largest file. */
  readonly largestFile: number;
  readonly maxFiles: number;
}

/** The current file of a form, with a function to store it. */
export interface ArrivingFile {
  readonly part: MultipartFile;
  /**
   * Stores the file.
   *
   * @throws ApiError 413 with `tooLarge` for more than `most` bytes.
   */
  receive(fileName: string, most: number, tooLarge: string): Promise<UploadedFile>;
}

/** Bytes of all fields, part headers and boundaries together, with a margin. */
const FORM_SIZE = 1_024 * 1_024;

export function uploadForm({ spool, uploads, maxBytes: ofFiles, largestFile, maxFiles }: UploadFormOptions) {
  const maxBytes = ofFiles + FORM_SIZE;
  /** One file and one byte more than allowed, so that a form that is too large differs from a malformed one. */
  const limits = {
    files: maxFiles + 1,
    fileSize: largestFile + 1,
    fields: 20,
    fieldSize: 64 * 1_024,
    parts: maxFiles + 21,
  };

  /** Gives uploads of permitted users more time, because they are slow over slow connections. */
  const takeTime: onRequestAsyncHookHandler = async ({ raw }) => expectUpload(raw, maxBytes);

  const refuseTooLarge = refusing(async (request) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      throw new ApiError('body-too-large');
    }
  }, 'body-too-large');

  /** Reads the form up to the maximum size of a form. */
  async function readLimited(
    request: FastifyRequest,
    fields: Fields,
    onFile: (part: MultipartFile) => Promise<void>,
  ): Promise<void> {
    // The parser would not notice an end that came before it was attached.
    if (request.raw.destroyed) {
      throw new ApiError('invalid-request', { message: 'The form is incomplete' });
    }
    using _size = limitForm(request.raw, maxBytes);
    await readForm(request.parts({ limits }), fields, onFile);
  }

  return {
    takeTime,
    refuseTooLarge,

    /** Passes each file to `onFile` and, after the last one, the fields to `use`. The files are deleted afterwards. */
    async takeIn<Result>(
      request: FastifyRequest,
      onFile: (file: ArrivingFile, fields: Fields) => Promise<void>,
      use: (fields: Fields) => Promise<Result>,
    ): Promise<Result> {
      if (!request.isMultipart()) {
        throw new ApiError('unsupported-media-type');
      }
      const declared = Number(request.headers['content-length'] ?? maxBytes);
      using place = await uploads.admit(actorOf(request).user.subject, declared);
      await using files = new AsyncDisposableStack();
      const onWritten = (chunk: Uint8Array) => {
        place.use(chunk.length);
        freeMemory(chunk);
      };
      const fields: Fields = {};
      try {
        await readLimited(request, fields, async (part) => {
          const receive: ArrivingFile['receive'] = async (fileName, most, tooLarge) => {
            const bytes = within(reading<Uint8Array>(part.file), most, tooLarge);
            return { fileName, bytes: files.use(await spool.receive(bytes, onWritten)) };
          };
          await onFile({ part, receive }, fields);
        });
      } finally {
        // A refusal is answered at once. The rest of the body is read and discarded, or the client would not get the
        // answer.
        request.raw.unpipe();
        request.raw.resume();
      }
      // Awaited here, because the files are deleted at the end of this block.
      return await use(fields);
    },
  };
}

async function* within(source: AsyncIterable<Uint8Array>, most: number, tooLarge: string): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > most) {
      throw new ApiError('body-too-large', { message: tooLarge });
    }
    yield chunk;
  }
}

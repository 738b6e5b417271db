/**
 * Forms whose files go straight to the spool: admitted before anything of them is read, measured while they arrive, and read to nowhere
 * once they are refused. Knows neither versions nor what a file is for.
 */
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { expectUpload } from '../../admission/body-arrival.ts';
import type { UploadAdmission } from '../../admission/upload-admission.ts';
import { ApiError } from '../../api-error.ts';
import { refusing } from '../../plugins/route-refusals.ts';
import type { Spool } from '../../storage/blobs/spool.ts';
import { limitForm } from './form-size.ts';
import { freeMemory } from './free-memory.ts';
import { actorOf } from './route-input.ts';
import { type Fields, readForm, reading } from './version-form.ts';
import type { UploadedFile } from './versions.service.ts';

export interface UploadFormOptions {
  readonly spool: Spool;
  readonly uploads: UploadAdmission;
  /** Bytes of all files of a form together. */
  readonly mostBytes: number;
  /** Bytes of its largest file. */
  readonly largestFile: number;
  readonly mostFiles: number;
}

/** A file that a form is at, and how it is taken in. */
export interface ArrivingFile {
  readonly part: MultipartFile;
  /** Throws a 413 with `tooLarge` for more than `most` bytes. */
  receive(fileName: string, most: number, tooLarge: string): Promise<UploadedFile>;
}

/** Bytes of all fields, part heads and boundaries together, with room to spare. */
const FORM_SIZE = 1_024 * 1_024;

export function uploadForm({ spool, uploads, mostBytes: ofFiles, largestFile, mostFiles }: UploadFormOptions) {
  const mostBytes = ofFiles + FORM_SIZE;
  /** One file and one byte more than allowed, to be distinguished from a form that is not well-formed. */
  const limits = {
    files: mostFiles + 1,
    fileSize: largestFile + 1,
    fields: 20,
    fieldSize: 64 * 1_024,
    parts: mostFiles + 21,
  };

  /** Uploads are slow where lines are; whoever may not upload has no time for it either. */
  const takeTime: onRequestAsyncHookHandler = async ({ raw }) => expectUpload(raw, mostBytes);

  const refuseTooLarge = refusing(async (request) => {
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
      throw new ApiError('body-too-large');
    }
  }, 'body-too-large');

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
    using _size = limitForm(request.raw, mostBytes);
    await readForm(request.parts({ limits }), fields, onFile);
  }

  return {
    takeTime,
    refuseTooLarge,

    /** Hands each file to `onFile`, and all that has come to `use`; the files are gone afterwards. */
    async takeIn<Result>(
      request: FastifyRequest,
      onFile: (file: ArrivingFile, fields: Fields) => Promise<void>,
      use: (fields: Fields) => Promise<Result>,
    ): Promise<Result> {
      if (!request.isMultipart()) {
        throw new ApiError('unsupported-media-type');
      }
      const declared = Number(request.headers['content-length'] ?? mostBytes);
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
        // A refusal is answered at once; the rest of the body is read and thrown away, or the client would not get the answer.
        request.raw.unpipe();
        request.raw.resume();
      }
      // Waited for here, because the files go with this block.
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

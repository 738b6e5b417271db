/**
 * Forms whose files go straight to the spool, and the version that their fields describe. A form is admitted before it
 * is read, measured while it arrives, and read and discarded once it is refused.
 */

import type { IncomingMessage } from 'node:http';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { NewVersion, releaseLimits } from '@wirebench/contract';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { actorOf } from '../../access/request-actor.ts';
import { expectUpload } from '../../admission/body-arrival.ts';
import type { UploadAdmission } from '../../admission/upload-admission.ts';
import { ApiError } from '../../api-error.ts';
import { refusing } from '../../plugins/route-refusals.ts';
import type { Spool } from '../../storage/blobs/spool.ts';
import type { SpooledFile } from '../../storage/blobs/spooled-file.ts';
import { freeMemory } from './free-memory.ts';

export interface UploadFormOptions {
  readonly spool: Spool;
  readonly uploads: UploadAdmission;
  /** Bytes of all files of a form together. */
  readonly maxBytes: number;
  /** Bytes of the largest file. */
  readonly largestFile: number;
  readonly maxFiles: number;
}

/** Fields of a form by name, as they arrived. */
export type Fields = Record<string, unknown>;

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

/** Fields with files, of all forms. Files of other fields are read and discarded. */
const fileFields: ReadonlySet<string> = new Set(['files', 'elf', 'picture']);

/** Bytes of all fields, part headers and boundaries together, with a margin. */
const FORM_SIZE = 1_024 * 1_024;

/**
 * Fails the reading of `request` with a 413 after more than `maxBytes`, until it is disposed. Counts the bytes while
 * they arrive, because a chunked body does not declare its length. Call it right before the request is read.
 */
function limitForm(request: IncomingMessage, maxBytes: number): Disposable {
  let received = 0;
  const count = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > maxBytes) {
      request.off('data', count);
      request.unpipe();
      // The reader gets the error. The connection stays open, so that the client gets the answer.
      request.emit('error', new ApiError('body-too-large'));
    }
  };
  request.on('data', count);
  return { [Symbol.dispose]: () => request.off('data', count) };
}

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

/**
 * Passes each uploaded file to `onFile` in order and collects the fields.
 *
 * @throws ApiError 400 if the form ends early.
 */
async function readForm(
  parts: AsyncIterable<Multipart>,
  fields: Fields,
  onFile: (part: MultipartFile) => Promise<void>,
): Promise<void> {
  for await (const part of reading(parts)) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value;
    } else if (fileFields.has(part.fieldname)) {
      await onFile(part);
    } else {
      part.file.resume();
    }
  }
}

/**
 * Passes the items of `source` on.
 *
 * @throws ApiError with which the request was refused while it arrived, or 400 for an error of the parser or a sudden
 *   end.
 */
async function* reading<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await iterator.next().catch((cause: unknown) => {
        throw cause instanceof ApiError
          ? cause
          : new ApiError('invalid-request', { message: 'The form is incomplete', cause });
      });
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
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

/** A file of a form, which is stored until the end of the call. */
export interface UploadedFile {
  /** Without folders. */
  readonly fileName: string;
  readonly bytes: SpooledFile;
}

/**
 * Returns the maximum bytes of all firmware files of a version together, for uploads and pulls: one flash of the
 * largest size for each build.
 *
 * @param builds Maximum number of builds of a version.
 */
export function maxVersionBytes(builds: number): number {
  return Math.max(releaseLimits.files, builds) * releaseLimits.fileSize;
}

/** Returns true if the fields read so far describe builds. An empty field counts as missing. */
export function hasBuilds({ builds }: Fields): boolean {
  return builds !== undefined && builds !== '';
}

/**
 * Parses the fields as a version.
 *
 * @throws ApiError 400 with the first fault.
 */
export function readVersion(fields: Fields): NewVersion {
  const result = NewVersion.safeParse({
    ...fields,
    offsets: fields['offsets'] === undefined ? [] : json(fields['offsets']),
    builds: hasBuilds(fields) ? json(fields['builds']) : undefined,
    console: json(fields['console'] ?? null),
    acceptDamaged: json(fields['acceptDamaged'] ?? []),
    replaceOldest: json(fields['replaceOldest'] ?? false),
  });
  if (!result.success) {
    const issues = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    throw new ApiError('invalid-request', { issues, message: issues[0]?.message ?? 'The form is not valid' });
  }
  return result.data;
}

/** Parses a field with JSON. Returns the text itself if it is invalid, so that the schema refuses it. */
function json(value: unknown): unknown {
  if (typeof value !== 'string') {
    return value;
  }
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return value;
    }
    throw error;
  }
}

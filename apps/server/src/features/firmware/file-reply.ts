/**
 * Answers with the bytes of a file, or a part of them: straight from the store, or by sending the browser there. Bytes that a
 * version should have and the store has not are the server's fault and no 404.
 */
import { Readable } from 'node:stream';
import type { Clock } from '@wirebench/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../api-error.ts';
import { BlobDamagedError, type BlobStore, type ByteRange } from '../../storage/blobs/blob-store.ts';
import { type BlobFault, blobFaultOf } from '../../storage/blobs/inspect-blob.ts';
import { matchesTag, parseRange } from './byte-range.ts';
import { attachment } from './file-name.ts';
import type { StoredFile } from './shared-item.ts';

export interface FileRepliesOptions {
  readonly store: BlobStore;
  readonly clock: Clock;
  readonly onFault: (fault: BlobFault) => void;
}

export interface FileRequest {
  /** Asks whether the caller may have the file and where its bytes are; rejects when there is none for him. */
  readonly find: () => Promise<StoredFile>;
  /** Whether anyone may have it: such a file may come from the store itself. */
  readonly isPublic: boolean;
}

export type FileReplies = ReturnType<typeof fileReplies>;

/** Seconds that an address at the store is good: a file that is made private can be fetched for as long at the most. */
const ADDRESS_LIFE = 60;

/** Milliseconds for which bytes that were found in the store count as being there. */
const SEEN_LIFE = 300_000;
/** Keys that are remembered as found. */
const SEEN_MOST = 10_000;

export function fileReplies({ store, clock, onFault }: FileRepliesOptions) {
  const seen = new Map<string, number>();

  /** So that a browser is never sent to bytes that are not there; a store that answers is asked once in a while. */
  async function expectThere({ key, size }: StoredFile): Promise<void> {
    if ((seen.get(key) ?? 0) > clock.now()) {
      return;
    }
    const found = await store.sizeOf(key);
    if (found !== size) {
      throw new BlobDamagedError(key, `there are ${found} bytes instead of ${size}`);
    }
    if (seen.size >= SEEN_MOST) {
      seen.clear();
    }
    seen.set(key, clock.now() + SEEN_LIFE);
  }

  /** Runs `read`, and distinguishes bytes that went with their version from bytes that are missing. */
  async function reading<Result>({ find }: FileRequest, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      const fault = blobFaultOf(error);
      if (fault === null) {
        throw error;
      }
      // The version may have been removed between the question where its bytes are and this one.
      await find();
      onFault(fault);
      throw new ApiError('bytes-missing', { cause: error });
    }
  }

  /** Of `range`, or of the whole file. */
  async function open(request: FastifyRequest, { key, size }: StoredFile, range: ByteRange | null): Promise<Readable> {
    if (request.method === 'HEAD') {
      return Readable.from([]);
    }
    const bytes = await (range === null ? store.open(key, size) : store.open(key, size, range));
    bytes.once('error', (error) => {
      const fault = blobFaultOf(error);
      if (fault !== null) {
        // The answer has begun: its connection is cut, so that nobody takes the part for the whole.
        onFault(fault);
        request.log.error({ err: error }, 'the bytes of a file are damaged');
      }
    });
    return bytes;
  }

  return {
    /** The file's SHA-256 is the entity tag; every use is asked for again, so that what was made private is gone. */
    async send(request: FastifyRequest, reply: FastifyReply, wanted: FileRequest): Promise<FastifyReply> {
      const file = await wanted.find();
      const { fileName, size, sha256, key } = file;
      const etag = `"${sha256}"`;
      const always = { etag, 'cache-control': 'no-cache', 'accept-ranges': 'bytes' };
      if (matchesTag(request.headers['if-none-match'], etag)) {
        return reply.code(304).headers(always).send();
      }
      const condition = request.headers['if-range'];
      const range = condition === undefined || condition === etag ? parseRange(request.headers.range, size) : null;
      if (range === 'unsatisfiable') {
        return reply
          .code(416)
          .headers({ ...always, 'content-range': `bytes */${size}` })
          .send();
      }
      const disposition = attachment(fileName);
      const { downloads } = store;
      if (downloads !== null && wanted.isPublic && mayBeSentOn(request)) {
        await reading(wanted, () => expectThere(file));
        const address = await downloads.addressOf(key, { disposition, seconds: ADDRESS_LIFE });
        return reply.header('cache-control', 'no-store').redirect(address, 307);
      }
      const { start, end } = range ?? { start: 0, end: size - 1 };
      // Opened before anything of the answer is decided, so that a store that is away is still an error.
      const bytes = await reading(wanted, () => open(request, file, range));
      return reply
        .code(range === null ? 200 : 206)
        .type('application/octet-stream')
        .headers({
          ...always,
          'content-disposition': disposition,
          'content-length': end - start + 1,
          ...(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
        })
        .send(bytes);
    },
  };
}

/**
 * An address at the store is good for GET alone. A token would go along to the store in browsers before 2023, and stores refuse
 * requests that are signed and carry one. With `If-Range`, the store would compare a tag that is not its own.
 */
function mayBeSentOn({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.authorization === undefined && headers['if-range'] === undefined;
}

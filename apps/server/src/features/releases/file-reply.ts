/**
 * Answers with the bytes of a file or a range of them, either from the store or by a redirect to it. If the store
 * lacks the bytes of a version, the server is at fault, so the answer is not 404.
 */
import { Readable } from 'node:stream';
import type { Clock } from '@wirebench/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../api-error.ts';
import { BoundedMap } from '../../bounded-map.ts';
import { attachment } from '../../plugins/attachment.ts';
import { BlobDamagedError, type BlobStore, type ByteRange } from '../../storage/blobs/blob-store.ts';
import { type BlobFault, blobFaultOf } from '../../storage/blobs/inspect-blob.ts';
import { matchesTag, parseRange } from './byte-range.ts';
import type { StoredFile } from './shared-item.ts';

export interface FileRepliesOptions {
  readonly store: BlobStore;
  readonly clock: Clock;
  readonly onFault: (fault: BlobFault) => void;
}

export interface FileRequest {
  /**
   * Checks that the caller may have the file and locates its bytes. Rejects if there is no such file for the caller.
   */
  readonly find: () => Promise<StoredFile>;
  /** True: anyone may have the file, so it may come from the store itself. */
  readonly isPublic: boolean;
  /** Media type of a file that browsers show. Missing: the file is a download. */
  readonly type?: string;
}

export type FileReplies = ReturnType<typeof fileReplies>;

/** Seconds that an address at the store is valid. A file that becomes private can be fetched for at most as long. */
const ADDRESS_LIFE = 60;

/** Milliseconds for which bytes that were found in the store count as present. */
const SEEN_LIFE = 300_000;
/** Maximum number of keys cached as found. */
const MAX_SEEN = 10_000;

export function fileReplies({ store, clock, onFault }: FileRepliesOptions) {
  const seen = new BoundedMap<string, true>({ capacity: MAX_SEEN, clock });

  /** Checks that the bytes exist, so that a browser is never redirected to missing ones. Results are cached. */
  async function expectThere({ key, size }: StoredFile): Promise<void> {
    if (seen.get(key)) {
      return;
    }
    const found = await store.sizeOf(key);
    if (found !== size) {
      throw new BlobDamagedError(key, `there are ${found} bytes instead of ${size}`);
    }
    seen.set(key, true, clock.now() + SEEN_LIFE);
  }

  /** Runs `read`, and distinguishes bytes that were deleted with their version from missing bytes. */
  async function reading<Result>({ find }: FileRequest, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      const fault = blobFaultOf(error);
      if (fault === null) {
        throw error;
      }
      // Rejects if the version was deleted after its bytes were located.
      await find();
      onFault(fault);
      throw new ApiError('bytes-missing', { cause: error });
    }
  }

  /** Opens `range`, or the whole file. */
  async function open(request: FastifyRequest, { key, size }: StoredFile, range: ByteRange | null): Promise<Readable> {
    if (request.method === 'HEAD') {
      return Readable.from([]);
    }
    const bytes = await (range === null ? store.open(key, size) : store.open(key, size, range));
    bytes.once('error', (error) => {
      const fault = blobFaultOf(error);
      if (fault !== null) {
        // The answer has begun. Its connection is cut, so that the client does not take a part for the whole.
        onFault(fault);
        request.log.error({ err: error }, 'the bytes of a file are damaged');
      }
    });
    return bytes;
  }

  return {
    /**
     * Sends the file with its SHA-256 as entity tag. Caches have to revalidate every use, so that a private file
     * becomes inaccessible at once.
     */
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
      const disposition = wanted.type === undefined ? attachment(fileName) : 'inline';
      const { downloads } = store;
      if (downloads !== null && wanted.isPublic && mayBeSentOn(request)) {
        await reading(wanted, () => expectThere(file));
        const address = await downloads.addressOf(key, { disposition, seconds: ADDRESS_LIFE });
        return reply.header('cache-control', 'no-store').redirect(address, 307);
      }
      const { start, end } = range ?? { start: 0, end: size - 1 };
      // Opened before the answer begins, so that an unavailable store is still reported as an error.
      const bytes = await reading(wanted, () => open(request, file, range));
      return reply
        .code(range === null ? 200 : 206)
        .type(wanted.type ?? 'application/octet-stream')
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
 * Returns true if a redirect to the store is possible. Its addresses are valid for GET only. Browsers before 2023
 * would send the token to the store, and stores refuse signed requests with one. With `If-Range`, the store would
 * compare its own tag.
 */
function mayBeSentOn({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.authorization === undefined && headers['if-range'] === undefined;
}

/** Answers with the bytes of a file, or a part of them, straight from the store. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../api-error.ts';
import { BlobMissingError, type BlobStore } from '../../storage/blobs/blob-store.ts';
import { matchesTag, parseRange } from './byte-range.ts';
import { attachment } from './file-name.ts';
import type { StoredFile } from './shared-item.ts';

/** Its SHA-256 is the entity tag; every use is asked for anew, so that what was made private is gone. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { fileName, size, sha256, key }: StoredFile,
  store: BlobStore,
): Promise<FastifyReply> {
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
  const { start, end } = range ?? { start: 0, end: size - 1 };
  // Opened before anything of the answer is decided, so that a store that is away is still an error.
  const bytes = request.method === 'HEAD' ? Readable.from([]) : await open(store, key, { start, end });
  return reply
    .code(range === null ? 200 : 206)
    .type('application/octet-stream')
    .headers({
      ...always,
      'content-disposition': attachment(fileName),
      'content-length': end - start + 1,
      ...(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
    })
    .send(bytes);
}

async function open(store: BlobStore, key: string, range: { start: number; end: number }) {
  try {
    return await store.open(key, range);
  } catch (error) {
    // The version was removed between the question where its bytes are and this one.
    throw error instanceof BlobMissingError ? new ApiError('not-found', { cause: error }) : error;
  }
}

/**
 * Firmware bytes in a bucket of any S3-compatible store. Addresses are `{endpoint}/{bucket}/firmware/…`, which every store
 * understands. A put names length and SHA-256 of its bytes, so the store takes them whole or not at all.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../../config.ts';
import { BlobMissingError, type BlobStore, BlobStoreUnavailableError, blobPath } from './blob-store.ts';

export interface S3Options extends S3Config {
  /** Milliseconds before the first repetition of a call that failed; each further one waits twice as long. */
  readonly retryDelay?: number;
  /** Milliseconds that `check` waits for an answer: less than whoever asks for a probe or for metrics waits. */
  readonly probePatience?: number;
}

/** Times that a call is tried: stores shed load with 503 and close idle connections without a word. */
const ATTEMPTS = 3;
const RETRY_DELAY = 200;
const PROBE_PATIENCE = 3_000;

/** Milliseconds until an answer has to begin. A put answers when the store has all 16 MiB of it. */
const PATIENCE = { short: 10_000, put: 120_000 };

/** Codes that stores refuse bytes with for want of room: Ceph, MinIO, Garage. */
const FULL = /^(QuotaExceeded|XMinioStorageFull|InsufficientStorage)$/;

export function openS3Store(options: S3Options): BlobStore {
  const { endpoint, bucket, retryDelay = RETRY_DELAY, probePatience = PROBE_PATIENCE, ...credentials } = options;
  const client = new AwsClient({ ...credentials, service: 's3', retries: 0 });
  const root = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  const addressOf = (key: string) => `${root}/firmware/${blobPath(key)}`;

  /** The answer to a call that succeeded or was refused for good. `request` is made anew for every try. */
  async function call(url: string, patience: number, request: () => RequestInit): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const result = await once(url, patience, request());
      if (result instanceof Response) {
        return result;
      }
      if (attempt === ATTEMPTS || result.reason === 'full') {
        throw result;
      }
      await sleep(retryDelay * 2 ** (attempt - 1));
    }
  }

  async function once(url: string, patience: number, request: RequestInit) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Error(`No answer within ${patience} ms`)), patience);
    try {
      const answer = await client.fetch(url, { ...request, signal: controller.signal });
      return isTemporary(answer.status) ? unavailable(answer.status, await codeOf(answer)) : answer;
    } catch (error) {
      return new BlobStoreUnavailableError('away', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async keep(key, { path, size, sha256 }) {
      const answer = await call(addressOf(key), PATIENCE.put, () => ({
        method: 'PUT',
        body: Readable.toWeb(createReadStream(path)) as NonNullable<RequestInit['body']>,
        duplex: 'half',
        headers: { 'content-length': String(size), 'x-amz-content-sha256': sha256, 'if-none-match': '*' },
      }));
      // Precondition failed: the bytes are there, from an earlier try or from another process.
      if (!answer.ok && answer.status !== 412) {
        throw await refusal(answer, key);
      }
      await discardBody(answer);
    },

    async open(key, range) {
      // With a range, fetch asks for the bytes as they are by itself, after the request was signed.
      const headers =
        range === undefined ? { 'accept-encoding': 'identity' } : { range: `bytes=${range.start}-${range.end}` };
      const answer = await call(addressOf(key), PATIENCE.short, () => ({ headers }));
      if (answer.status !== (range === undefined ? 200 : 206) || answer.body === null) {
        throw await refusal(answer, key);
      }
      return Readable.fromWeb(answer.body as ReadableStream);
    },

    async remove(key) {
      const answer = await call(addressOf(key), PATIENCE.short, () => ({ method: 'DELETE' }));
      if (answer.ok) {
        await discardBody(answer);
        return;
      }
      const failure = await refusal(answer, key);
      if (!(failure instanceof BlobMissingError)) {
        throw failure;
      }
    },

    async check() {
      // Once: whoever asks asks again.
      const answer = await once(root, probePatience, { method: 'HEAD' });
      if (!(answer instanceof Response)) {
        throw answer;
      }
      if (!answer.ok) {
        throw await refusal(answer, bucket);
      }
    },
  };
}

/** 409: another put of the same key is under way (Amazon's `ConditionalRequestConflict`). */
function isTemporary(status: number): boolean {
  return status >= 500 || status === 409 || status === 429;
}

/** A bucket that is not there is a store that is away; only what is in one can be missing. */
async function refusal(answer: Response, key: string): Promise<BlobMissingError | BlobStoreUnavailableError> {
  const code = await codeOf(answer);
  return answer.status === 404 && code === 'NoSuchKey' ? new BlobMissingError(key) : unavailable(answer.status, code);
}

/** The cause says what the store said, for the log. */
function unavailable(status: number, code: string): BlobStoreUnavailableError {
  return new BlobStoreUnavailableError(status === 507 || FULL.test(code) ? 'full' : 'away', {
    cause: new Error(`The S3 store answered ${status} ${code}`.trim()),
  });
}

/** What the store calls its refusal; empty where it does not say. */
async function codeOf(answer: Response): Promise<string> {
  return /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1] ?? '';
}

/** Frees the connection for the next call. */
async function discardBody(answer: Response): Promise<void> {
  await answer.body?.cancel();
}

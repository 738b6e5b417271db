/**
 * Firmware bytes in a bucket of any S3-compatible store, below `firmware/`. A put names length and SHA-256 of its
 * bytes, so that the store accepts them completely or not at all.
 */

import { connectionFault } from '@wirebench/contract/connection-fault';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Config } from '../../config.ts';
import {
  BlobDamagedError,
  BlobMissingError,
  type BlobStore,
  BlobStoreUnavailableError,
  blobPath,
  type Downloads,
  hashOfKey,
  type StoredBlob,
} from './blob-store.ts';
import { exactly } from './exact-length.ts';
import { bucketAddress, refusal, type S3Answer, S3Client, type S3ClientOptions } from './s3-client.ts';

/** Times in milliseconds that differ from the defaults. */
export interface S3Times extends Pick<S3ClientOptions, 'retryDelay' | 'idleTimeout'> {
  /** Milliseconds that `check` waits for an answer: less than probes and metrics wait. */
  readonly probeTimeout?: number;
}

export interface S3Options extends S3Config, S3Times {}

const PROBE_TIMEOUT = 3_000;
const PREFIX = 'firmware/';

/**
 * Addresses of a bucket's objects that browsers may open for a while: signed GETs (AWS Signature Version 4,
 * "Authenticating requests: using query parameters"). The signature covers key, lifetime, type and file name, so that
 * none of them can be changed.
 */

/** Milliseconds that the check waits for the store. */
const TIMEOUT = 5_000;

/** @param publicUrl Address of the store for browsers. */
function s3Downloads(publicUrl: string, { bucket, region, ...credentials }: S3Config): Downloads {
  const root = bucketAddress(publicUrl, bucket);
  const { accessKeyId, secretAccessKey } = credentials;
  // Signing keys, one per day. A `Map`, because the signer requires one.
  const cache = new Map<string, ArrayBuffer>();
  return {
    async addressOf(key, { disposition, seconds }) {
      const url = new URL(`${root}/firmware/${blobPath(key)}`);
      url.searchParams.set('X-Amz-Expires', String(seconds));
      url.searchParams.set('response-content-disposition', disposition);
      url.searchParams.set('response-content-type', 'application/octet-stream');
      url.searchParams.set('response-cache-control', 'private, no-store');
      const signer = new AwsV4Signer({
        method: 'GET',
        url: url.href,
        signQuery: true,
        service: 's3',
        region,
        accessKeyId,
        secretAccessKey,
        cache,
      });
      const signed = await signer.sign();
      if (cache.size > 1) {
        cache.clear();
      }
      // Encoded as in the signature: stores interpret a plus differently.
      return signed.url.href.replaceAll('+', '%20');
    },

    async checkAccessFrom(origin) {
      const answer = await fetch(`${root}/firmware/`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'range',
        },
        signal: AbortSignal.timeout(TIMEOUT),
      }).catch((error: unknown) => {
        const { what, remedy } = connectionFault(error, publicUrl) ?? { what: 'It does not answer.', remedy: '' };
        throw new Error(`S3_PUBLIC_URL ${publicUrl} cannot be used: ${what} ${remedy}`.trimEnd(), { cause: error });
      });
      await answer.body?.cancel();
      const allowed = answer.headers.get('access-control-allow-origin');
      if (!answer.ok || (allowed !== '*' && allowed !== origin)) {
        throw new Error(
          `The bucket does not allow pages of ${origin} to read it: add the CORS rules in docs/operating.md, "Files from the store itself"`,
        );
      }
    },
  };
}

export function openS3Store({ probeTimeout = PROBE_TIMEOUT, ...options }: S3Options): BlobStore {
  const { publicUrl, ...clientOptions } = options;
  const client = new S3Client(clientOptions);
  const pathOf = (key: string) => `/${PREFIX}${blobPath(key)}`;

  async function check(): Promise<void> {
    const answer = await client.callOnce({ method: 'HEAD', path: '' }, probeTimeout);
    if (answer.status === 403 || answer.status === 404) {
      await answer.discard();
      // An answer to HEAD has no body. The body of a list contains the reason.
      const list = await client.callOnce(
        { method: 'GET', path: `?list-type=2&max-keys=1&prefix=${PREFIX}` },
        probeTimeout,
      );
      await expectSuccess(list, options.bucket);
      return;
    }
    await expectSuccess(answer, options.bucket);
  }

  return {
    async keep(key, { path, size, sha256 }) {
      const answer = await client.call({
        method: 'PUT',
        path: pathOf(key),
        file: path,
        headers: { 'content-length': String(size), 'x-amz-content-sha256': sha256, 'if-none-match': '*' },
      });
      // Precondition failed: an earlier attempt or another process has stored the bytes.
      if (answer.status === 412) {
        await answer.discard();
        return;
      }
      await expectSuccess(answer, key);
    },

    async open(key, size, range) {
      // With a range, fetch itself adds this header after the request was signed.
      const headers: Record<string, string> =
        range === undefined ? { 'accept-encoding': 'identity' } : { range: `bytes=${range.start}-${range.end}` };
      const answer = await client.call({ method: 'GET', path: pathOf(key), headers });
      if (answer.status === 416) {
        await answer.discard();
        throw new BlobDamagedError(key, `there are fewer than ${size} bytes`);
      }
      if (answer.status !== (range === undefined ? 200 : 206)) {
        throw await refusal(answer, key);
      }
      const found = sizeIn(answer, range !== undefined);
      if (found !== null && found !== size) {
        await answer.discard();
        throw new BlobDamagedError(key, `there are ${found} bytes instead of ${size}`);
      }
      return exactly(answer.stream(), range === undefined ? size : range.end - range.start + 1, key);
    },

    async sizeOf(key) {
      const answer = await client.call({ method: 'HEAD', path: pathOf(key) });
      if (answer.status === 404) {
        // An answer without a body does not tell whether the object or the bucket is missing.
        await check();
        throw new BlobMissingError(key);
      }
      const size = sizeIn(answer, false);
      await expectSuccess(answer, key);
      if (size === null) {
        throw new BlobStoreUnavailableError('away', { cause: new Error('The S3 store sent no content length') });
      }
      return size;
    },

    list: () => listBucket(client),

    async remove(key) {
      const answer = await client.call({ method: 'DELETE', path: pathOf(key) });
      try {
        await expectSuccess(answer, key);
      } catch (error) {
        if (!(error instanceof BlobMissingError)) {
          throw error;
        }
      }
    },

    check,

    downloads: publicUrl === null ? null : s3Downloads(publicUrl, options),
  };
}

async function expectSuccess(answer: S3Answer, key: string): Promise<void> {
  if (answer.status >= 300) {
    throw await refusal(answer, key);
  }
  await answer.discard();
}

/**
 * Returns the length of the whole object in bytes. A partial answer names it after the slash of `Content-Range`. Null
 * if the store does not name it.
 */
function sizeIn({ headers }: S3Answer, isPart: boolean): number | null {
  const said = isPart ? headers.get('content-range')?.split('/')[1] : headers.get('content-length');
  return said !== undefined && said !== null && /^\d+$/.test(said) ? Number(said) : null;
}

/** Lists objects with ListObjectsV2 (Amazon S3 API Reference), page by page. */
async function* listBucket(client: S3Client): AsyncGenerator<StoredBlob> {
  let after = '';
  let isTruncated = true;
  while (isTruncated) {
    const query = new URLSearchParams({ 'list-type': '2', prefix: PREFIX, 'encoding-type': 'url' });
    if (after !== '') {
      query.set('start-after', after);
    }
    const answer = await client.call({ method: 'GET', path: `?${query}` });
    if (answer.status !== 200) {
      throw await refusal(answer, PREFIX);
    }
    const page = await answer.text();
    for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const name = decodeURIComponent(elementOf(entry, 'Key').replaceAll('+', ' '));
      after = name;
      const key = name.slice(name.lastIndexOf('/') + 1);
      if (hashOfKey(key) !== null && name === `${PREFIX}${blobPath(key)}`) {
        yield { key, size: Number(elementOf(entry, 'Size')), storedAt: Date.parse(elementOf(entry, 'LastModified')) };
      }
    }
    isTruncated = elementOf(page, 'IsTruncated') === 'true';
  }
}

function elementOf(xml: string, element: string): string {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? '';
}

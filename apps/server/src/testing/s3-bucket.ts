/** A bucket in a real S3 store, for the tests that need one. */
import { createHash, randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { inject } from 'vitest';
import type { Environment, S3Config } from '../config.ts';
import { blobPath } from '../storage/blobs/blob-store.ts';
import type { GivenStore } from './s3-setup.ts';

export interface TestBucket {
  readonly settings: S3Config;
  /** Settings of a server that uses the bucket. */
  readonly environment: Environment;
  /** Returns the keys of all objects. */
  keys(): Promise<string[]>;
  /** Replaces or removes the bytes of an object, bypassing the product. */
  tamper(key: string, bytes: Uint8Array | null): Promise<void>;
  /** Allows pages of `origin` to read the bucket, as in docs/operating.md. */
  allowReadsFrom(origin: string): Promise<void>;
}

const broker = inject('s3');

/** True: `createBucket` can create a bucket. */
export const hasS3 = broker !== null;

/** Creates a bucket, which is removed with the gateway. The first call starts the gateway, which takes some seconds. */
export async function createBucket(): Promise<TestBucket> {
  const answer = await fetch(broker ?? '');
  if (!answer.ok) {
    throw new Error(await answer.text());
  }
  const { bucket: given, ...account } = (await answer.json()) as GivenStore;
  const bucket = given ?? `wirebench-${randomBytes(6).toString('hex')}`;
  const client = new AwsClient({ ...account, service: 's3', retries: 0 });
  const call = async (method: string, query = '', body: Uint8Array | null = null) => {
    const answer = await client.fetch(`${account.endpoint}/${bucket}${query}`, {
      method,
      // Changes of a bucket's configuration require their hash.
      ...(body === null
        ? {}
        : {
            body: new Uint8Array(body),
            headers: { 'content-md5': createHash('md5').update(body).digest('base64') },
          }),
    });
    if (!answer.ok) {
      throw new Error(`${method} ${bucket}: ${answer.status} ${await answer.text()}`);
    }
    return answer.text();
  };
  if (given === null) {
    await call('PUT');
  }
  const corsRules = (origin: string) =>
    `<CORSConfiguration><CORSRule><AllowedOrigin>${origin}</AllowedOrigin><AllowedMethod>GET</AllowedMethod>` +
    '<AllowedHeader>range</AllowedHeader><AllowedHeader>if-range</AllowedHeader>' +
    '<ExposeHeader>Content-Range</ExposeHeader><ExposeHeader>Accept-Ranges</ExposeHeader>' +
    '<ExposeHeader>Content-Disposition</ExposeHeader></CORSRule></CORSConfiguration>';
  return {
    settings: { ...account, bucket, publicUrl: null },
    environment: {
      S3_ENDPOINT: account.endpoint,
      S3_BUCKET: bucket,
      S3_REGION: account.region,
      S3_ACCESS_KEY_ID: account.accessKeyId,
      S3_SECRET_ACCESS_KEY: account.secretAccessKey,
    },
    tamper: async (key, bytes) => {
      const path = `/firmware/${blobPath(key)}`;
      await (bytes === null ? call('DELETE', path) : call('PUT', path, bytes));
    },
    allowReadsFrom: async (origin) => {
      await call('PUT', '?cors', Buffer.from(corsRules(origin)));
    },
    keys: async () =>
      [...(await call('GET', '?list-type=2')).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key ?? ''),
  };
}

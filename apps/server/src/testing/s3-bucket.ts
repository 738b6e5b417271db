/** A bucket in a real S3 store, for the tests that need one. */
import { randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { inject } from 'vitest';
import type { Environment, S3Config } from '../config.ts';
import type { GivenStore } from './s3-setup.ts';

export interface TestBucket {
  readonly settings: S3Config;
  /** What a server that uses it is configured with. */
  readonly environment: Environment;
  /** Keys of everything in it. */
  keys(): Promise<string[]>;
}

const broker = inject('s3');

/** Whether `createBucket` can give one. */
export const hasS3 = broker !== null;

/** A bucket of the caller's own; it goes with the gateway. The gateway takes some seconds to start the first time. */
export async function createBucket(): Promise<TestBucket> {
  const answer = await fetch(broker ?? '');
  if (!answer.ok) {
    throw new Error(await answer.text());
  }
  const { bucket: given, ...account } = (await answer.json()) as GivenStore;
  const bucket = given ?? `wirebench-${randomBytes(6).toString('hex')}`;
  const client = new AwsClient({ ...account, service: 's3', retries: 0 });
  const call = async (method: string, query = '') => {
    const answer = await client.fetch(`${account.endpoint}/${bucket}${query}`, { method });
    if (!answer.ok) {
      throw new Error(`${method} ${bucket}: ${answer.status} ${await answer.text()}`);
    }
    return answer.text();
  };
  if (given === null) {
    await call('PUT');
  }
  return {
    settings: { ...account, bucket },
    environment: {
      S3_ENDPOINT: account.endpoint,
      S3_BUCKET: bucket,
      S3_REGION: account.region,
      S3_ACCESS_KEY_ID: account.accessKeyId,
      S3_SECRET_ACCESS_KEY: account.secretAccessKey,
    },
    keys: async () =>
      [...(await call('GET', '?list-type=2')).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key ?? ''),
  };
}

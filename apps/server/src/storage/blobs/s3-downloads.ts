/**
 * Addresses of a bucket's objects that browsers may open for a while: signed GETs (AWS Signature Version 4,
 * "Authenticating requests: using query parameters"). The signature covers key, lifetime, type and file name, so that
 * none of them can be changed.
 */
import { AwsV4Signer } from 'aws4fetch';
import type { S3Config } from '../../config.ts';
import { blobPath, type Downloads } from './blob-store.ts';
import { bucketAddress } from './s3-client.ts';

/** Milliseconds that the check waits for the store. */
const TIMEOUT = 5_000;

/** @param publicUrl Address of the store for browsers. */
export function s3Downloads(publicUrl: string, { bucket, region, ...credentials }: S3Config): Downloads {
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
        throw new Error(`S3_PUBLIC_URL ${publicUrl} does not answer`, { cause: error });
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

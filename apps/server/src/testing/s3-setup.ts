/**
 * Provides an S3 store for the tests of the server and starts it for the first test that needs it. The store is the
 * one in the `S3_TEST_*` variables, otherwise an own gateway if its programs are installed.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { isGatewayInstalled, type S3Account, type S3Gateway, startGateway } from './s3-gateway.ts';

/** Settings in `S3_TEST_*`: an account, and a bucket if none may be created. */
export interface GivenStore extends S3Account {
  readonly bucket: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that answers with a `GivenStore` as JSON; null if no store is available. */
    s3: string | null;
  }
}

let gateway: Promise<S3Gateway> | null = null;
let close: (() => void) | null = null;

export async function setup({ provide }: TestProject): Promise<void> {
  const given = givenStore();
  if (given === null && !isGatewayInstalled()) {
    console.warn('No S3 gateway here: its suites are skipped. Install radosgw, or set the S3_TEST_* variables.');
    provide('s3', null);
    return;
  }
  const server = createServer(async (_request, response) => {
    try {
      response.end(JSON.stringify(given ?? { ...(await ownGateway()), bucket: null }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  provide('s3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

export async function teardown(): Promise<void> {
  close?.();
  await (await gateway)?.[Symbol.asyncDispose]();
}

async function ownGateway(): Promise<S3Account> {
  gateway ??= startGateway();
  return (await gateway).account;
}

function givenStore(): GivenStore | null {
  const {
    S3_TEST_ENDPOINT: endpoint,
    S3_TEST_REGION: region = 'us-east-1',
    S3_TEST_ACCESS_KEY_ID: accessKeyId,
    S3_TEST_SECRET_ACCESS_KEY: secretAccessKey,
    S3_TEST_BUCKET: bucket = null,
  } = process.env;
  return endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined
    ? null
    : { endpoint, region, accessKeyId, secretAccessKey, bucket };
}

/** How the S3 store copes with stores that misbehave; that it speaks S3 at all is shown in `blob-store.test.ts`. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { BlobMissingError, newBlobKey } from './blob-store.ts';
import { openS3Store } from './s3-store.ts';
import { openSpool } from './spool.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const bytes = randomBytes(300_000);
const refuse =
  (status: number, code: string): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
const accept: Answer = (_request, response) => response.writeHead(200).end();
const hangUp: Answer = (request) => request.socket.destroy();

/** A store that gives one answer after the other, the last one ever after. */
async function start(...answers: readonly Answer[]) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? accept;
    const entry = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.alloc(0),
    };
    requests.push(entry);
    if (answer !== hangUp) {
      entry.body = await buffer(request);
    }
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await temporaryFolder();
  const spool = await openSpool(join(folder.path, 'incoming'), new VirtualClock());
  const file = await spool.receive(
    (async function* () {
      yield bytes;
    })(),
  );
  const store = openS3Store({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    bucket: 'bench',
    region: 'eu-central-1',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secret of the test',
    retryDelay: 0,
    probePatience: 500,
  });
  return {
    store,
    file,
    key: newBlobKey(file.sha256),
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('a put', () => {
  it('names length, hash and condition, so that the store takes it whole, once, or not at all', async () => {
    await using test = await start(accept);
    await test.store.keep(test.key, test.file);
    expect(test.requests).toHaveLength(1);
    expect(test.requests[0]).toMatchObject({
      method: 'PUT',
      url: `/bench/firmware/${test.key.slice(0, 2)}/${test.key}`,
      headers: {
        'content-length': String(bytes.length),
        'x-amz-content-sha256': test.file.sha256,
        'if-none-match': '*',
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, /,
        ),
      },
    });
    expect(test.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
    expect(test.requests[0]?.body.equals(bytes)).toBe(true);
  });

  it('that somebody else has done already is done', async () => {
    await using test = await start(refuse(412, 'PreconditionFailed'));
    await expect(test.store.keep(test.key, test.file)).resolves.toBeUndefined();
  });

  it.each([
    ['sheds load', refuse(503, 'SlowDown')],
    ['fails', refuse(500, 'InternalError')],
    ['hangs up', hangUp],
    ['takes another one of it at the moment', refuse(409, 'ConditionalRequestConflict')],
  ])('to a store that %s is sent again, whole', async (_name, answer) => {
    await using test = await start(answer, answer, accept);
    await test.store.keep(test.key, test.file);
    expect(test.requests).toHaveLength(3);
    expect(test.requests[2]?.body.equals(bytes)).toBe(true);
  });

  it.each([
    ['stays away', hangUp, 3, 'away'],
    ['keeps failing', refuse(500, 'InternalError'), 3, 'away'],
    ['refuses the keys', refuse(403, 'SignatureDoesNotMatch'), 1, 'away'],
    ['got other bytes', refuse(400, 'XAmzContentSHA256Mismatch'), 1, 'away'],
    ['has no such bucket', refuse(404, 'NoSuchBucket'), 1, 'away'],
    ['is full', refuse(507, 'XMinioStorageFull'), 1, 'full'],
    ['has a quota', refuse(403, 'QuotaExceeded'), 1, 'full'],
  ])('to a store that %s fails', async (_name, answer, tries, reason) => {
    await using test = await start(answer);
    await expect(test.store.keep(test.key, test.file)).rejects.toMatchObject({
      name: 'BlobStoreUnavailableError',
      reason,
    });
    expect(test.requests).toHaveLength(tries);
  });

  it('fails with what the store said as its cause, and without the keys', async () => {
    await using test = await start(refuse(403, 'InvalidAccessKeyId'));
    const error = await test.store.keep(test.key, test.file).catch((failure: unknown) => failure);
    expect(String((error as Error).cause)).toBe('Error: The S3 store answered 403 InvalidAccessKeyId');
  });
});

describe('a probe', () => {
  it.each([
    ['says nothing', () => undefined],
    ['sheds load', refuse(503, 'SlowDown')],
    ['hangs up', hangUp],
  ])('of a store that %s fails soon, after one try', async (_name, answer) => {
    await using test = await start(answer);
    await expect(test.store.check()).rejects.toMatchObject({ name: 'BlobStoreUnavailableError', reason: 'away' });
    expect(test.requests).toHaveLength(1);
  });
});

describe('reading', () => {
  it('tells a file that is gone from a bucket that is', async () => {
    await using gone = await start(refuse(404, 'NoSuchKey'));
    await expect(gone.store.open(gone.key)).rejects.toBeInstanceOf(BlobMissingError);
    await using away = await start(refuse(404, 'NoSuchBucket'));
    await expect(away.store.open(away.key)).rejects.toMatchObject({ reason: 'away' });
    await expect(away.store.check()).rejects.toMatchObject({ reason: 'away' });
    await expect(away.store.remove(away.key)).rejects.toMatchObject({ reason: 'away' });
  });

  it('takes no whole file for the part that it asked for', async () => {
    await using test = await start((_request, response) => response.writeHead(200).end(bytes));
    await expect(test.store.open(test.key, { start: 1, end: 2 })).rejects.toMatchObject({ reason: 'away' });
  });

  it('ends with an error when the store hangs up in the middle', async () => {
    await using test = await start((_request, response) => {
      response.writeHead(200, { 'content-length': String(bytes.length) });
      response.write(bytes.subarray(0, 1_000), () => response.socket?.destroy());
    });
    await expect(buffer(await test.store.open(test.key))).rejects.toThrow();
  });
});

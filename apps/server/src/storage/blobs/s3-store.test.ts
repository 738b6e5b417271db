/** The S3 store with servers that misbehave. Its normal behaviour is tested in `blob-store.test.ts`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { VirtualClock } from '@wirebench/clock';
import { randomBytes } from '@wirebench/test-input';
import { describe, expect, it, vi } from 'vitest';
import { listOf } from '../../testing/blob-stores.ts';
import { startSilentServer } from '../../testing/silent-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { BlobDamagedError, BlobMissingError, newBlobKey } from './blob-store.ts';
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

/** Answers that read the body themselves, or not at all. */
const readsItself = new WeakSet<Answer>([hangUp]);

/** Starts a store that gives these answers in order and repeats the last one. */
function start(...answers: readonly Answer[]) {
  return startWith({ idleTimeout: 500 }, ...answers);
}

async function startWith({ idleTimeout }: { idleTimeout: number }, ...answers: readonly Answer[]) {
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
    if (!readsItself.has(answer)) {
      entry.body = await buffer(request);
    }
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await temporaryFolder();
  const spool = await openSpool(join(folder.path, 'incoming'), new VirtualClock());
  const receive = (content: Uint8Array) =>
    spool.receive(
      (async function* () {
        yield content;
      })(),
    );
  const file = await receive(bytes);
  const store = openS3Store({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    bucket: 'bench',
    region: 'eu-central-1',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secret of the test',
    publicUrl: null,
    retryDelay: 0,
    idleTimeout,
    probeTimeout: 500,
  });
  return {
    store,
    file,
    receive,
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
  it('sends length, hash and condition, so that the store accepts it whole, once, or not at all', async () => {
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

  it('succeeds if another process has stored the same bytes', async () => {
    await using test = await start(refuse(412, 'PreconditionFailed'));
    await expect(test.store.keep(test.key, test.file)).resolves.toBeUndefined();
  });

  it.each([
    ['sheds load', refuse(503, 'SlowDown')],
    ['fails', refuse(500, 'InternalError')],
    ['hangs up', hangUp],
    ['takes another one of it at the moment', refuse(409, 'ConditionalRequestConflict')],
  ])('is sent again whole to a store that %s', async (_name, answer) => {
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
  ])('fails at a store that %s', async (_name, answer, tries, reason) => {
    await using test = await start(answer);
    await expect(test.store.keep(test.key, test.file)).rejects.toMatchObject({
      name: 'BlobStoreUnavailableError',
      reason,
    });
    expect(test.requests).toHaveLength(tries);
  });

  it('fails with the answer of the store as its cause, and without the keys', async () => {
    await using test = await start(refuse(403, 'InvalidAccessKeyId'));
    const error = await test.store.keep(test.key, test.file).catch((failure: unknown) => failure);
    expect(String((error as Error).cause)).toBe('Error: The S3 store answered 403 InvalidAccessKeyId');
  });
});

describe('a check of the store', () => {
  it.each([
    ['says nothing', () => undefined],
    ['sheds load', refuse(503, 'SlowDown')],
    ['hangs up', hangUp],
  ])('fails soon, after one try, if the store %s', async (_name, answer) => {
    await using test = await start(answer);
    await expect(test.store.check()).rejects.toMatchObject({ name: 'BlobStoreUnavailableError', reason: 'away' });
    expect(test.requests).toHaveLength(1);
  });
});

describe('a store with a wrong configuration', () => {
  const head =
    (status: number): Answer =>
    (_request, response) =>
      response.writeHead(status).end();

  it.each([
    ['has no such bucket', 404, 'NoSuchBucket', 'no-bucket'],
    ['has another time', 403, 'RequestTimeTooSkewed', 'wrong-clock'],
    ['takes the time for one long ago', 403, 'RequestExpired', 'wrong-clock'],
    ['does not know the key', 403, 'InvalidAccessKeyId', 'keys-refused'],
    ['does not accept the secret', 403, 'SignatureDoesNotMatch', 'keys-refused'],
    ['allows nothing', 403, 'AccessDenied', 'keys-refused'],
  ])('is reported when it %s: for a check, a put and a read', async (_what, status, code, fault) => {
    // An answer to HEAD has no body.
    await using probed = await start(head(status), refuse(status, code));
    await expect(probed.store.check()).rejects.toMatchObject({ name: 'BlobStoreUnavailableError', fault });
    await using test = await start(refuse(status, code));
    await expect(test.store.keep(test.key, test.file)).rejects.toMatchObject({ fault });
    await expect(test.store.open(test.key, 1)).rejects.toMatchObject({ fault });
  });

  it('differs from one that is away or full', async () => {
    for (const answer of [hangUp, refuse(503, 'SlowDown'), refuse(403, 'QuotaExceeded'), head(503)]) {
      await using test = await start(answer);
      await expect(test.store.check()).rejects.toMatchObject({ fault: null });
    }
  });
});

describe('reading', () => {
  it('distinguishes a missing file from a missing bucket', async () => {
    await using gone = await start(refuse(404, 'NoSuchKey'));
    await expect(gone.store.open(gone.key, 1)).rejects.toBeInstanceOf(BlobMissingError);
    await using away = await start(refuse(404, 'NoSuchBucket'));
    await expect(away.store.open(away.key, 1)).rejects.toMatchObject({ reason: 'away' });
    await expect(away.store.check()).rejects.toMatchObject({ reason: 'away' });
    await expect(away.store.remove(away.key)).rejects.toMatchObject({ reason: 'away' });
  });

  it('rejects a whole file as the answer to a part', async () => {
    await using test = await start((_request, response) => response.writeHead(200).end(bytes));
    await expect(test.store.open(test.key, bytes.length, { start: 1, end: 2 })).rejects.toMatchObject({
      reason: 'away',
    });
  });

  it('ends with an error if the store closes the connection in the middle', async () => {
    await using test = await start((_request, response) => {
      response.writeHead(200, { 'content-length': String(bytes.length) });
      response.write(bytes.subarray(0, 1_000), () => response.socket?.destroy());
    });
    await expect(buffer(await test.store.open(test.key, bytes.length))).rejects.toThrow();
  });

  it('returns nothing of an object that is cut off', async () => {
    await using test = await start((_request, response) =>
      response.writeHead(200, { 'content-length': '1000' }).end(bytes.subarray(0, 1_000)),
    );
    // Without a length, only the end reveals the damage.
    const chunked = start((_request, response) => {
      response.writeHead(200);
      response.write(bytes.subarray(0, 1_000));
      response.end();
    });
    await using other = await chunked;
    await expect(test.store.open(test.key, bytes.length)).rejects.toBeInstanceOf(BlobDamagedError);
    await expect(buffer(await other.store.open(other.key, bytes.length))).rejects.toBeInstanceOf(BlobDamagedError);
  });

  it('does not wait for a store that stops in the middle', async () => {
    await using test = await start((_request, response) => {
      response.writeHead(200, { 'content-length': String(bytes.length) });
      response.write(bytes.subarray(0, 1_000));
    });
    const stream = await test.store.open(test.key, bytes.length);
    await expect(buffer(stream)).rejects.toMatchObject({ name: 'BlobStoreUnavailableError', reason: 'away' });
  });

  it('does not count the time of a slow reader against the store', async () => {
    await using test = await start((_request, response) => response.writeHead(200).end(bytes));
    const stream = await test.store.open(test.key, bytes.length);
    let received = 0;
    for await (const piece of stream) {
      // One pause longer than the timeout of the store.
      await sleep(received === 0 ? 800 : 0);
      received += (piece as Buffer).length;
    }
    expect(received).toBe(bytes.length);
  });
});

describe('a store that hangs', () => {
  const hang: Answer = () => undefined;

  it('is away after one try, whatever it is asked for', async () => {
    await using test = await start(hang);
    const away = { name: 'BlobStoreUnavailableError', reason: 'away' };
    const calls = [
      () => test.store.keep(test.key, test.file),
      () => test.store.open(test.key, 1),
      () => test.store.sizeOf(test.key),
      () => test.store.remove(test.key),
      () => listOf(test.store),
    ];
    for (const [index, call] of calls.entries()) {
      await expect(call()).rejects.toMatchObject(away);
      expect(test.requests).toHaveLength(index + 1);
    }
  });
});

describe('a put to a slow store', () => {
  it('continues as long as it makes progress', async () => {
    // The pauses are together longer than the timeout. There are far more bytes than the sockets in between buffer
    // (Linux: up to 32 MB and 4 MB). Reading the buffers is progress that only the store sees, so it must take less
    // than the timeout.
    const [size, piece, pause] = [96_000_000, 6_000_000, 250];
    let received = 0;
    const slowly: Answer = async (request, response) => {
      let sinceRest = 0;
      for await (const chunk of request) {
        received += (chunk as Buffer).length;
        sinceRest += (chunk as Buffer).length;
        if (sinceRest > piece) {
          sinceRest = 0;
          await sleep(pause);
        }
      }
      response.writeHead(200).end();
    };
    readsItself.add(slowly);
    await using test = await startWith({ idleTimeout: 3_000 }, slowly);
    await using large = await test.receive(Buffer.alloc(size, 1));
    await expect(test.store.keep(newBlobKey(large.sha256), large)).resolves.toBeUndefined();
    expect([test.requests.length, received]).toEqual([1, size]);
  }, 30_000);
});

it('waits eight seconds for the progress of a call, and three for the answer to a probe', async () => {
  const silent = await startSilentServer();
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret', publicUrl: null };
  const store = openS3Store({ endpoint: silent.address, bucket: 'bench', region: 'default', ...credentials });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const fails = (work: Promise<unknown>) => expect(work).rejects.toThrow();
  const calls = [fails(store.check()), fails(store.open(newBlobKey('0'.repeat(64)), 1))];
  const delays = timers.mock.calls.map(([, delay]) => delay);
  timers.mockRestore();
  expect(delays).toEqual(expect.arrayContaining([3_000, 8_000]));
  await silent[Symbol.asyncDispose]();
  await Promise.all(calls);
});

import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { VirtualClock } from '@wirebench/clock';
import { randomBytes } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listOf, storeKinds } from '../../testing/blob-stores.ts';
import { BlobDamagedError, BlobMissingError, type BlobStore, blobPath, newBlobKey } from './blob-store.ts';
import { inspectBlob } from './inspect-blob.ts';
import { openSpool, type Spool } from './spool.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* chunksOf(bytes: Uint8Array, size = 65_536) {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

async function keep(store: BlobStore, spool: Spool, bytes: Uint8Array, key = newBlobKey(sha256(bytes))) {
  await using file = await spool.receive(chunksOf(bytes));
  await store.keep(key, file);
  return key;
}

// Starting a gateway takes some seconds, once.
const timeout = 60_000;

describe.each(storeKinds)('store in $name', ({ open }) => {
  async function start() {
    const opened = await open();
    const spool = await openSpool(opened.folder, new VirtualClock());
    return { ...opened, spool, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }

  it(
    'passes its check',
    async () => {
      await using test = await start();
      await expect(test.store.check()).resolves.toBeUndefined();
    },
    timeout,
  );

  it(
    'returns the bytes that it stored, of any length',
    async () => {
      await using test = await start();
      for (const length of [0, 1, 65_536, 1_000_003]) {
        const bytes = randomBytes(length);
        const key = await keep(test.store, test.spool, bytes);
        expect(sha256(await buffer(await test.store.open(key, length)))).toBe(sha256(bytes));
        expect(await test.store.sizeOf(key)).toBe(length);
      }
    },
    timeout,
  );

  it(
    'returns any part',
    async () => {
      await using test = await start();
      const bytes = randomBytes(5_000);
      const key = await keep(test.store, test.spool, bytes);
      const ends = fc.tuple(fc.nat(bytes.length - 1), fc.nat(bytes.length - 1));
      await fc.assert(
        fc.asyncProperty(ends, async ([one, other]) => {
          const [start, end] = [Math.min(one, other), Math.max(one, other)];
          const part = await buffer(await test.store.open(key, bytes.length, { start, end }));
          expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
        }),
        { numRuns: 20, examples: [[[0, 0]], [[0, 4_999]], [[4_999, 4_999]]] },
      );
    },
    timeout,
  );

  it(
    'accepts the same bytes twice under one key, one after the other and at once',
    async () => {
      await using test = await start();
      const bytes = randomBytes(100_000);
      const key = await keep(test.store, test.spool, bytes);
      await Promise.all(Array.from({ length: 5 }, () => keep(test.store, test.spool, bytes, key)));
      expect((await buffer(await test.store.open(key, bytes.length))).equals(bytes)).toBe(true);
    },
    timeout,
  );

  it(
    'reports a missing key, before and after',
    async () => {
      await using test = await start();
      const bytes = randomBytes(100);
      await expect(test.store.open(newBlobKey(sha256(bytes)), 100)).rejects.toBeInstanceOf(BlobMissingError);
      const key = await keep(test.store, test.spool, bytes);
      await test.store.remove(key);
      await expect(test.store.open(key, 100)).rejects.toBeInstanceOf(BlobMissingError);
      await expect(test.store.sizeOf(key)).rejects.toBeInstanceOf(BlobMissingError);
      await expect(test.store.remove(key)).resolves.toBeUndefined();
    },
    timeout,
  );

  it(
    'removes one key and keeps its neighbours with the same hash',
    async () => {
      await using test = await start();
      const bytes = randomBytes(100);
      const [first, second] = [await keep(test.store, test.spool, bytes), await keep(test.store, test.spool, bytes)];
      await test.store.remove(first);
      expect((await buffer(await test.store.open(second, bytes.length))).equals(bytes)).toBe(true);
    },
    timeout,
  );

  it(
    'closes a stream that is not read to its end',
    async () => {
      await using test = await start();
      const key = await keep(test.store, test.spool, randomBytes(2_000_000));
      for (let times = 0; times < 20; times++) {
        const stream = await test.store.open(key, 2_000_000);
        for await (const _chunk of stream) {
          break;
        }
        expect(stream.destroyed).toBe(true);
      }
      await expect(test.store.check()).resolves.toBeUndefined();
    },
    timeout,
  );

  it(
    'lists its keys without removed ones',
    async () => {
      await using test = await start();
      const listed = async () => {
        const entries = await listOf(test.store);
        return new Map(entries.map(({ key, size }) => [key, size]));
      };
      expect(await listed()).toEqual(new Map());
      const kept = new Map<string, number>();
      for (const length of [0, 10, 70_000]) {
        kept.set(await keep(test.store, test.spool, randomBytes(length)), length);
      }
      const gone = await keep(test.store, test.spool, randomBytes(10));
      await test.store.remove(gone);
      expect(await listed()).toEqual(kept);
      const [entry] = await listOf(test.store);
      // Within a day, to allow for a wrong clock of the store.
      expect(Math.abs((entry?.storedAt ?? 0) - Date.now())).toBeLessThan(86_400_000);
    },
    timeout,
  );

  it(
    'reports bytes as missing that were removed externally',
    async () => {
      await using test = await start();
      const key = await keep(test.store, test.spool, randomBytes(1_000));
      await test.tamper(key, null);
      await expect(test.store.open(key, 1_000)).rejects.toBeInstanceOf(BlobMissingError);
      await expect(test.store.open(key, 1_000, { start: 5, end: 9 })).rejects.toBeInstanceOf(BlobMissingError);
      expect(await inspectBlob(test.store, { key, size: 1_000 })).toBe('missing');
    },
    timeout,
  );

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 600)],
    ['emptied', () => Buffer.alloc(0)],
    ['too long', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
  ])(
    'returns nothing of bytes that are %s',
    async (_name, damage) => {
      await using test = await start();
      const bytes = randomBytes(1_000);
      const key = await keep(test.store, test.spool, bytes);
      await test.tamper(key, damage(bytes));
      await expect(test.store.open(key, 1_000)).rejects.toBeInstanceOf(BlobDamagedError);
      await expect(test.store.open(key, 1_000, { start: 0, end: 99 })).rejects.toBeInstanceOf(BlobDamagedError);
      expect(await inspectBlob(test.store, { key, size: 1_000 })).toBe('damaged');
    },
    timeout,
  );

  it(
    'detects a single flipped bit',
    async () => {
      await using test = await start();
      const bytes = randomBytes(100_000);
      const key = await keep(test.store, test.spool, bytes);
      expect(await inspectBlob(test.store, { key, size: bytes.length })).toBeNull();
      const turned = Buffer.from(bytes);
      turned[77_777] = (turned[77_777] ?? 0) ^ 1;
      await test.tamper(key, turned);
      expect(await inspectBlob(test.store, { key, size: bytes.length })).toBe('damaged');
    },
    timeout,
  );

  it(
    'leaves nothing in the spool',
    async () => {
      await using test = await start();
      await keep(test.store, test.spool, randomBytes(100));
      expect(await readdir(test.folder).then((names) => names.filter((name) => /^\d+-/.test(name)))).toEqual([]);
    },
    timeout,
  );

  it.each([
    '',
    '../../secret',
    'a'.repeat(64),
    `${'a'.repeat(64)}.${'b'.repeat(12)}/..`,
    `${'A'.repeat(64)}.${'b'.repeat(12)}`,
  ])(
    'rejects a key of another form: %j',
    async (key) => {
      await using test = await start();
      await expect(test.store.open(key, 1)).rejects.toThrow('is not the key of a blob');
      await expect(test.store.sizeOf(key)).rejects.toThrow('is not the key of a blob');
      await expect(test.store.remove(key)).rejects.toThrow('is not the key of a blob');
    },
    timeout,
  );
});

describe.each(storeKinds.filter(({ name }) => name === 'S3'))('an address in $name', ({ open }) => {
  const disposition = `attachment; filename="a b+c_.bin"; filename*=UTF-8''a%20b%2Bc%22.bin`;

  async function start() {
    const opened = await open();
    const spool = await openSpool(opened.folder, new VirtualClock());
    const bytes = randomBytes(5_000);
    const key = await keep(opened.store, spool, bytes);
    const address = async (seconds = 60) =>
      (await opened.store.downloads?.addressOf(key, { disposition, seconds })) ?? '';
    return { ...opened, bytes, key, address, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }

  it(
    'gives its holder the bytes and any part of them, as a download without a type',
    async () => {
      await using test = await start();
      const whole = await fetch(await test.address());
      expect(whole.status).toBe(200);
      expect(whole.headers.get('content-type')).toBe('application/octet-stream');
      expect(whole.headers.get('content-disposition')).toBe(disposition);
      expect(whole.headers.get('content-length')).toBe('5000');
      expect(Buffer.from(await whole.arrayBuffer()).equals(test.bytes)).toBe(true);
      const part = await fetch(await test.address(), { headers: { range: 'bytes=1000-1999' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/5000']);
      expect(Buffer.from(await part.arrayBuffer()).equals(test.bytes.subarray(1_000, 2_000))).toBe(true);
    },
    timeout,
  );

  it(
    'is valid for a limited time, which its signature covers',
    async () => {
      await using test = await start();
      const short = await test.address(1);
      await expect.poll(async () => (await fetch(short)).status, { timeout: 20_000, interval: 500 }).toBe(403);
      for (const change of [
        (url: URL) => url.searchParams.set('X-Amz-Expires', '60000'),
        (url: URL) => url.searchParams.set('response-content-type', 'text/html'),
        (url: URL) => url.searchParams.set('response-content-disposition', 'inline'),
        (url: URL) => url.searchParams.delete('response-content-disposition'),
        (url: URL) => {
          url.pathname = url.pathname.replace(/[\da-f]$/, (digit) => (digit === '0' ? '1' : '0'));
        },
        (url: URL) => url.searchParams.delete('X-Amz-Signature'),
      ]) {
        const url = new URL(await test.address());
        change(url);
        expect((await fetch(url)).status).toBe(403);
      }
    },
    timeout,
  );

  it(
    'allows reading only',
    async () => {
      await using test = await start();
      for (const method of ['PUT', 'DELETE', 'POST']) {
        const answer = await fetch(await test.address(), { method, ...(method === 'DELETE' ? {} : { body: 'other' }) });
        expect(answer.status).toBeGreaterThanOrEqual(400);
      }
      expect((await buffer(await test.store.open(test.key, 5_000))).equals(test.bytes)).toBe(true);
    },
    timeout,
  );
});

describe('blob key', () => {
  it('is different each time, below a folder of its first two digits', () => {
    const hash = sha256(randomBytes(1));
    const key = newBlobKey(hash);
    expect(newBlobKey(hash)).not.toBe(key);
    expect(blobPath(key)).toBe(`${hash.slice(0, 2)}/${key}`);
  });
});

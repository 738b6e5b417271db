import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storeKinds } from '../../testing/blob-stores.ts';
import { BlobMissingError, type BlobStore, blobPath, newBlobKey } from './blob-store.ts';
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
const patience = 60_000;

describe.each(storeKinds)('store in $name', ({ open }) => {
  async function start() {
    const opened = await open();
    const spool = await openSpool(opened.folder, new VirtualClock());
    return { ...opened, spool, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }

  it(
    'answers',
    async () => {
      await using test = await start();
      await expect(test.store.check()).resolves.toBeUndefined();
    },
    patience,
  );

  it(
    'gives back what it was given, of any length',
    async () => {
      await using test = await start();
      for (const length of [0, 1, 65_536, 1_000_003]) {
        const bytes = randomBytes(length);
        const key = await keep(test.store, test.spool, bytes);
        expect(sha256(await buffer(await test.store.open(key)))).toBe(sha256(bytes));
      }
    },
    patience,
  );

  it(
    'gives any part',
    async () => {
      await using test = await start();
      const bytes = randomBytes(5_000);
      const key = await keep(test.store, test.spool, bytes);
      const ends = fc.tuple(fc.nat(bytes.length - 1), fc.nat(bytes.length - 1));
      await fc.assert(
        fc.asyncProperty(ends, async ([one, other]) => {
          const [start, end] = [Math.min(one, other), Math.max(one, other)];
          const part = await buffer(await test.store.open(key, { start, end }));
          expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
        }),
        { numRuns: 20, examples: [[[0, 0]], [[0, 4_999]], [[4_999, 4_999]]] },
      );
    },
    patience,
  );

  it(
    'takes the same bytes twice under one key, one after the other and at once',
    async () => {
      await using test = await start();
      const bytes = randomBytes(100_000);
      const key = await keep(test.store, test.spool, bytes);
      await Promise.all(Array.from({ length: 5 }, () => keep(test.store, test.spool, bytes, key)));
      expect((await buffer(await test.store.open(key))).equals(bytes)).toBe(true);
    },
    patience,
  );

  it(
    'says that there is nothing under a key, before and after',
    async () => {
      await using test = await start();
      const bytes = randomBytes(100);
      await expect(test.store.open(newBlobKey(sha256(bytes)))).rejects.toBeInstanceOf(BlobMissingError);
      const key = await keep(test.store, test.spool, bytes);
      await test.store.remove(key);
      await expect(test.store.open(key)).rejects.toBeInstanceOf(BlobMissingError);
      await expect(test.store.remove(key)).resolves.toBeUndefined();
    },
    patience,
  );

  it(
    'removes one and leaves its neighbours, though they have the same hash',
    async () => {
      await using test = await start();
      const bytes = randomBytes(100);
      const [first, second] = [await keep(test.store, test.spool, bytes), await keep(test.store, test.spool, bytes)];
      await test.store.remove(first);
      expect((await buffer(await test.store.open(second))).equals(bytes)).toBe(true);
    },
    patience,
  );

  it(
    'lets go of a stream that nobody reads to its end',
    async () => {
      await using test = await start();
      const key = await keep(test.store, test.spool, randomBytes(2_000_000));
      for (let times = 0; times < 20; times++) {
        const stream = await test.store.open(key);
        for await (const _chunk of stream) {
          break;
        }
        expect(stream.destroyed).toBe(true);
      }
      await expect(test.store.check()).resolves.toBeUndefined();
    },
    patience,
  );

  it(
    'leaves nothing in the spool',
    async () => {
      await using test = await start();
      await keep(test.store, test.spool, randomBytes(100));
      expect(await readdir(test.folder).then((names) => names.filter((name) => /^\d+-/.test(name)))).toEqual([]);
    },
    patience,
  );

  it.each([
    '',
    '../../secret',
    'a'.repeat(64),
    `${'a'.repeat(64)}.${'b'.repeat(12)}/..`,
    `${'A'.repeat(64)}.${'b'.repeat(12)}`,
  ])(
    'takes no key but its own: %j',
    async (key) => {
      await using test = await start();
      await expect(test.store.open(key)).rejects.toThrow('is not the key of a blob');
      await expect(test.store.remove(key)).rejects.toThrow('is not the key of a blob');
    },
    patience,
  );
});

describe('key', () => {
  it('is another one each time, below a folder of its first two digits', () => {
    const hash = sha256(randomBytes(1));
    const key = newBlobKey(hash);
    expect(newBlobKey(hash)).not.toBe(key);
    expect(blobPath(key)).toBe(`${hash.slice(0, 2)}/${key}`);
  });
});

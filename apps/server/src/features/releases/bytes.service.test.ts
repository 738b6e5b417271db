/** The ledger and the file store, with processes that end between two steps. */
import { createHash } from 'node:crypto';
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import {
  BlobMissingError,
  type BlobStore,
  BlobStoreUnavailableError,
  newBlobKey,
} from '../../storage/blobs/blob-store.ts';
import type { Queries } from '../../storage/database/database.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { actorCalled, firmwareServices } from '../../testing/firmware-services.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { pictureRepository } from './pictures.repository.ts';

const maker = actorCalled('maker');
const hour = 3_600_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A store in memory that fails on request, or acts as if its process had ended. */
class FragileStore implements BlobStore {
  readonly keys = new Set<string>();
  failure: Error | null = null;
  removals = 0;
  /** Keys that cannot be removed. */
  readonly stuck = new Set<string>();
  readonly downloads = null;

  async keep(key: string): Promise<void> {
    this.#fail();
    this.keys.add(key);
  }

  async open(key: string): Promise<never> {
    throw new BlobMissingError(key);
  }

  async sizeOf(key: string): Promise<never> {
    throw new BlobMissingError(key);
  }

  async *list(): AsyncGenerator<never> {
    yield* [];
  }

  async remove(key: string): Promise<void> {
    this.removals++;
    this.#fail();
    if (this.stuck.has(key)) {
      throw new TypeError(`${key} is stuck`);
    }
    this.keys.delete(key);
  }

  async check(): Promise<void> {
    this.#fail();
  }

  #fail(): void {
    if (this.failure !== null) {
      throw this.failure;
    }
  }
}

const away = () => new BlobStoreUnavailableError('away', { cause: new Error('connection refused') });

describe.each(databaseKinds)('bytes of versions on $name', ({ open }) => {
  async function start() {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const { queries } = stack.use(await open()).database;
    const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
    const store = new FragileStore();
    const left: unknown[] = [];
    const onGarbageLeft = (error: unknown) => left.push(error);
    const services = stack.use(await firmwareServices({ queries, folder: folder.path, clock, store, onGarbageLeft }));
    const { _id } = await services.projects.create(maker, {
      name: 'Blinker',
      description: '',
      deviceFamily: 'esp',
      deviceModel: 'esp32',
    });
    const publish = (version: string, content = `bytes of ${version}`) =>
      services.publish(maker, _id, version, content);
    const versions = async () => (await services.versions.list(_id, maker)).map(({ version }) => version);
    return {
      ...services,
      queries,
      store,
      clock,
      left,
      projectId: _id,
      publish,
      versionsNow: versions,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  }

  const rows = async (queries: Queries) => ({
    blobs: (await queries.selectFrom('firmware_blobs').selectAll().execute()).length,
    claims: (await queries.selectFrom('firmware_claims').selectAll().execute()).length,
    garbage: (await queries.selectFrom('firmware_garbage').selectAll().execute()).length,
  });

  it('are claimed before they are stored and belong to the version afterwards', async () => {
    await using test = await start();
    await test.publish('1');
    expect(await rows(test.queries)).toEqual({ blobs: 1, claims: 0, garbage: 0 });
    expect(test.store.keys.size).toBe(1);
  });

  it('are given up when the store refuses them, and no version is written', async () => {
    await using test = await start();
    test.store.failure = away();
    await expect(test.publish('1')).rejects.toBe(test.store.failure);
    expect(await test.versionsNow()).toEqual([]);
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 1 });
    test.store.failure = null;
    await test.bytes.sweep();
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 0 });
  });

  it('are given up when the version is refused after they were stored', async () => {
    await using test = await start();
    const other = test.bytes.hold;
    await test.publish('1', 'first');
    await using file = await test.spool.receive(
      (async function* () {
        yield Buffer.from('second');
      })(),
    );
    await expect(other([file], () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await expect.poll(() => rows(test.queries)).toEqual({ blobs: 1, claims: 0, garbage: 0 });
    expect(test.store.keys.size).toBe(1);
  });

  it('are forgotten after an hour if their process ended before it stored them', async () => {
    await using test = await start();
    await test.ledger.claim('dead', [{ sha256: 'a'.repeat(64), size: 1 }], new Date(test.clock.now()).toISOString());
    await test.bytes.sweep();
    expect(await rows(test.queries)).toEqual({ blobs: 1, claims: 1, garbage: 0 });
    await test.clock.advance(hour + 1);
    await test.bytes.sweep();
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 0 });
  });

  it('are removed after an hour if their process ended, unless a version needs them', async () => {
    await using test = await start();
    const claim = async (upload: string, content: string) => {
      await using file = await test.spool.receive(
        (async function* () {
          yield Buffer.from(content);
        })(),
      );
      const keys = await test.ledger.claim(upload, [file], new Date(test.clock.now()).toISOString());
      await test.store.keep(keys.get(file.sha256) ?? '');
    };
    await claim('dead-1', 'needed');
    await claim('dead-2', 'not needed');
    await test.publish('1', 'needed');
    expect(test.store.keys.size).toBe(2);
    await test.clock.advance(hour + 1);
    await test.bytes.sweep();
    expect(test.store.keys.size).toBe(1);
    expect(await rows(test.queries)).toEqual({ blobs: 1, claims: 0, garbage: 0 });
    expect(await test.versionsNow()).toEqual(['1']);
  });

  it('are swept for a picture whose project an older server has deleted', async () => {
    await using test = await start();
    await test.publish('1', 'firmware');
    await using file = await test.spool.receive(
      (async function* () {
        yield Buffer.from('picture');
      })(),
    );
    const row = { theme: 'light', type: 'image/png', width: 1_600, height: 1_172, size: file.size } as const;
    const edit = { id: test.projectId, actor: maker, at: new Date(test.clock.now()).toISOString() };
    await test.bytes.hold([file], (uploadId) =>
      pictureRepository(test.queries).set(edit, { ...row, sha256: file.sha256 }, 'A node', uploadId),
    );
    await test.bytes.sweep();
    expect(await rows(test.queries)).toEqual({ blobs: 2, claims: 0, garbage: 0 });
    await test.queries.deleteFrom('firmware_projects').execute();
    await test.bytes.sweep();
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 0 });
    expect([...test.store.keys]).toEqual([]);
  });

  it('are removed for an upload that took too long, and its version is refused', async () => {
    await using test = await start();
    const slow: BlobStore = {
      ...test.store,
      keep: async (key) => {
        await test.store.keep(key);
        // Another process sweeps during this put.
        await test.clock.advance(hour + 1);
        await test.bytes.sweep();
      },
      open: (key) => test.store.open(key),
      sizeOf: (key) => test.store.sizeOf(key),
      list: () => test.store.list(),
      remove: (key) => test.store.remove(key),
      check: () => test.store.check(),
    };
    await using folder = await temporaryFolder();
    await using late = await firmwareServices({
      queries: test.queries,
      folder: folder.path,
      clock: test.clock,
      store: slow,
    });
    await expect(late.publish(maker, test.projectId, '1', 'bytes')).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
    });
    expect(await test.versionsNow()).toEqual([]);
    await expect.poll(() => rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 0 });
    expect([...test.store.keys]).toEqual([]);
  });

  it('are removed with their version, even if the store is away at that moment', async () => {
    await using test = await start();
    const version = await test.publish('1');
    test.store.failure = away();
    await test.versions.remove(version._id, maker);
    expect(await test.versionsNow()).toEqual([]);
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 1 });
    await test.bytes.sweep();
    expect(test.left).toContain(test.store.failure);
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 1 });
    test.store.failure = null;
    await test.bytes.sweep();
    expect([...test.store.keys]).toEqual([]);
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 0 });
  });

  it('get a key of their own when they are uploaded again after a release', async () => {
    await using test = await start();
    const version = await test.publish('1', 'same');
    const [before] = test.store.keys;
    test.store.failure = away();
    await test.versions.remove(version._id, maker);
    test.store.failure = null;
    await test.publish('2', 'same');
    await test.bytes.sweep();
    expect(test.store.keys.size).toBe(1);
    expect([...test.store.keys]).not.toContain(before);
  });

  it('stay queued when their removal fails with an internal error, which is reported', async () => {
    await using test = await start();
    const version = await test.publish('1');
    test.store.failure = new TypeError('wrong');
    await test.versions.remove(version._id, maker);
    await expect.poll(() => test.left).toContain(test.store.failure);
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 1 });
  });

  it('are removed in batches, and a key that cannot be removed does not block the others', async () => {
    await using test = await start();
    const keys = Array.from({ length: 100 }, (_, index) => newBlobKey(sha256(String(index)))).sort();
    for (const key of [...keys, 'no key at all']) {
      await test.queries.insertInto('firmware_garbage').values({ blob_key: key }).execute();
      test.store.keys.add(key);
    }
    // A whole batch, and one invalid key.
    const stuck = [...keys.slice(0, 16), 'no key at all'];
    for (const key of stuck) {
      test.store.stuck.add(key);
    }
    await test.bytes.sweep();
    expect([...test.store.keys].sort()).toEqual([...stuck].sort());
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: stuck.length });
    expect(test.left).toHaveLength(1);
    test.store.stuck.clear();
    await test.bytes.sweep();
    expect([...test.store.keys]).toEqual([]);
    expect(await rows(test.queries)).toEqual({ blobs: 0, claims: 0, garbage: 0 });
  });

  it('are tried for one batch only while the store is away', async () => {
    await using test = await start();
    for (let index = 0; index < 100; index++) {
      await test.queries
        .insertInto('firmware_garbage')
        .values({ blob_key: newBlobKey(sha256(String(index))) })
        .execute();
    }
    test.store.failure = away();
    const before = test.store.removals;
    await test.bytes.sweep();
    expect(test.store.removals - before).toBe(16);
  });
});

import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { VirtualClock } from '@wirebench/clock';
import { randomBytes } from '@wirebench/test-input';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { BlobStoreUnavailableError } from './blob-store.ts';
import { onDisk } from './disk.ts';
import type { HashRequest } from './hash-thread.ts';
import { openSpool } from './spool.ts';

const hour = 3_600_000;

async function start() {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'incoming');
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const spool = await openSpool(path, clock);
  return { spool, clock, path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('spool', () => {
  it('knows length and hash of a file, and keeps it until it is disposed', async () => {
    await using test = await start();
    const chunks = Array.from({ length: 20 }, (_, index) => randomBytes(index * 1_000));
    const whole = Buffer.concat(chunks);
    {
      await using file = await test.spool.receive(asStream(chunks));
      expect([file.size, file.sha256]).toEqual([whole.length, createHash('sha256').update(whole).digest('hex')]);
      expect((await readFile(file.path)).equals(whole)).toBe(true);
      expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    }
    expect(await readdir(test.path)).toEqual([]);
  });

  it('has written what it received, and reports when that survives a crash', async () => {
    await using test = await start();
    await using file = await test.spool.receive(asStream([Buffer.from('bytes')]));
    expect(await readFile(file.path, 'utf8')).toBe('bytes');
    await expect(file.safe).resolves.toBeUndefined();
  });

  it('keeps nothing of a source that fails, and passes on the error', async () => {
    await using test = await start();
    const broken = async function* () {
      yield randomBytes(100_000);
      throw new Error('the cable was pulled');
    };
    await expect(test.spool.receive(broken())).rejects.toThrow('the cable was pulled');
    expect(await readdir(test.path)).toEqual([]);
  });

  it('sends nothing to the hash thread for an aborted upload after its hash has ended', async () => {
    await using test = await start();
    const post = vi.spyOn(Worker.prototype, 'postMessage');
    // Fails while the first batch is being written.
    const broken = async function* () {
      yield randomBytes(1_000_000);
      throw new Error('the cable was pulled');
    };
    await expect(test.spool.receive(broken())).rejects.toThrow('the cable was pulled');
    const messages = post.mock.calls.map(([message]) => message as HashRequest);
    post.mockRestore();
    expect(messages.map(({ done, size }) => ({ done, size }))).toEqual([
      { done: false, size: 1_000_000 },
      { done: true, size: 1_000_000 },
    ]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  });

  it('buffers at most a megabyte, so that a slow disk slows the sender', async () => {
    await using test = await start();
    const ahead: number[] = [];
    const watching = async function* () {
      for (let sent = 0; sent < 4_000_000; sent += 65_536) {
        const sizes = await Promise.all((await readdir(test.path)).map((name) => stat(join(test.path, name))));
        ahead.push(sent - sizes.reduce((sum, { size }) => sum + size, 0));
        yield Buffer.alloc(65_536);
      }
    };
    await using file = await test.spool.receive(watching());
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1_048_576);
    expect((await stat(file.path)).size).toBe(file.size);
  });

  it('reports each chunk as free only after its bytes are written', async () => {
    await using test = await start();
    const chunks = Array.from({ length: 40 }, () => randomBytes(65_536));
    const whole = Buffer.concat(chunks);
    const path = async () => join(test.path, (await readdir(test.path))[0] ?? '');
    let freed = 0;
    const early: number[] = [];
    const watching = async function* () {
      for (const chunk of chunks) {
        early.push(freed - (await stat(await path())).size);
        yield chunk;
      }
    };
    await using file = await test.spool.receive(watching(), (chunk) => {
      freed += chunk.length;
      chunk.fill(0);
    });
    expect(Math.max(...early)).toBeLessThanOrEqual(0);
    expect(freed).toBe(whole.length);
    expect((await readFile(file.path)).equals(whole)).toBe(true);
    expect(file.sha256).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  it('reports that it is away when its folder is missing', async () => {
    await using test = await start();
    await expect(test.spool.check()).resolves.toBeUndefined();
    await rm(test.path, { recursive: true });
    await expect(test.spool.receive(asStream([randomBytes(10)]))).rejects.toMatchObject({ reason: 'away' });
    await expect(test.spool.check()).rejects.toBeInstanceOf(BlobStoreUnavailableError);
  });

  it('removes files older than any upload, and keeps uploads in flight and other files', async () => {
    await using test = await start();
    const old = await test.spool.receive(asStream([randomBytes(10)]));
    await test.clock.advance(hour / 2);
    const young = await test.spool.receive(asStream([randomBytes(10)]));
    await writeFile(join(test.path, 'notes.txt'), 'not ours');
    expect(await test.spool.sweep()).toBe(0);
    await test.clock.advance(hour / 2 + 1);
    const other = await openSpool(test.path, test.clock);
    expect(await other.sweep()).toBe(1);
    expect((await readdir(test.path)).map((name) => join(test.path, name)).sort()).toEqual(
      [young.path, join(test.path, 'notes.txt')].sort(),
    );
    // The upload whose file was swept finds nothing to remove, which is not an error.
    await old[Symbol.asyncDispose]();
  });
});

describe('errors of the file system', () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code, syscall: 'write' }));

  it.each([
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EIO', 'away'],
    ['EROFS', 'away'],
    ['EMFILE', 'away'],
    ['ESTALE', 'away'],
  ])('are mapped from %s to a store that is %s', async (code, reason) => {
    await expect(onDisk(failing(code))).rejects.toMatchObject({ name: 'BlobStoreUnavailableError', reason });
  });

  it('do not include a programming error', async () => {
    await expect(onDisk(() => Promise.reject(new TypeError('wrong')))).rejects.toThrow(TypeError);
  });
});

async function* asStream(chunks: readonly Uint8Array[]) {
  yield* chunks;
}

import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { randomBytes } from '@wirebench/test-input';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { BlobStoreUnavailableError } from './blob-store.ts';
import { HashThread } from './hash-thread.ts';

let folder: TemporaryFolder;
let thread: HashThread;
let handles: FileHandle[];

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder[Symbol.asyncDispose]());

beforeEach(() => {
  thread = new HashThread();
  handles = [];
});

afterEach(async () => {
  await thread[Symbol.asyncDispose]();
  await Promise.all(handles.map((handle) => handle.close()));
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function newFile(): Promise<FileHandle> {
  const handle = await open(join(folder.path, randomUUID()), 'wx+');
  handles.push(handle);
  return handle;
}

describe('hash thread', () => {
  it('hashes files that grow in turn, each what was written to it', async () => {
    const sizes = [0, 1, 131_072, 131_073, 1_000_003];
    const files = await Promise.all(
      sizes.map(async (size) => {
        const handle = await newFile();
        return { bytes: randomBytes(size), handle, hash: thread.begin(handle.fd) };
      }),
    );
    for (let written = 0; written < 1_000_003; written += 77_777) {
      for (const { bytes, handle, hash } of files) {
        await handle.write(bytes.subarray(written, written + 77_777));
        hash.grow(Math.min(bytes.length, written + 77_777));
      }
    }
    expect(await Promise.all(files.map(({ hash }) => hash.end()))).toEqual(files.map(({ bytes }) => sha256(bytes)));
  });

  it('hashes no more of a file than was announced', async () => {
    const handle = await newFile();
    const bytes = randomBytes(1_000);
    await handle.write(bytes);
    const hash = thread.begin(handle.fd);
    hash.grow(400);
    expect(await hash.end()).toBe(sha256(bytes.subarray(0, 400)));
  });

  it('reads nothing of a file that was announced after the end', async () => {
    const handle = await newFile();
    await handle.write('bytes');
    const hash = thread.begin(handle.fd);
    hash.grow(5);
    const post = vi.spyOn(Worker.prototype, 'postMessage');
    const ended = hash.end();
    hash.grow(5);
    expect(await ended).toBe(await hash.end());
    expect(post).toHaveBeenCalledTimes(1);
    post.mockRestore();
  });

  it('says that the store is away when a file is shorter than it should be', async () => {
    const handle = await newFile();
    await handle.write(randomBytes(10));
    const hash = thread.begin(handle.fd);
    hash.grow(11);
    hash.grow(12);
    await expect(hash.end()).rejects.toMatchObject({
      name: 'BlobStoreUnavailableError',
      reason: 'away',
      cause: { message: 'The file has fewer bytes than were written to it' },
    });
  });

  it('says that the store is away when the system does not let it read, and goes on with other files', async () => {
    const [writeOnly, other] = [await open(join(folder.path, 'write-only'), 'w'), await newFile()];
    handles.push(writeOnly);
    await writeOnly.write('bytes');
    await other.write('bytes');
    const [unreadable, readable] = [thread.begin(writeOnly.fd), thread.begin(other.fd)];
    unreadable.grow(5);
    readable.grow(5);
    await expect(unreadable.end()).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    expect(await readable.end()).toBe(sha256(Buffer.from('bytes')));
  });

  it('fails the files that it had when it ends, and starts again for the next one', async () => {
    const handle = await newFile();
    await handle.write('bytes');
    const before = thread.begin(handle.fd);
    before.grow(5);
    await thread[Symbol.asyncDispose]();
    await expect(before.end()).rejects.toThrow('The hash thread has ended');
    const after = thread.begin(handle.fd);
    after.grow(5);
    expect(await after.end()).toBe(sha256(Buffer.from('bytes')));
  });

  it('keeps a process alive until it has answered, and no longer', async () => {
    const [program, file] = [join(folder.path, 'program.mjs'), join(folder.path, 'of-another-process')];
    await writeFile(file, 'bytes');
    // The program is in a file: a thread would inherit the option of one on the command line.
    await writeFile(
      program,
      `import { openSync } from 'node:fs';
      import { HashThread } from ${JSON.stringify(new URL('./hash-thread.ts', import.meta.url))};
      const hash = new HashThread().begin(openSync(process.argv[2]));
      hash.grow(5);
      console.log(await hash.end());`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [program, file], { timeout: 20_000 });
    expect(stdout.trim()).toBe(sha256(Buffer.from('bytes')));
  });
});

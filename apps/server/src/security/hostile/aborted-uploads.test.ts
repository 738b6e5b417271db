/** Aborted uploads, one after the other. They leave no memory, no open files and no bytes on the disk. */
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { firmwarePaths } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import { expect, it } from 'vitest';
import { type HostileTarget, requestHead, startHostileTarget, versionForm } from '../../testing/hostile-target.ts';

const ABORTED = isLong ? 2_000 : 200;
const AT_ONCE = 10;
const MEBIBYTE = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const incoming = (target: HostileTarget) => readdir(join(target.server.dataDir, 'firmware', 'incoming'));

/**
 * Returns the number of this process's descriptors of files and sockets of the server; 0 on systems that cannot tell.
 */
async function openFiles(): Promise<number> {
  if (process.platform !== 'linux') {
    return 0;
  }
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')));
  return targets.filter((path) => path.includes('/incoming/') || path.startsWith('socket:')).length;
}

interface Uploader {
  readonly target: HostileTarget;
  readonly projectId: string;
  readonly bearer: Readonly<Record<string, string>>;
}

/** Begins an upload, sends a part of it whose size depends on `number`, and aborts. */
async function abort({ target, projectId, bearer }: Uploader, number: number): Promise<void> {
  const { head, length, type } = versionForm(projectId, '1', 8 * MEBIBYTE);
  const { socket, closed } = await target.connect();
  const headers = { ...bearer, 'content-type': type, 'content-length': String(length) };
  socket.write(requestHead(firmwarePaths.newVersion, headers) + head);
  // Aborts before, during and after the write of a batch.
  await new Promise((resolve) => socket.write(Buffer.alloc((number % 7) * 200_000, number), resolve));
  if (number % 2 === 0) {
    socket.resetAndDestroy();
  } else {
    socket.destroy();
  }
  await closed;
}

async function abortMany(uploader: Uploader, count: number): Promise<void> {
  for (let number = 0; number < count; number += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => abort(uploader, number + index)));
  }
  await expect.poll(() => incoming(uploader.target), { timeout: 20_000 }).toEqual([]);
}

it(
  `${ABORTED} aborted uploads leave memory and open files as they were`,
  async () => {
    await using target = await startHostileTarget({
      LIMIT_UPLOADS_PER_USER: String(2 * AT_ONCE),
      LIMIT_UPLOADS: '100',
    });
    const projectId = await target.newProject('maker');
    const bearer = await target.bearer('maker');
    const uploader = { target, projectId, bearer };
    await abortMany(uploader, 50);
    await expect.poll(openFiles).toBeLessThan(20);
    const filesBefore = await openFiles();
    const before = bytesInUse();

    await abortMany(uploader, ABORTED);
    await expect.poll(openFiles).toBeLessThanOrEqual(filesBefore);
    // The memory of closed streams becomes free only in a later turn of the event loop.
    await expect.poll(() => bytesInUse() - before).toBeLessThan(4 * MEBIBYTE);

    const { head, tail, length, type } = versionForm(projectId, '1', 3);
    const { socket, received } = await target.connect();
    const headers = { ...bearer, 'content-type': type, 'content-length': String(length) };
    socket.write(`${requestHead(firmwarePaths.newVersion, headers)}${head}abc${tail}`);
    await expect.poll(received).toMatch(/^HTTP\/1\.1 201 /);
  },
  ABORTED * 200 + 30_000,
);

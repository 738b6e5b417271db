/**
 * Endless uploads without a declared size. They are counted while they arrive, whatever part of a form they are in:
 * `npm test` sends one of them, as each takes hundreds of megabytes.
 */
import { readdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { firmwarePaths } from '@wirebench/contract';
import { firstUnlessLong } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileTarget, requestHead, startHostileTarget, versionForm } from '../../testing/hostile-target.ts';

/** Bytes. A form has at most 193 MiB. As much again is discarded, and the system's buffers add some. */
const MAX_TAKEN = 440_000_000;
const ENDLESS = 2_000_000_000;

let target: HostileTarget;
let projectId: string;

beforeAll(async () => {
  target = await startHostileTarget();
  projectId = await target.newProject('maker');
});

afterAll(() => target[Symbol.asyncDispose]());

const chunked = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const piece = chunked(Buffer.alloc(262_144, 0x20));

/** Sends until the connection is closed. */
function sendOn(socket: Socket): void {
  const more = () => {
    while (socket.writable && socket.bytesWritten < ENDLESS) {
      if (!socket.write(piece)) {
        return;
      }
    }
  };
  socket.on('drain', more);
  more();
}

describe('a chunked upload without end', () => {
  it.each(
    firstUnlessLong<readonly [string, (head: string) => string]>([
      ['in one file', (head) => head],
      ['in a part that nobody asked for', (head) => head.replace('name="files"', 'name="other"')],
      ['before its first part', () => ''],
      ['after its last part', (head) => `${head}abc\r\n--boundary-of-the-test--\r\n`],
    ]),
  )('%s is refused, and leaves nothing', async (_where, headOf) => {
    const { head, type } = versionForm(projectId, '1', ENDLESS);
    const { socket, received, closed } = await target.connect();
    const headers = { ...(await target.bearer('maker')), 'content-type': type, 'transfer-encoding': 'chunked' };
    socket.write(requestHead(firmwarePaths.newVersion, headers));
    const first = headOf(head);
    if (first !== '') {
      socket.write(chunked(Buffer.from(first)));
    }
    sendOn(socket);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"body-too-large"/);
    expect(socket.bytesWritten).toBeLessThan(MAX_TAKEN);
    expect(await readdir(join(target.server.dataDir, 'firmware', 'incoming'))).toEqual([]);
  });
});

it('a chunked upload of the usual size is taken', async () => {
  const { head, tail, type } = versionForm(projectId, '1', 3);
  const { socket, received } = await target.connect();
  const headers = { ...(await target.bearer('maker')), 'content-type': type, 'transfer-encoding': 'chunked' };
  socket.write(requestHead(firmwarePaths.newVersion, headers));
  socket.write(Buffer.concat([chunked(Buffer.from(`${head}abc${tail}`)), Buffer.from('0\r\n\r\n')]));
  await expect.poll(received).toMatch(/^HTTP\/1\.1 201 /);
});

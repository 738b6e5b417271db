/**
 * Bodies cut into pieces of a few bytes. Each piece costs a call in every reader of the body, so that a megabyte of
 * them would block the server for very long.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { apiPaths, demoReleaseId, firmwarePaths, jkitPaths, sharedFirmwarePaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileTarget, requestHead, startHostileTarget, versionForm } from '../../testing/hostile-target.ts';

/** Bytes on the wire until a body of one-byte chunks is refused: 6 for each piece, plus those in flight. */
const MAX_TAKEN = 20_000_000;
const ENDLESS = 100_000_000;

let target: HostileTarget;
let projectId: string;

beforeAll(async () => {
  target = await startHostileTarget({ LIMIT_UPLOADS_PER_USER: '8' });
  projectId = await target.newProject('maker');
});

afterAll(() => target[Symbol.asyncDispose]());

const chunked = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Sends `head`, `first` as one piece and then pieces of `size` bytes until the connection is closed. */
async function sendPieces(head: string, first: string, size: number): Promise<{ received: string; taken: number }> {
  const { socket, received, closed } = await target.connect();
  socket.write(head);
  if (first !== '') {
    socket.write(chunked(Buffer.from(first)));
  }
  const pieces = Buffer.concat(Array.from({ length: 4_096 }, () => chunked(Buffer.alloc(size, 0x20))));
  let sent = 0;
  const more = () => {
    while (socket.writable && sent < ENDLESS) {
      sent += pieces.length;
      if (!socket.write(pieces)) {
        return;
      }
    }
  };
  socket.on('drain', more);
  more();
  await closed;
  return { received: received(), taken: socket.bytesWritten - socket.writableLength };
}

const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

// Run in parallel, since a refused connection stays open for two seconds.
describe.concurrent('a body in pieces of a few bytes', () => {
  const { head: form, type } = versionForm('', '1', 3);
  const multipart = { 'content-type': type, 'transfer-encoding': 'chunked' };
  const elf = form.replace('name="files"; filename="app.bin"', 'name="elf"; filename="app.elf"');
  const other = form.replace('name="files"', 'name="other"');

  it.each<[string, string, Readonly<Record<string, string>>, string, number]>([
    ['a firmware file of bytes', firmwarePaths.newVersion, multipart, form, 1],
    ['a firmware file of sixteen bytes', firmwarePaths.newVersion, multipart, form, 16],
    ['an ELF file', firmwarePaths.newVersion, multipart, elf, 1],
    ['a file that nobody asked for', firmwarePaths.newVersion, multipart, other, 1],
    ['a form before its first part', firmwarePaths.newVersion, multipart, '', 1],
    ['feedback', apiPaths.feedback, json, '{', 1],
    ['a JKit', jkitPaths.jkits, json, '{"name":"', 1],
    ['a project', firmwarePaths.newProject, json, '{', 3],
    ['a crash report', sharedFirmwarePaths.crashes(demoReleaseId), json, '{', 1],
    ['a flash report', sharedFirmwarePaths.flashes(demoReleaseId), json, '{', 1],
  ])('is refused after a few thousand: %s', async (_what, path, headers, first, size) => {
    const whole = first.replace('name="projectId"\r\n\r\n', `name="projectId"\r\n\r\n${projectId}`);
    const head = requestHead(path, { ...(await target.bearer('maker')), ...headers });
    const { received, taken } = await sendPieces(head, whole, size);
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*too many small pieces/);
    expect(taken).toBeLessThan(MAX_TAKEN);
  });

  it('is not read to its end once it is refused for another reason', async () => {
    const head = requestHead(firmwarePaths.newVersion, multipart);
    const { received, taken } = await sendPieces(head, form, 1);
    expect(received.split(' ')[1]).toBe('401');
    expect(taken).toBeLessThan(MAX_TAKEN);
  });
});

it('leaves no file, and no place taken', async () => {
  await expect.poll(() => readdir(join(target.server.dataDir, 'firmware', 'incoming'))).toEqual([]);
  const { received, socket } = await target.connect();
  const { head, tail, type } = versionForm(projectId, '1', 1_500);
  const headers = { ...(await target.bearer('maker')), 'content-type': type, 'transfer-encoding': 'chunked' };
  socket.write(requestHead(firmwarePaths.newVersion, headers) + chunked(Buffer.from(head)).toString('latin1'));
  // A small form may come in any pieces.
  for (let byte = 0; byte < 1_500; byte++) {
    socket.write(chunked(Buffer.of(byte & 0xff)));
  }
  socket.write(Buffer.concat([chunked(Buffer.from(tail)), Buffer.from('0\r\n\r\n')]));
  await expect.poll(received).toMatch(/^HTTP\/1\.1 201 /);
});

it('is refused when it has come to its end, and its connection answers the next request or ends', async () => {
  const { received, socket, closed } = await target.connect();
  socket.write(requestHead(apiPaths.feedback, { ...(await target.bearer('maker')), ...json }));
  socket.write(Buffer.concat(Array.from({ length: 9_000 }, () => chunked(Buffer.from(' ')))));
  socket.write('0\r\n\r\n');
  await expect.poll(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*too many small pieces/);
  socket.write(requestHead(apiPaths.health, {}, 'GET'));
  const answered = expect.poll(received).toContain('{"status":"ok"}');
  await Promise.any([closed, answered]);
  answered.catch(() => undefined);
});

it('is told apart from a body of the usual pieces in the metrics', async () => {
  const metrics = await (await fetch(`${target.server.address}${apiPaths.metrics}`)).text();
  expect(metrics).toMatch(/wirebench_turned_away_total\{reason="tiny-pieces"\} 1[0-2]\n/);
});

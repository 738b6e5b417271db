/** Bodies far beyond any limit: the refusal comes at once, reaches the client, and most of the body is never read. */
import { apiPaths, jkitPaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type HostileTarget, requestHead, startHostileTarget } from '../../testing/hostile-target.ts';

const SIZE = 100_000_000;
/** Bytes that are discarded, plus the system's buffers on both sides. */
const MAX_TAKEN = 30_000_000;

let target: HostileTarget;

beforeAll(async () => {
  target = await startHostileTarget();
});

afterAll(() => target[Symbol.asyncDispose]());

/** Sends until the server stops reading. Returns the answer and the number of bytes that the system accepted. */
async function send(head: string, chunk: Buffer): Promise<{ received: string; taken: number }> {
  const { socket, received, closed } = await target.connect();
  socket.write(head);
  let sent = 0;
  const more = () => {
    while (sent < SIZE) {
      sent += chunk.length;
      if (!socket.write(chunk)) {
        return;
      }
    }
  };
  socket.on('drain', more);
  more();
  await closed;
  return { received: received(), taken: socket.bytesWritten - socket.writableLength };
}

const type = { 'content-type': 'application/json' };

// Run in parallel, since a refused connection stays open for some seconds.
describe.concurrent('100 MB of JSON', () => {
  it.each([
    ['for feedback', apiPaths.feedback],
    ['for a jkit', jkitPaths.jkits],
  ])('is refused without being read to its end: %s', async (_what, path) => {
    const headers = { ...(await target.bearer('maker')), ...type, 'content-length': String(SIZE) };
    const { received, taken } = await send(requestHead(path, headers), Buffer.alloc(65_536, 0x20));
    expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"body-too-large"/);
    expect(taken).toBeLessThan(MAX_TAKEN);
  });

  it('is not read to its end without a declared length', async () => {
    const headers = { ...(await target.bearer('maker')), ...type, 'transfer-encoding': 'chunked' };
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 0x20), Buffer.from('\r\n')]);
    const { received, taken } = await send(requestHead(apiPaths.feedback, headers), chunk);
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(taken).toBeLessThan(MAX_TAKEN);
  });

  it('is not read to its end without a token, or at an unknown address', async () => {
    for (const [path, status] of [
      [apiPaths.feedback, 401],
      ['/nothing', 413],
    ] as const) {
      const { received, taken } = await send(
        requestHead(path, { ...type, 'content-length': String(SIZE) }),
        Buffer.alloc(65_536, 0x20),
      );
      expect(received.split(' ')[1]).toBe(String(status));
      expect(taken).toBeLessThan(MAX_TAKEN);
    }
  });
});

it('a body slightly above the limit gets its refusal, many times over one connection', async () => {
  const headers = { ...(await target.bearer('maker')), ...type };
  for (let attempt = 0; attempt < 10; attempt++) {
    const { status } = await ask(
      `${target.server.address}${apiPaths.feedback}`,
      { method: 'POST', headers },
      ' '.repeat(2_000_000),
    );
    expect(status).toBe(413);
  }
});

/** A request with two hosts: a proxy in front may have used the other one (RFC 9112 section 3.2). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostileTarget, startHostileTarget } from '../../testing/hostile-target.ts';

let target: HostileTarget;

beforeAll(async () => {
  target = await startHostileTarget();
});

afterAll(() => target[Symbol.asyncDispose]());

async function send(head: string): Promise<{ status: string | undefined; received: string }> {
  const { socket, received, closed } = await target.connect();
  socket.write(`${head}\r\nconnection: close\r\n\r\n`);
  await closed;
  return { status: received().split(' ')[1], received: received() };
}

it.each([
  ['the same twice', 'host: localhost\r\nhost: localhost'],
  ['two that differ', 'Host: localhost\r\nHost: attacker.example'],
  ['in letters of any size', 'HOST: localhost\r\nx: y\r\nhOsT: attacker.example'],
])('is refused: %s', async (_what, hosts) => {
  for (const path of ['/', '/api/health', '/config.json', '/realms/wirebench/.well-known/openid-configuration']) {
    const { status, received } = await send(`GET ${path} HTTP/1.1\r\n${hosts}`);
    expect(status).toBe('400');
    expect(received).toContain('"code":"invalid-request"');
    expect(received).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
  }
});

it('is not a request with one', async () => {
  expect((await send('GET /api/health HTTP/1.1\r\nhost: localhost\r\nx-host: other')).status).toBe('200');
});

/** Ports of the network in commands. The simulated chip with its control lines has a server of RFC 2217 of its own. */
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { EspDevice } from '@wirebench/devices';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveOverRfc2217 } from '../../../packages/devices/src/serve/rfc2217-server.ts';
import { ran, wirebench } from './testing/monitored-port.ts';

/** Listens with a function for each client. `close` ends the clients, too. */
async function listening(port: number, act: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => 'the client has gone');
    act(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) {
        socket.destroy();
      }
    });
  onTestFinished(close);
  return { port: (server.address() as { readonly port: number }).port, close };
}

describe('a port of the network', { timeout: 240_000 }, () => {
  it('resets its board into the boot loader, and reads its flash', async () => {
    const content = Uint8Array.from({ length: 8_192 }, (_, at) => (at * 131 + (at >> 7)) & 0xff);
    const device = new EspDevice({ chip: 'esp32', seed: 1, flash: { content: [{ offset: 0x9000, data: content }] } });
    const service = await serveOverRfc2217({ device, clock: systemClock, pace: 'none', port: 0 });
    onTestFinished(() => service.close());
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'nvs.bin');
    const address = `rfc2217://127.0.0.1:${service.port}`;
    const { code, text } = await ran('read', address, file, '--range', '0x9000+0x2000', '--family', 'esp');
    expect(code, text).toBe(0);
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('is followed, and opened again when its server is back', async () => {
    const first = await listening(0, (socket) => socket.write('one\n'));
    const program = wirebench(['monitor', `tcp://127.0.0.1:${first.port}`, '--until', 'two', '--timeout', '20']);
    await program.until(/one\n/);
    await first.close();
    await program.until(/disconnected/);
    await listening(first.port, (socket) => setTimeout(() => socket.write('two\n'), 100));
    expect(await program.exited).toBe(0);
  });

  it('is awaited with --wait', async () => {
    const gone = await listening(0, () => undefined);
    await gone.close();
    const program = wirebench([
      'monitor',
      `tcp://127.0.0.1:${gone.port}`,
      '--wait',
      '--until',
      'up',
      '--timeout',
      '20',
    ]);
    await program.until(/Waiting for tcp:/);
    await listening(gone.port, (socket) => setTimeout(() => socket.write('up\n'), 100));
    expect(await program.exited).toBe(0);
  });

  it.each([
    [
      'a name without an address',
      'tcp://no-such-host.invalid:4000',
      3,
      /The name no-such-host\.invalid has no address/,
    ],
    ['an address without a port', 'rfc2217://bench', 2, /write rfc2217:\/\/HOST:PORT/],
  ])('ends in words for %s', async (_what, address, exitCode, sentence) => {
    const { code, text } = await ran('send', address, 'hello');
    // A machine without a name server says that instead.
    expect(text).toMatch(exitCode === 3 ? new RegExp(`${sentence.source}|name server of this network`) : sentence);
    expect(code).toBe(exitCode);
  });

  it('ends in words where nothing listens, and where a server speaks no RFC 2217', async () => {
    const gone = await listening(0, () => undefined);
    await gone.close();
    const refused = await ran('send', `tcp://127.0.0.1:${gone.port}`, 'hello');
    expect(refused).toMatchObject({
      code: 3,
      text: expect.stringContaining(`refused the connection to port ${gone.port}`),
    });
    const telnet = await listening(0, (socket) => socket.write(Uint8Array.of(255, 254, 44)));
    const plain = await ran('send', `rfc2217://127.0.0.1:${telnet.port}`, 'hello');
    expect(plain).toMatchObject({ code: 3, text: expect.stringContaining('speaks Telnet, but not RFC 2217') });
  });
});

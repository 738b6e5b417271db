/** Tests `wirebench serve` as a process. What it serves and says is tested by `remote-port.test.ts`. */
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { FakeSerialPort } from '@wirebench/port/testing';
import { makeCertificate } from '@wirebench/server/testing/certificate.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loopbackProxy } from '../testing/loopback-proxy.ts';
import { wirebench } from '../testing/monitored-port.ts';
import { shareBench } from './testing/shared-bench.ts';

const board = { name: 'Board', info: {}, present: true, settings: null };

describe('wirebench serve', () => {
  it('serves the port that a host allows, gives it back at Ctrl+C, and ends with 130', async () => {
    const device = new FakeSerialPort();
    await using bench = await shareBench(() => device);
    bench.host.setPort(1, board);
    const program = wirebench(['serve', bench.link, '--listen', '0', '--name', 'Grace']);
    await program.until(/Asked Ada for the right to use port 1\./);
    const guest = await bench.guest();
    expect(bench.host.status.guests[0]).toMatchObject({ name: 'Grace' });
    bench.host.setRight(guest, 1, 'use');
    const [, port] = await program.until(/putty -telnet 127\.0\.0\.1 (\d+)\n/);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    // IAC WILL COM-PORT-OPTION, IAC WILL BINARY, then one data byte.
    socket.write(Uint8Array.of(255, 251, 44, 255, 251, 0, 65));
    await expect.poll(() => device.written).toEqual([65]);
    program.interrupt();
    expect(await program.exited).toBe(130);
    await bench.until(({ status }) => status.guests.length === 0);
    await expect.poll(() => device.isOpen).toBe(false);
    expect(program.text()).not.toContain(bench.link.split('#')[1]);
  });

  it('takes the link from the environment, and ends with 1 when sharing has ended', async () => {
    await using bench = await shareBench(() => new FakeSerialPort());
    bench.host.setPort(1, board);
    const program = wirebench(['serve'], { WIREBENCH_LINK: bench.link });
    await program.until(/Asked Ada/);
    bench.host.stop();
    expect(await program.exited).toBe(1);
    expect(program.text()).toContain('wirebench: Sharing has ended.');
  });

  it('says why it is not connected', async () => {
    const { cert, key } = makeCertificate();
    const server = createSecureServer({ cert, key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const link = `https://127.0.0.1:${port}/live.html?id=${'x'.repeat(22)}#${'y'.repeat(43)}`;
    const program = wirebench(['serve', link]);
    await program.until(
      /Not connected yet\. Trying again\. The certificate of 127\.0\.0\.1:\d+ is signed by itself.*NODE_EXTRA_CA_CERTS/,
    );
    program.interrupt();
  });

  it('goes through the proxy of the environment, or says why that fails', async () => {
    await using bench = await shareBench(() => new FakeSerialPort());
    bench.host.setPort(1, board);
    const proxy = await loopbackProxy({ pair: 'ada:secret' });
    const program = wirebench(['serve', bench.link], { http_proxy: `http://ada:secret@${proxy.host}` });
    await program.until(/Asked Ada/);
    expect(proxy.asked).toEqual([`CONNECT ${new URL(bench.link).host}`]);
    program.interrupt();
    const refused = wirebench(['serve', bench.link], { http_proxy: `http://ada:wrong@${proxy.host}` });
    await refused.until(/Trying again\. The proxy \S+ does not accept the name and password in http_proxy\./);
    expect(refused.text()).not.toContain('wrong');
    refused.interrupt();
  });

  it.each([
    ['nothing', [], 'the link is missing'],
    ['a link that is none', ['https://bench.example/'], 'This is no link of a shared bench.'],
    ['a port that no bench has', ['--port', '5'], '--port must be a whole number from 1 to 4'],
    ['two links', ['https://a.example/', 'https://b.example/'], 'too many arguments'],
  ])('ends with 2 for %s', async (_name, args, text) => {
    const program = wirebench(['serve', ...args], { WIREBENCH_LINK: '' });
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain(text);
  });
});

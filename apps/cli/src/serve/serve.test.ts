/** Tests `wirebench serve` as a process. What it serves and says is tested by `remote-port.test.ts`. */
import { connect } from 'node:net';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
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

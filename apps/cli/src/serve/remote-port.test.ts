/** Tests the program as a process, with a bench that is shared over a real server. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { startProgram } from './testing/program-process.ts';
import { shareBench } from './testing/shared-bench.ts';

const board = {
  name: 'Board',
  info: { usbVendorId: 0x10c4, usbProductId: 0xea60 },
  present: true,
  settings: { baudRate: 9_600, dataBits: 8, stopBits: 1, parity: 'none', flowControl: 'none' },
} as const;

/** IAC WILL COM-PORT-OPTION, IAC WILL BINARY, then one data byte. */
const hello = Uint8Array.of(255, 251, 44, 255, 251, 0, 65);

function client(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const ended = once(socket, 'close');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.write(hello);
  return { socket, ended, text: () => text };
}

describe('npm run remote-port', () => {
  it('asks for the port, serves it once it is allowed, prints changes and stops at Ctrl+C', async () => {
    const device = new FakeSerialPort();
    await using bench = await shareBench(() => device);
    bench.host.setPort(1, board);
    await using program = startProgram({ args: [bench.link, '--listen', '0', '--name', 'Grace'] });
    await program.until(/Asked Ada for the right to use port 1\. Waiting until Ada allows it\./);
    expect(program.text()).toContain('port 1: Board (10C4:EA60), 9600 8N1, you may watch');
    const guest = await bench.guest();
    await bench.until(({ status }) => status.guests[0]?.ports[0]?.asked === 'use');
    expect(bench.host.status.guests[0]).toMatchObject({ name: 'Grace' });

    bench.host.setRight(guest, 1, 'use');
    const [, port] = await program.until(/putty -telnet 127\.0\.0\.1 (\d+)\n/);
    for (const line of [`esptool --port rfc2217://127.0.0.1:${port} `, `-p rfc2217://127.0.0.1:${port} -b 9600`]) {
      expect(program.text()).toContain(line);
    }
    const first = client(Number(port));
    await program.until(/A program has opened port 1\./);
    await expect.poll(() => device.written).toEqual([65]);
    expect(device.openedWith[0]).toMatchObject({ baudRate: 9_600 });

    bench.host.takeBack(1);
    await program.until(/Ada has taken port 1 back\. Now you may type\./);
    await first.ended;
    expect(first.text()).toContain('The port is gone.');
    await expect.poll(() => device.isOpen).toBe(false);
    const refused = client(Number(port));
    await refused.ended;
    expect(refused.text()).toContain('Ada has not allowed you to use this port.');

    bench.host.setRight(guest, 1, 'use');
    await program.until(/Port 1: you may use it\.\n(?:.*\n)*Port 1: you may use it\./);
    bench.host.setPort(1, { ...board, present: false });
    await program.until(/The board at port 1 is unplugged\./);
    const without = client(Number(port));
    await without.ended;
    expect(without.text()).toContain('No board is plugged in there.');
    bench.host.setPort(1, board);
    await program.until(/The board at port 1 is plugged in again\./);

    const last = client(Number(port));
    await expect.poll(() => device.isOpen).toBe(true);
    program.interrupt();
    expect(await program.exited).toBe(0);
    await last.ended;
    await bench.until(({ status }) => status.guests.length === 0);
    await expect.poll(() => device.isOpen).toBe(false);
    expect(program.text()).not.toContain(bench.link.split('#')[1]);
  });

  it('reports that the connection is lost and restored, and loses no byte in between', async () => {
    const device = new FakeSerialPort();
    await using bench = await shareBench(() => device);
    bench.host.setPort(1, board);
    await using program = startProgram({ args: [bench.link, '--listen', '0'] });
    bench.host.setRight(await bench.guest(), 1, 'use');
    const [, port] = await program.until(/rfc2217:\/\/127\.0\.0\.1:(\d+) flash_id/);
    const { socket } = client(Number(port));
    await expect.poll(() => device.written).toEqual([65]);
    const restore = bench.cut();
    await program.until(/The connection is lost\. Trying again/);
    socket.write('while it is away');
    restore();
    await program.until(/The connection is back\./);
    await expect.poll(() => String.fromCharCode(...device.written)).toBe('Awhile it is away');
    socket.destroy();
  });

  it('ends with code 1 when sharing has ended', async () => {
    await using bench = await shareBench(() => new FakeSerialPort());
    bench.host.setPort(1, board);
    await using program = startProgram({ args: [bench.link, '--listen', '0'] });
    await program.until(/Asked Ada/);
    bench.host.stop();
    expect(await program.exited).toBe(1);
    expect(program.text()).toContain('remote-port: Sharing has ended.');
  });

  it('ends with code 1 when there is no such bench, or no such port', async () => {
    await using bench = await shareBench(() => new FakeSerialPort());
    bench.host.setPort(1, board);
    const other = bench.link.replace(/id=[^#]+/, `id=${'x'.repeat(43)}`);
    await using lost = startProgram({ args: [other] });
    expect(await lost.exited).toBe(1);
    expect(lost.text()).toContain('There is no shared bench at this link.');

    await using third = startProgram({ args: [bench.link, '--port', '3'] });
    expect(await third.exited).toBe(1);
    expect(third.text()).toContain('Port 3 is not shared: choose one with --port (1).');

    bench.host.setPort(2, { ...board, name: 'Other' });
    await using any = startProgram({ args: [bench.link] });
    expect(await any.exited).toBe(1);
    expect(any.text()).toContain('Several ports are shared: choose one with --port (1, 2).');
  });

  it('ends with code 1 when its TCP port is taken', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await using bench = await shareBench(() => new FakeSerialPort());
    bench.host.setPort(1, board);
    await using program = startProgram({ args: [bench.link, '--listen', String(port)] });
    bench.host.setRight(await bench.guest(), 1, 'use');
    expect(await program.exited).toBe(1);
    expect(program.text()).toContain(`Another program listens on port ${port} of this computer`);
    taken.close();
  });

  it('reports that it is not connected and keeps trying', async () => {
    await using bench = await shareBench(() => new FakeSerialPort());
    bench.host.setPort(1, board);
    const restore = bench.cut();
    await using program = startProgram({ args: [bench.link] });
    await program.until(/Not connected yet\. Trying again\./);
    restore();
    await program.until(/Asked Ada/);
  });

  it('takes the link from the environment and from standard input', async () => {
    await using bench = await shareBench(() => new FakeSerialPort());
    bench.host.setPort(1, board);
    await using variable = startProgram({ environment: { WIREBENCH_LINK: bench.link } });
    await using input = startProgram({ input: `\n <${bench.link}> \n` });
    await variable.until(/Asked Ada/);
    await input.until(/Asked Ada/);
    variable.interrupt();
    input.interrupt();
    expect(await Promise.all([variable.exited, input.exited])).toEqual([0, 0]);
  });

  it.each([
    ['nothing', [], 'the link is missing'],
    ['a link that is none', ['https://bench.example/'], 'This is no link of a shared bench.'],
    ['a link without its key', [`https://bench.example/live.html?id=${'x'.repeat(43)}`], 'The key in this link'],
    ['an option that is none', ['--quick'], '--quick'],
  ])('ends with code 2 for %s', async (_name, args, text) => {
    await using program = startProgram({ args, environment: { WIREBENCH_LINK: '' } });
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain(text);
  });

  it('prints its usage', async () => {
    await using program = startProgram({ args: ['--help'] });
    expect(await program.exited).toBe(0);
    expect(program.text()).toMatch(/^Usage: npm run remote-port/);
  });
});

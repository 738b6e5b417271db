/** Failures of ports of the network, and pauses of resets, against servers of a few lines. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, VirtualClock } from '@wirebench/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseNetworkAddress } from './network-address.ts';
import { NetworkSerial } from './network-serial.ts';

/** RFC 2217, section 2: IAC DO COM-PORT-OPTION. */
const agree = [255, 253, 44];
const answer = (...bytes: number[]) => [255, 250, 44, ...bytes, 255, 240];

/** Serves with a function for each client, and returns the port. */
async function served(act: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => 'the client has gone');
    act(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  });
  return (server.address() as { readonly port: number }).port;
}

/** Answers settings as a server does that sets these (rate, data bits, parity, stop bits). */
function setting(socket: Socket, rate: number): void {
  socket.write(Uint8Array.from(agree));
  socket.once('data', () => {
    const bytes = [24, 16, 8, 0].map((shift) => (rate >>> shift) & 255);
    socket.write(Uint8Array.from([...answer(101, ...bytes), ...answer(102, 8), ...answer(103, 1), ...answer(104, 1)]));
  });
}

async function portAt(address: string, clock = systemClock as VirtualClock | typeof systemClock) {
  const [port] = await new NetworkSerial(clock, [address]).getPorts();
  if (port === undefined) {
    throw new Error('the port is there');
  }
  return port;
}

describe('addresses of ports', () => {
  it.each([
    ['tcp://bench:4000', 'tcp', 'bench', 4_000],
    ['SOCKET://10.0.0.7:23/', 'tcp', '10.0.0.7', 23],
    ['rfc2217://[::1]:4000', 'rfc2217', '::1', 4_000],
    ['rfc2217://bench.example:4000?ign_set_control', 'rfc2217', 'bench.example', 4_000],
  ])('are read: %s', (text, protocol, host, port) => {
    expect(parseNetworkAddress(text)).toMatchObject({ protocol, host, port });
  });

  it.each(['tcp://bench', 'tcp://:4000', 'rfc2217://bench:70000', 'tcp://user@bench:1', 'tcp://bench:0'])(
    'are refused in words: %s',
    (text) => {
      expect(() => parseNetworkAddress(text)).toThrow(/write \w+:\/\/HOST:PORT/);
    },
  );

  it.each(['/dev/ttyUSB0', 'COM3', 'https://bench.example:4000', 'tcp:bench:4000'])('are no paths: %s', (text) => {
    expect(parseNetworkAddress(text)).toBeNull();
  });
});

describe('a port of the network', () => {
  it('says that nothing listens, with the error of the system as its cause', async () => {
    const gone = await served(() => undefined);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    server.close();
    expect(gone).not.toBe(port);
    await expect((await portAt(`tcp://127.0.0.1:${port}`)).reach()).rejects.toMatchObject({
      code: 'not-connected',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('gives up a server that agrees on nothing, and names the limit', async () => {
    const port = await served(() => undefined);
    const clock = new VirtualClock();
    const reaching = expect((await portAt(`rfc2217://127.0.0.1:${port}`, clock)).reach()).rejects.toMatchObject({
      code: 'no-negotiation',
      message: expect.stringMatching(/agreed on nothing within 5 s.*tcp:\/\//),
    });
    while ((clock.now() as number) < 60_000) {
      await pause(1);
      await clock.advance(500);
    }
    await reaching;
  });

  it('says that a Telnet server refuses the option', async () => {
    const port = await served((socket) => socket.write(Uint8Array.of(255, 254, 44)));
    await expect((await portAt(`rfc2217://127.0.0.1:${port}`)).reach()).rejects.toMatchObject({ code: 'no-com-port' });
  });

  it('passes on the words with which a server sends it away', async () => {
    const port = await served((socket) => socket.end('\r\nAnother program uses this port.\x1b[2J\r\n'));
    await expect((await portAt(`rfc2217://127.0.0.1:${port}`)).reach()).rejects.toMatchObject({
      code: 'sent-away',
      message: expect.stringMatching(/said: Another program uses this port\.\[2J$/),
    });
  });

  it('names the rate that a server sets instead of the wanted one', async () => {
    const at = await served((socket) => setting(socket, 115_200));
    const port = await portAt(`rfc2217://127.0.0.1:${at}`);
    await expect(port.open({ baudRate: 921_600 })).rejects.toMatchObject({
      name: 'NotSupportedError',
      message: `127.0.0.1:${at} refuses 921600 baud. It sets 115200 baud instead.`,
    });
    expect(port.readable).toBeNull();
  });

  it('takes the rate that a divisor rounds', async () => {
    const at = await served((socket) => setting(socket, 117_647));
    await expect((await portAt(`rfc2217://127.0.0.1:${at}`)).open({ baudRate: 115_200 })).resolves.toBeUndefined();
  });

  it('keeps its connection over a change of the rate, so that the far end leaves the lines alone', async () => {
    let clients = 0;
    const at = await served((socket) => {
      clients++;
      socket.write(Uint8Array.from(agree));
      socket.on('data', (bytes: Buffer) => {
        const found = bytes.indexOf(Uint8Array.of(255, 250, 44, 1));
        if (found >= 0) {
          const rate = [...bytes.subarray(found + 4, found + 8)];
          socket.write(
            Uint8Array.from([...answer(101, ...rate), ...answer(102, 8), ...answer(103, 1), ...answer(104, 1)]),
          );
        }
      });
    });
    const port = await portAt(`rfc2217://127.0.0.1:${at}`);
    await port.open({ baudRate: 115_200 });
    await port.close();
    await port.open({ baudRate: 460_800 });
    expect(clients).toBe(1);
  });

  it('lowers RTS before DTR, and raises it after DTR: RTS alone resets a board', async () => {
    const controls: number[] = [];
    const at = await served((socket) => {
      setting(socket, 9_600);
      socket.on('data', (bytes: Buffer) => {
        for (
          let found = bytes.indexOf(Uint8Array.of(250, 44, 5));
          found >= 0;
          found = bytes.indexOf(Uint8Array.of(250, 44, 5), found + 1)
        ) {
          controls.push(bytes[found + 3] ?? 0);
        }
      });
    });
    const port = await portAt(`rfc2217://127.0.0.1:${at}`);
    await port.open({ baudRate: 9_600 });
    await port.setSignals({ dataTerminalReady: false, requestToSend: false });
    await port.setSignals({ dataTerminalReady: true, requestToSend: true });
    // RFC 2217, section 3: 1 no flow control, 8 and 9 DTR on and off, 11 and 12 RTS on and off.
    await expect.poll(() => controls).toEqual([1, 8, 11, 12, 9, 8, 11]);
  });

  it('closes although its server reads nothing more', async () => {
    const at = await served((socket) => {
      setting(socket, 9_600);
      setTimeout(() => socket.pause(), 100);
    });
    const port = await portAt(`rfc2217://127.0.0.1:${at}`);
    await port.open({ baudRate: 9_600 });
    const writer = port.writable?.getWriter();
    const writing = writer?.write(new Uint8Array(64 * 1_048_576));
    writing?.catch(() => 'stopped');
    await pause(200);
    writer?.releaseLock();
    await port.close();
    expect(port.writable).toBeNull();
  });
});

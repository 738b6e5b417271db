/** Tests the service over real sockets on loopback. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { systemClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { agreed, baudRate, comPort } from '../testing/com-port-client.ts';
import { type ComPortService, type ComPortServiceOptions, serveComPort } from './serve-com-port.ts';

const services: ComPortService[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    socket.destroy();
  }
  await Promise.all(services.splice(0).map((service) => service.close()));
});

async function serve(port: FakeSerialPort | string = new FakeSerialPort()) {
  const said: string[] = [];
  const served: ComPortServiceOptions['served'] = () =>
    typeof port === 'string' ? port : { device: port, settings: defaultPortSettings };
  const onClient = (isThere: boolean, why: string | null) => said.push(`${isThere ? 'come' : 'gone'} ${why ?? '-'}`);
  const service = await serveComPort({ clock: systemClock, port: 0, served, onClient });
  services.push(service);
  const client = () => {
    const socket = connect(service.port, '127.0.0.1');
    sockets.push(socket);
    let text = '';
    const waiting = new Set<() => void>();
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (const look of [...waiting]) {
        look();
      }
    });
    const until = (wanted: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (text.includes(wanted)) {
            waiting.delete(look);
            resolve();
          }
        };
        waiting.add(look);
        look();
      });
    return { socket, until, text: () => text, ended: once(socket, 'close') };
  };
  return { service, said, client };
}

const bytes = (...list: readonly number[]) => Uint8Array.from(list);
/** SERVER-SET-BAUDRATE 9600. */
const rateAnswer = String.fromCharCode(255, 250, 44, 101, 0, 0, 0x25, 0x80, 255, 240);

describe('a serial port on the loopback address', () => {
  it('opens for a client, carries bytes both ways, and closes behind it', async () => {
    const port = new FakeSerialPort();
    const { said, client } = await serve(port);
    const { socket, until, ended } = client();
    socket.write(bytes(...agreed, ...baudRate(9_600)));
    await until(rateAnswer);
    socket.write(bytes(1, 255, 255, 2));
    port.onWrite = () => port.receive('answer');
    await until('answer');
    expect(port.written).toEqual([1, 255, 2]);
    socket.end();
    await ended;
    await expect.poll(() => said).toEqual(['come -', 'gone -']);
    expect(port.isOpen).toBe(false);
  });

  it('sends its offers first, for clients that wait for them', async () => {
    const { client } = await serve();
    const { until } = client();
    // IAC DO BINARY.
    await until('\xff\xfd\x00');
  });

  it('is refused to a second client with a sentence', async () => {
    const { client } = await serve();
    const first = client();
    first.socket.write(bytes(...agreed, ...baudRate(9_600)));
    await first.until(rateAnswer);
    const second = client();
    await second.ended;
    expect(second.text()).toContain('Another program uses this port.');
    first.socket.write(bytes(...comPort(0)));
    await first.until('Wirebench');
  });

  it('is free for the next client as soon as it is closed, and not before', async () => {
    const port = new FakeSerialPort();
    const { client } = await serve(port);
    const first = client();
    first.socket.write(bytes(...agreed, ...baudRate(9_600)));
    await first.until(rateAnswer);
    port.hold('close');
    first.socket.end();
    await first.ended;
    const second = client();
    second.socket.write(bytes(...agreed, ...baudRate(9_600)));
    const third = client();
    await third.ended;
    expect(third.text()).toContain('Another program');
    expect(port.openedWith).toHaveLength(1);
    port.release('close');
    await second.until(rateAnswer);
    expect(port.openedWith).toHaveLength(2);
  });

  it.each(['before it has sent anything', 'after its first commands'])(
    'has a place for the next client when the one that waits leaves %s',
    async (when) => {
      const port = new FakeSerialPort();
      const { client } = await serve(port);
      const first = client();
      first.socket.write(bytes(...agreed, ...baudRate(9_600)));
      await first.until(rateAnswer);
      port.hold('close');
      first.socket.end();
      await first.ended;
      const second = client();
      await once(second.socket, 'connect');
      if (when !== 'before it has sent anything') {
        second.socket.write(bytes(...agreed, ...baudRate(19_200)));
      }
      second.socket.end();
      await second.ended;
      const third = client();
      third.socket.write(bytes(...agreed, ...baudRate(9_600)));
      await once(third.socket, 'connect');
      port.release('close');
      await third.until(rateAnswer);
      expect(port.openedWith).toHaveLength(2);
      expect(third.text()).not.toContain('Another program');
    },
  );

  it.each([
    ['a page', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nreset\r\n'],
    ['a page over https', '\x16\x03\x01\x02\x00\x01'],
    ['plain text', 'help\r\n'],
  ])('is closed to %s: not a byte reaches the board', async (_who, request) => {
    const port = new FakeSerialPort();
    const { client, said } = await serve(port);
    const { socket, text, ended } = client();
    socket.write(Buffer.from(request, 'latin1'));
    await ended;
    expect(text()).toContain('RFC 2217');
    expect(port.calls).toEqual([]);
    expect(said).toEqual([]);
  });

  it('reports the reason if it cannot be served', async () => {
    const { client } = await serve('No board is plugged in there.');
    const { text, ended } = client();
    await ended;
    expect(text()).toContain('No board is plugged in there.');
  });

  it('ends the connection with a sentence when it is unplugged', async () => {
    const port = new FakeSerialPort();
    const { client, said } = await serve(port);
    const { socket, until, text, ended } = client();
    socket.write(bytes(...agreed, ...baudRate(9_600)));
    await until(rateAnswer);
    await port.unplug();
    await ended;
    expect(text()).toMatch(/The port is gone\.\r\n$/);
    await expect.poll(() => said).toEqual(['come -', 'gone The port is gone.']);
  });

  it('waits for a client that does not read, and has lost nothing when it does', async () => {
    const port = new FakeSerialPort();
    const { client } = await serve(port);
    const { socket, until } = client();
    socket.write(bytes(...agreed, ...baudRate(9_600)));
    await until(rateAnswer);
    socket.pause();
    socket.removeAllListeners('data');
    const total = 32 * 1_048_576;
    for (let count = 0; count < 32; count++) {
      port.receive(new Uint8Array(1_048_576).fill(count));
    }
    // The client also keeps sending questions.
    for (let count = 0; count < 2_000; count++) {
      socket.write(bytes(...baudRate(0)));
    }
    let received = 0;
    const all = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        received += chunk.length;
        if (received >= total + 2_000 * rateAnswer.length) {
          resolve();
        }
      });
    });
    socket.resume();
    await all;
  });

  it('ends with its service, with or without a client', async () => {
    const port = new FakeSerialPort();
    const { client, service } = await serve(port);
    const { socket, until, ended } = client();
    socket.write(bytes(...agreed, ...baudRate(9_600)));
    await until(rateAnswer);
    await service.close();
    await ended;
    expect(port.isOpen).toBe(false);
    await expect(once(connect(service.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('cannot be opened twice', async () => {
    const { service } = await serve();
    const options = { clock: systemClock, port: service.port, served: () => '', onClient: () => undefined };
    await expect(serveComPort(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

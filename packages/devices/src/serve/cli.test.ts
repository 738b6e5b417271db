import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { loadLines } from '../chatty/load-stream.ts';

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));
const running: ChildProcessWithoutNullStreams[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    socket.destroy();
  }
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args]);
  running.push(child);
  return { child, out: collect(child.stdout), err: collect(child.stderr) };
}

/** Collects a stream's text. `until` waits for a match in its last 8 kB. */
function collect(stream: NodeJS.ReadableStream) {
  let text = '';
  const waiting = new Set<() => void>();
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (const look of waiting) {
      look();
    }
  });
  return {
    text: () => text,
    until: (wanted: RegExp) =>
      new Promise<RegExpExecArray>((resolve) => {
        const look = () => {
          const match = wanted.exec(text.slice(-8_192));
          if (match !== null) {
            waiting.delete(look);
            resolve(match);
          }
        };
        waiting.add(look);
        look();
      }),
  };
}

async function serve(...args: string[]) {
  const process = start('chatty', '--tcp', '0', ...args);
  const [, port] = await process.out.until(/127\.0\.0\.1:(\d+) .*\n.*\n/);
  return { ...process, port: Number(port) };
}

function client(port: number) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  return { socket, received: collect(socket) };
}

async function ended(...args: string[]) {
  const { child, out, err } = start(...args);
  const [code] = await once(child, 'close');
  return { code, out: out.text(), err: err.text() };
}

describe('npm run device', () => {
  it('prints the port it took and a hint for socat', async () => {
    const { out, port } = await serve('--pace', 'none', '--baud', '921600', '--seed', '7');
    expect(out.text()).toBe(
      `chatty is listening on 127.0.0.1:${port} (921600 baud, pace none, seed 7); press Ctrl+C to stop\n` +
        `as a serial port: socat pty,raw,echo=0,link=/tmp/chatty tcp:127.0.0.1:${port}\n`,
    );
  });

  it('boots for its first client and answers it', async () => {
    const { port } = await serve('--pace', 'none');
    const { socket, received } = client(port);
    await received.until(/^ets [\s\S]*demo> $/);
    socket.write('i2cscan\r');
    await received.until(/0x76 BME280 climate sensor\r\ndemo> $/);
  });

  it('serves a chip in download mode to a client without control lines', async () => {
    const { out } = start('esp32', '--tcp', '0', '--download', '--pace', 'none');
    const [, port] = await out.until(/esp32 is listening on 127\.0\.0\.1:(\d+) \(115200 baud.*\n.*\n/);
    const { socket, received } = client(Number(port));
    // SYNC ("Serial Protocol"), sent again because a chip that has just started does not receive yet.
    const sync = Buffer.from(`c0000824000000000007071220${'55'.repeat(32)}c0`, 'hex');
    const asking = setInterval(() => socket.write(sync), 50);
    await received.until(/\xc0[^\xc0]{12}\xc0\xc0[^\xc0]{12}\xc0/);
    clearInterval(asking);
  });

  it('sends a load that a client reads late without losing a byte', async () => {
    const { port } = await serve('--pace', 'none', '--seed', '3');
    const { socket, received } = client(port);
    await received.until(/demo> $/);
    socket.write('load 10000000 1\r');
    await received.until(/load: 10000000 bytes/);
    socket.pause();
    const { socket: other, received: refusal } = client(port);
    await once(other, 'close');
    expect(refusal.text()).toBe('busy: another client is connected\r\n');
    socket.resume();
    await received.until(/load: 250000 lines, 10000000 bytes\r\ndemo> $/);
    const stream = Buffer.from(loadLines(0, 250_000, 3)).toString('latin1');
    expect(received.text().includes(stream)).toBe(true);
  });

  it('takes the next client when one has left, without booting again', async () => {
    const { port } = await serve('--pace', 'none');
    const first = client(port);
    await first.received.until(/demo> $/);
    first.socket.destroy();
    await once(first.socket, 'close');
    for (;;) {
      const { socket, received } = client(port);
      socket.write('\r');
      const [answer] = await received.until(/demo> $|busy/);
      if (answer !== 'busy') {
        expect(received.text()).toBe('\r\ndemo> ');
        return;
      }
    }
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends cleanly at %s, also while a client is connected', async (signal) => {
    const { child, port } = await serve();
    const { socket, received } = client(port);
    await received.until(/ets/);
    child.kill(signal);
    await once(socket, 'close');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('says how it is used', async () => {
    const { code, out, err } = await ended('--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Usage: npm run device -- <model> --tcp <port>/);
    expect(out).toContain('DTR and RTS do nothing');
  });

  it.each([
    [[], 'name exactly one model: chatty'],
    [['toaster', '--tcp', '0'], 'name exactly one model: chatty'],
    [['chatty', 'chatty', '--tcp', '0'], 'name exactly one model: chatty'],
    [['chatty'], '--tcp <port> is missing'],
    [['chatty', '--tcp', '65536'], '--tcp must be a whole number from 0 to 65535'],
    [['esp32', '--rfc2217', 'x'], '--rfc2217 must be a whole number from 0 to 65535'],
    [['esp32', '--tcp', '0', '--rfc2217', '0'], 'use either --tcp or --rfc2217, not both'],
    [['chatty', '--tcp', '0', '--download'], 'chatty has no download mode'],
    [['chatty', '--tcp', '0', '--pace', 'fast'], '--pace must be wire or none'],
    [['chatty', '--tcp', '0', '--baud', '9600.5'], '--baud must be a whole number from 50 to 100000000'],
    [['chatty', '--tcp', '0', '--speed', '1'], "Unknown option '--speed'"],
  ])('says in one line what is wrong with %j', async (args, text) => {
    const { code, out, err } = await ended(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toContain(text);
  });

  it('starts the bootloader of an Arduino board for a client without control lines', async () => {
    const { out } = start('arduino-leonardo', '--tcp', '0', '--download');
    const [, port] = await out.until(/127\.0\.0\.1:(\d+) .*\n.*\n/);
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
    });
    // Bytes that come while the chip starts are lost.
    await expect
      .poll(() => {
        socket.write('S');
        return text;
      })
      .toContain('CATERIN');
  });

  it('serves an STM32 in its bootloader', async () => {
    const { out } = start('stm32f103', '--tcp', '0', '--download');
    const [, port] = await out.until(/127\.0\.0\.1:(\d+) .*\n.*\n/);
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    const answers = new Promise<number[]>((resolve) => {
      const got: number[] = [];
      socket.on('data', (bytes: Buffer) => {
        got.push(...bytes);
        if (got.length === 1) {
          socket.write(Uint8Array.of(0x02, 0xfd));
        } else if (got.length === 6) {
          resolve(got);
        }
      });
    });
    socket.write(Uint8Array.of(0x7f));
    expect(await answers).toEqual([0x79, 0x79, 0x01, 0x04, 0x10, 0x79]);
  });

  it('says in one line that a port is taken', async () => {
    const { port } = await serve();
    const { code, err } = await ended('chatty', '--tcp', String(port));
    expect(code).toBe(1);
    expect(err).toMatch(/^device: listen EADDRINUSE[^\n]+\n$/);
  });
});

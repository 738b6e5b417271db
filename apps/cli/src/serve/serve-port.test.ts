/** `wirebench serve PORT` as a process, with clients of its own and with pySerial's, which esptool uses. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { plugged, utf8, wirebench } from '../testing/monitored-port.ts';
import { hasSocat } from '../testing/served-board.ts';

const python = [process.env['PYTHON'], 'python3', '/usr/bin/python3'].find(
  (name) => name !== undefined && spawnSync(name, ['-c', 'import serial'], { stdio: 'ignore' }).status === 0,
);

/** Reset of esptool (`reset.py`, ClassicReset) and the SYNC of the ROM (esptool documentation, "Serial Protocol"). */
const bootScript = `
import sys, time, serial
port = serial.serial_for_url(sys.argv[1], baudrate=115200, timeout=0.2)
port.setDTR(False)
port.setRTS(True)
time.sleep(0.1)
port.setDTR(True)
port.setRTS(False)
time.sleep(0.05)
port.setDTR(False)
text = b''
end = time.time() + 5
while b'waiting for download' not in text and time.time() < end: text += port.read(200)
print('download', b'waiting for download' in text)
body = bytes([0x07, 0x07, 0x12, 0x20]) + 32 * b'\\x55'
answer = b''
for _ in range(8):
    port.write(b'\\xc0\\x00\\x08\\x24\\x00\\x00\\x00\\x00\\x00' + body + b'\\xc0')
    answer += port.read(64)
    if b'\\xc0\\x01\\x08' in answer: break
print('sync', b'\\xc0\\x01\\x08' in answer)
port.close()
`;

async function serving(...args: readonly string[]) {
  const program = wirebench(['serve', ...args, '--listen', '0']);
  const [, port] = await program.until(/is ready at 127\.0\.0\.1:(\d+), for one program at a time/);
  return { program, port: Number(port) };
}

async function received(port: number, sent: Uint8Array | null = null) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  if (sent !== null) {
    socket.write(sent);
  }
  await once(socket, 'close');
  return text;
}

describe('serving a port of this computer', { timeout: 240_000 }, () => {
  it.runIf(python !== undefined)(
    'plays a reset of pySerial’s client with the pauses that hit the boot loader',
    async () => {
      const { program, port } = await serving('--simulate', 'esp32');
      const { stdout, stderr } = spawnSync(python ?? '', ['-c', bootScript, `rfc2217://127.0.0.1:${port}`], {
        encoding: 'utf8',
        timeout: 40_000,
      });
      expect(stdout, stderr).toBe('download True\nsync True\n');
      program.interrupt();
      expect(await program.exited).toBe(130);
    },
  );

  it.runIf(hasSocat)('passes plain bytes both ways, refuses a second program by name, and a browser', async () => {
    const board = await plugged();
    const { program, port } = await serving(board.path, '--raw-tcp');
    const socket = connect(port, '127.0.0.1');
    await program.until(/127\.0\.0\.1:\d+ has opened port\./);
    const { localPort } = socket;
    const sent = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    let got = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      got = Buffer.concat([got, bytes]);
    });
    socket.write(sent);
    await expect.poll(() => Buffer.concat(board.got).equals(sent)).toBe(true);
    board.send(sent);
    await expect.poll(() => got.equals(sent)).toBe(true);
    expect(await received(port)).toContain(`Another program uses this port. It is at 127.0.0.1:${localPort}.`);
    socket.destroy();
    await program.until(/has closed port\./);
    expect(await received(port, utf8('POST / HTTP/1.1\r\nHost: a\r\n\r\nreset\r\n'))).toContain(
      'This port takes no requests of browsers.',
    );
    expect(Buffer.concat(board.got).length).toBe(256);
  });

  it.runIf(hasSocat)('says that its board is unplugged and back, and serves it again', async () => {
    const board = await plugged();
    const { program, port } = await serving(board.path, '--raw-tcp');
    board.unplug();
    await program.until(/port is unplugged\. Waiting for it\./);
    expect(await received(port)).toContain('port is not plugged in.');
    await board.plug();
    await program.until(/port is plugged in again\./);
    const socket = connect(port, '127.0.0.1');
    socket.write('hello');
    await expect.poll(() => Buffer.concat(board.got).toString()).toBe('hello');
    socket.destroy();
  });

  it('warns of an address that other machines reach, and lets in only those of --clients', async () => {
    const open = wirebench(['serve', '--simulate', 'esp32', '--listen', '0.0.0.0:0']);
    await open.until(/is open to other machines, without a password or encryption\. All machines that reach it can/);
    const listed = wirebench(['serve', '--simulate', 'esp32', '--listen', '0.0.0.0:0', '--clients', '192.0.2.0/24']);
    const [, port] = await listed.until(/is ready at 0\.0\.0\.0:(\d+)/);
    expect(listed.text()).toContain('The machines of --clients can read, write and reset the board.');
    expect(await received(Number(port))).toContain('127.0.0.1 may not use this port.');
    await listed.until(/127\.0\.0\.1:\d+ was refused/);
  });

  it.each([
    ['a port that is not there', ['/dev/ttyUSB77'], 3, 'is not there'],
    [
      'an address of another machine',
      ['--simulate', 'esp32', '--listen', '192.0.2.1:0'],
      1,
      'is no address of this computer',
    ],
    ['a place that cannot be read', ['--simulate', 'esp32', '--listen', 'bench:4000'], 2, '--listen takes a port'],
    ['a list that cannot be read', ['--simulate', 'esp32', '--clients', '10.0.0.0/99'], 2, '--clients takes addresses'],
    [
      'plain bytes of a shared bench',
      ['https://bench.example/live.html?id=a#b', '--raw-tcp'],
      2,
      'a port of this computer',
    ],
  ])('ends in words for %s', async (_what, args, exitCode, sentence) => {
    const program = wirebench(['serve', ...args]);
    expect(await program.exited).toBe(exitCode);
    expect(program.text()).toContain(sentence);
  });
});

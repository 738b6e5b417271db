/**
 * Tests pySerial's own RFC 2217 client, which esptool, IDF monitor, PlatformIO and miniterm use: opening, settings,
 * lines, break, modem lines and its reaction to a refusal. Runs where a Python with pySerial is installed; the
 * variable PYTHON can name another one.
 */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { startProgram } from './testing/program-process.ts';
import { shareBench } from './testing/shared-bench.ts';

const python = [process.env['PYTHON'], 'python3', '/usr/bin/python3'].find(
  (name) =>
    name !== undefined && spawnSync(name, ['-c', 'import serial'], { stdio: 'ignore', timeout: 30_000 }).status === 0,
);

const script = `
import sys, serial
port = serial.serial_for_url(sys.argv[1], baudrate=9600, timeout=10)
data = bytes(range(256)) + b'\\r\\x00\\xff\\xff\\r\\n'
port.write(data)
print('echo', port.read(len(data)) == data)
port.baudrate = 230400
port.bytesize = 7
port.parity = 'E'
port.stopbits = 2
port.write(data)
print('echo', port.read(len(data)) == data)
print('lines', port.cts, port.dsr, port.ri, port.cd)
port.dtr = False
port.rts = False
port.send_break(0.1)
port.reset_input_buffer()
port.reset_output_buffer()
port.rtscts = True
try:
    port.parity = 'M'
    print('mark parity')
except ValueError as error:
    print('refused', error)
port.close()
`;

describe.runIf(python !== undefined)('pySerial at a board that is somewhere else', { timeout: 120_000 }, () => {
  it.each(['', '?ign_set_control', '?poll_modem'])('opens it, sets it, reads it and closes it%s', async (option) => {
    const device = new FakeSerialPort();
    device.onWrite = (bytes) => device.receive(bytes.slice());
    await using bench = await shareBench(() => device);
    bench.host.setPort(1, { name: 'Board', info: {}, present: true, settings: null });
    await using program = startProgram({ args: [bench.link, '--listen', '0'] });
    bench.host.setRight(await bench.guest(), 1, 'use');
    const [, url = ''] = await program.until(/esptool --port (\S+) flash_id/);
    const { stdout } = await promisify(execFile)(python ?? '', ['-c', script, `${url}${option}`], { timeout: 60_000 });
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, 3)).toEqual(['echo True', 'echo True', 'lines True True False False']);
    expect(lines[3]).toMatch(/^refused .*parity/);

    // The port opens with the client's first rate, not with the default settings.
    const opened = device.openedWith.map(({ baudRate, dataBits, parity, stopBits, flowControl }) =>
      [baudRate, dataBits, parity, stopBits, flowControl].join(' '),
    );
    expect(opened).toEqual([
      '9600 8 none 1 none',
      '230400 8 none 1 none',
      '230400 7 none 1 none',
      '230400 7 even 1 none',
      '230400 7 even 2 none',
      '230400 7 even 2 hardware',
    ]);
    const states = device.calls.filter((call) => call.startsWith('lines'));
    // DTR and RTS were lowered before the break began. The break also ended.
    expect(states).toContain('lines . . break');
    expect(states.indexOf('lines - -')).toBeLessThan(states.indexOf('lines . . break'));
    expect(states.indexOf('lines . .')).toBe(states.indexOf('lines . . break') + 1);
    await expect.poll(() => device.isOpen).toBe(false);
  });
});

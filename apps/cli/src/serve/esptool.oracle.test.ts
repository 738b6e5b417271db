/**
 * Flashes a remote board with Espressif's esptool: esptool → RFC 2217 on loopback → the program → a real server → the
 * host → a simulated ESP32. The board's EN rises as fast as on most boards. Runs where esptool is installed, or where
 * the variable ESPTOOL names it.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@wirebench/clock';
import { createEspPort, EspDevice } from '@wirebench/devices';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { describe, expect, it } from 'vitest';
import { findEsptool } from '../../../../packages/devices/src/esp/testing/esptool.ts';
import { startProgram } from './testing/program-process.ts';
import { shareBench } from './testing/shared-bench.ts';

const tool = findEsptool();
const size = 4 * 1024 * 1024;
const sector = 4_096;
const offset = 0x2_0000;

/** Bytes that compress to about a half. */
const image = Uint8Array.from({ length: 300_001 }, (_, at) => (at % 64 < 32 ? (at * 131 + (at >> 7)) & 0xff : at % 64));
const before = Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 12)) & 0xff);

describe.runIf(tool !== null)('esptool at a board that is somewhere else', { timeout: 240_000 }, () => {
  it('resets it into its bootloader, writes, verifies and reads it, and touches nothing else', async () => {
    const device = new EspDevice({
      chip: 'esp32',
      mac: '24:0A:C4:12:34:56',
      profile: 'real-flash',
      stub: 'legacy',
      flash: { content: [{ offset: 0, data: before }] },
    });
    const plugged = createEspPort(device, { clock: systemClock, pace: 'none' });
    await using folder = await temporaryFolder();
    await using bench = await shareBench(() => {
      if (plugged.port === null) {
        throw new Error('The board is plugged in.');
      }
      return plugged.port;
    });
    bench.host.setPort(1, { name: 'Board', info: plugged.port?.getInfo() ?? {}, present: true, settings: null });
    await using program = startProgram({ args: [bench.link, '--listen', '0'] });
    bench.host.setRight(await bench.guest(), 1, 'use');
    const [, url = ''] = await program.until(/esptool --port (\S+) flash_id/);

    const [python = '', ...first] = tool ?? [];
    const esptool = async (...args: string[]) => {
      const running = promisify(execFile)(python, [...first, '--port', url, ...args], { timeout: 100_000 });
      const { stdout } = await running.catch((error: { stdout?: string; stderr?: string }) => {
        throw new Error(`esptool failed:\n${error.stdout}\n${error.stderr}\n${program.text()}`);
      });
      return stdout;
    };
    const file = join(folder.path, 'image.bin');
    writeFileSync(file, image);

    const identity = await esptool('flash_id');
    expect(identity).toContain('ESP32-D0WD-V3');
    expect(identity).toMatch(/MAC:\s+24:0a:c4:12:34:56/);

    const written = await esptool('--baud', '921600', 'write_flash', `0x${offset.toString(16)}`, file);
    expect(written).toContain('Hash of data verified');
    const verified = await esptool('--baud', '460800', 'verify_flash', `0x${offset.toString(16)}`, file);
    expect(verified).toMatch(/digest matched/i);
    const copy = join(folder.path, 'copy.bin');
    await esptool('--baud', '921600', 'read_flash', `0x${offset.toString(16)}`, '40000', copy);
    expect(readFileSync(copy).equals(image.subarray(0, 40_000))).toBe(true);

    const end = Math.ceil((offset + image.length) / sector) * sector;
    const after = device.flash.read(0, size);
    expect(Buffer.from(after.subarray(0, offset)).equals(before.subarray(0, offset))).toBe(true);
    expect(Buffer.from(after.subarray(offset, offset + image.length)).equals(image)).toBe(true);
    // The rest of the last sector is erased.
    expect(after.subarray(offset + image.length, end).every((byte) => byte === 0xff)).toBe(true);
    expect(Buffer.from(after.subarray(end)).equals(before.subarray(end))).toBe(true);

    // The board was restarted and finds no program among these bytes. The port goes back to the host.
    expect(device.state).toBe('boot-loop');
    program.interrupt();
    expect(await program.exited).toBe(0);
    await bench.until(() => bench.calls.at(-1) === 'release 1');
  });
});

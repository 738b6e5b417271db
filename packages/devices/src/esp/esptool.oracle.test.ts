/**
 * Espressif's esptool, the Python program, has to accept the simulated chips as real ones. It works over a serial
 * port with DTR and RTS (RFC 2217). It resets them into download mode, uploads its own stub, identifies, writes,
 * verifies, reads and erases. Runs if esptool is installed or the variable ESPTOOL names it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EspDevice } from './esp-device.ts';
import { findEsptool, type ServedChip, serveToEsptool } from './testing/esptool.ts';

const tool = findEsptool();
const image = Uint8Array.from({ length: 50_000 }, (_, index) => (index * 13 + (index >> 8)) & 0xff);
let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-esptool-'));
  file = join(folder, 'image.bin');
  writeFileSync(file, image);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const chips = [
  ['esp8266', 'ESP8266EX'],
  ['esp32', 'ESP32-D0WD-V3 (revision v3.1)'],
  ['esp32s3', 'ESP32-S3 (revision v0.2)'],
  ['esp32c3', 'ESP32-C3 (revision v0.3)'],
] as const;

/** pySerial changes the lines one by one, 50 to 100 ms apart. */
const enRiseTime = 130;
/** Continues after the previous run, whose stub still runs. */
const asItIs = ['--before', 'no_reset', '--after', 'no_reset_stub'];

async function withChip(device: EspDevice, work: (chip: ServedChip) => Promise<void>): Promise<void> {
  const chip = await serveToEsptool(tool ?? [], device);
  try {
    await work(chip);
  } finally {
    await chip.close();
  }
}

describe.runIf(tool !== null).concurrent('esptool', { timeout: 120_000 }, () => {
  it.each(chips)('identifies, writes, verifies, reads and erases an %s', async (chip, name) => {
    const device = new EspDevice({ chip, mac: '24:0A:C4:12:34:56', enRiseTime, profile: 'real-flash' });
    await withChip(device, async ({ run }) => {
      const identity = await run('--after', 'no_reset_stub', 'flash_id');
      expect(identity.replaceAll(/ \(QFN\d+\)/g, '')).toContain(name);
      expect(identity).toMatch(/MAC:\s+24:0a:c4:12:34:56/);
      expect(identity).toMatch(/flash size: 4MB/);
      expect(await run(...asItIs, '--baud', '921600', 'write_flash', '0x20000', file)).toContain(
        'Hash of data verified',
      );
      expect(Buffer.from(device.flash.read(0x20000, image.length)).equals(image)).toBe(true);
      expect(await run('--after', 'no_reset_stub', 'verify_flash', '0x20000', file)).toMatch(/digest matched/i);
      const copy = join(folder, `${chip}.bin`);
      await run(...asItIs, 'read_flash', '0x20000', '10000', copy);
      expect(readFileSync(copy).equals(image.subarray(0, 10_000))).toBe(true);
      await run('erase_region', '0x20000', '0x1000');
      expect(device.flash.read(0x20000, 0x1000).every((byte) => byte === 0xff)).toBe(true);
      expect(device.flash.read(0x21000, 1)).toEqual(image.slice(0x1000, 0x1001));
      expect(['booting', 'running']).toContain(device.state);
    });
  });

  it.each(
    (['esp32', 'esp32s2', 'esp32s3', 'esp32c3', 'esp32c6', 'esp32h2', 'esp32p4'] as const).flatMap((chip) =>
      ['-z', '-u'].map((compression) => [chip, compression] as const),
    ),
  )('writes and verifies through the ROM of an %s alone, with %s', async (chip, compression) => {
    const device = new EspDevice({ chip, enRiseTime, profile: 'real-flash' });
    await withChip(device, async ({ run }) => {
      const written = await run('--no-stub', '--baud', '460800', 'write_flash', compression, '0x20000', file);
      expect(written).toContain('Hash of data verified');
      expect(Buffer.from(device.flash.read(0x20000, image.length)).equals(image)).toBe(true);
    });
  });
});

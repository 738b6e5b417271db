/**
 * avrdude, the flasher of the Arduino IDE, has to accept the simulated boards as real. It identifies, writes, verifies
 * and reads them over TCP, by STK500 version 1 and 2 and AVR109. Runs if avrdude is installed. The tests of the
 * bootloaders decide what only the long run asks here.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstUnlessLong, isLong } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AvrDevice } from './avr-device.ts';
import { avrFirmware, avrFirmwareHex } from './firmware.ts';
import type { AvrDeviceOptions } from './options.ts';
import { hasAvrdude, type ServedBoard, serveToAvrdude } from './testing/avrdude.ts';

const eeprom = Uint8Array.from({ length: 40 }, (_, index) => 200 - index * 3);
let folder: string;
let eepromFile: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-avrdude-'));
  eepromFile = join(folder, 'eeprom.bin');
  writeFileSync(eepromFile, eeprom);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withBoard(options: AvrDeviceOptions, work: (board: ServedBoard, device: AvrDevice) => Promise<void>) {
  const device = new AvrDevice({ powerUp: 'first-open', resetAtOpen: true, ...options });
  const served = await serveToAvrdude(device);
  try {
    await work(served, device);
  } finally {
    await served.close();
  }
}

// Sequential: a bootloader waits about a second for avrdude, and the machine may be busy.
describe.runIf(hasAvrdude())('avrdude', { timeout: 60_000 }, () => {
  it.each(
    firstUnlessLong(
      [
        ['arduino-uno', '0x1e950f', 20_000],
        ['arduino-mega', '0x1e9801', 80_000],
        ['arduino-leonardo', '0x1e9587', 20_000],
        ['arduino-nano', '0x1e950f', 20_000],
      ],
      3,
    ),
  )('identifies, writes, verifies and reads an %s, which then runs the sketch', async (board, signature, size) => {
    const hex = join(folder, `${board}.hex`);
    writeFileSync(hex, avrFirmwareHex({ size }));
    await withBoard({ board }, async ({ run }, device) => {
      const copy = join(folder, `${board}.bin`);
      const output = await run('-U', `flash:w:${hex}:i`, '-U', `flash:r:${copy}:r`);
      expect(output).toContain(`device signature = ${signature}`);
      expect(output).toContain(`${size} bytes of flash verified`);
      expect(Buffer.from(device.flash.read(0, size)).equals(Buffer.from(avrFirmware({ size })))).toBe(true);
      // The bootloader at the end is part of what is read.
      expect(readFileSync(copy).equals(Buffer.from(device.flash.read(0, device.flash.size)))).toBe(true);
      await vi.waitUntil(() => device.state === 'running', 15_000);
    });
  });

  it.each(firstUnlessLong(['arduino-nano', 'arduino-leonardo']))(
    'writes and verifies the EEPROM of an %s',
    async (board) => {
      await withBoard({ board, profile: 'real-flash' }, async ({ run }, device) => {
        expect(await run('-U', `eeprom:w:${eepromFile}:r`)).toContain('40 bytes of eeprom verified');
        expect(device.eeprom.read(0, 40)).toEqual(eeprom);
      });
    },
  );

  it.runIf(isLong)('writes the EEPROM of a Mega, and verifies only its first block', async () => {
    await withBoard({ board: 'arduino-mega' }, async ({ run }, device) => {
      // The bootloader doubles the address of a read.
      await expect(run('-U', `eeprom:w:${eepromFile}:r`)).rejects.toThrow('verification mismatch');
      expect(device.eeprom.read(0, 40)).toEqual(eeprom);
      const first = join(folder, 'first.bin');
      writeFileSync(first, eeprom.subarray(0, 8));
      expect(await run('-U', `eeprom:w:${first}:r`)).toContain('8 bytes of eeprom verified');
    });
  });

  it.runIf(isLong)('overwrites the sketch of an Uno with what it takes for EEPROM', async () => {
    await withBoard({ board: 'arduino-uno' }, async ({ run }, device) => {
      const sketch = device.flash.read(0, 64);
      await expect(run('-U', `eeprom:w:${eepromFile}:r`)).rejects.toThrow('verification mismatch');
      expect(device.flash.read(0, 64)).not.toEqual(sketch);
      expect(device.eeprom.programmedBytes).toBe(0);
    });
  });

  it.runIf(isLong)('reads the fuses of a Leonardo', async () => {
    await withBoard({ board: 'arduino-leonardo' }, async ({ run }) => {
      const output = await run('-U', 'lfuse:r:-:h', '-U', 'hfuse:r:-:h', '-U', 'efuse:r:-:h', '-U', 'lock:r:-:h');
      expect(output.match(/^0x[0-9a-f]+$/gm)).toEqual(['0xff', '0xd8', '0xcb', '0xef']);
    });
  });
});

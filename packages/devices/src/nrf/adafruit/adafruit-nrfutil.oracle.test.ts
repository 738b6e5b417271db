/**
 * adafruit-nrfutil, Adafruit's own flasher, has to accept the simulated boards as real ones. It writes a package
 * through a pseudo-terminal, with the timing of a real chip. Runs if socat and adafruit-nrfutil (or the program named
 * by ADAFRUIT_NRFUTIL) are installed.
 */
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { nrfFirmware } from '../firmware/nrf-firmware.ts';
import { NrfDevice } from '../nrf-device.ts';
import { findAdafruitNrfutil, serveToNrfutil } from '../testing/adafruit-nrfutil.ts';

const tool = findAdafruitNrfutil();

describe.runIf(tool !== null)('adafruit-nrfutil', { timeout: 120_000 }, () => {
  it.each(['feather-nrf52840', 'feather-nrf52832'] as const)('writes an application into a %s', async (board) => {
    const device = new NrfDevice({ board, powerUp: 'bootloader', profile: 'real-flash', content: 'empty' });
    const { bytes, image } = nrfFirmware({ board, size: 30_720 });
    using folder = mkdtempDisposableSync(join(tmpdir(), 'wirebench-nrfutil-'));
    const file = join(folder.path, `${board}.zip`);
    writeFileSync(file, bytes);
    const served = await serveToNrfutil(tool ?? [], device, join(folder.path, board));
    try {
      await vi.waitUntil(() => device.state === 'bootloader', 10_000);
      expect(await served.flash(file)).toContain('Device programmed.');
      await vi.waitUntil(() => device.state === 'running', 10_000);
      expect(Buffer.from(device.flash.read(0x26000, image.length)).equals(image)).toBe(true);
    } finally {
      await served.close();
    }
  });
});

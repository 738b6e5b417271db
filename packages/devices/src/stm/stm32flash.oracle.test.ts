/**
 * stm32flash, an independent flasher proven with real parts for years, has to accept the simulated ones as real. It
 * identifies, writes, verifies, reads, erases, protects and starts them through a pseudo-terminal. Runs if stm32flash
 * and socat are installed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stmFirmware } from './firmware.ts';
import type { StmDeviceOptions } from './options.ts';
import { StmDevice } from './stm-device.ts';
import { hasStm32flash, type ServedPart, serveToStm32flash } from './testing/stm32flash.ts';

const image = stmFirmware({ text: 'written by stm32flash', size: 20_000 });
let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-stm32flash-'));
  file = join(folder, 'image.bin');
  writeFileSync(file, image);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Waits for the bootloader's start, because stm32flash does not. */
const listens = (device: StmDevice) => vi.waitUntil(() => device.state === 'bootloader', 10_000);

async function withPart(options: StmDeviceOptions, work: (part: ServedPart, device: StmDevice) => Promise<void>) {
  const device = new StmDevice({ powerUp: 'bootloader', wiring: 'by-hand', ...options });
  const served = await serveToStm32flash(device, join(folder, `${options.part}-${Object.keys(options).length}`));
  try {
    await listens(device);
    await work(served, device);
  } finally {
    await served.close();
  }
}

const parts = [
  ['stm32f072', '0x0448'],
  ['stm32f103', '0x0410 (STM32F10xxx Medium-density)'],
  ['stm32f407', '0x0413 (STM32F40xxx/41xxx)'],
  ['stm32g071', '0x0460 (STM32G07xxx/08xxx)'],
  ['stm32h743', '0x0450 (STM32H74xxx/75xxx)'],
  ['stm32l053', '0x0417 (STM32L05xxx/06xxx)'],
  ['stm32l476', '0x0415 (STM32L47xxx/48xxx)'],
] as const;

// Sequential: stm32flash gives a part half a second to answer, and the machine may be busy.
describe.runIf(hasStm32flash())('stm32flash', { timeout: 120_000 }, () => {
  it.each(parts)('identifies, writes, verifies, reads and starts an %s', async (part, name) => {
    await withPart({ part }, async ({ run }, device) => {
      expect(await run()).toContain(`Device ID    : ${name}`);
      const written = await run('-w', file, '-v', '-g', '0x08000000');
      expect(written).toMatch(/Wrote and verified address 0x08004e20 \(100\.00%\) Done\./);
      expect(Buffer.from(device.flash.read(0, image.length)).equals(Buffer.from(image))).toBe(true);
      device.pressReset();
      await listens(device);
      const copy = join(folder, `${part}.bin`);
      await run('-r', copy, '-S', '0x08000000:20000');
      expect(readFileSync(copy).equals(Buffer.from(image))).toBe(true);
    });
  });

  it('erases pages, resets by code in RAM, and works with the times of a flash', async () => {
    const options: StmDeviceOptions = { part: 'stm32f103', profile: 'real-flash' };
    await withPart(options, async ({ run }, device) => {
      await run('-o', '-S', '0x08000000:2048');
      expect(device.flash.erasedBytes).toBe(2_048);
      expect(await run('-w', file, '-v')).toContain('Done.');
      device.setBoot0(false);
      expect(await run('-R')).toContain('Resetting device');
      expect(['booting', 'running']).toContain(device.state);
    });
  });

  it('protects a part against reading, and erases it by taking that away', async () => {
    await withPart({ part: 'stm32f407', seed: 2 }, async ({ run }, device) => {
      expect(await run('-j')).toContain('Read-Protecting flash');
      await listens(device);
      await expect(run('-r', join(folder, 'none.bin'))).rejects.toThrow();
      expect(device.protection).toBe(1);
      device.pressReset();
      await listens(device);
      expect(await run('-k')).toContain('Read-UnProtecting flash');
      await vi.waitUntil(() => device.protection === 0, 10_000);
      expect(device.flash.read(0, 64).every((byte) => byte === 0xff)).toBe(true);
    });
  });
});

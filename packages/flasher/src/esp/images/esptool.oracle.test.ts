/** Compares patched and merged images with Espressif's esptool, if it is installed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findEsptool } from '../../images/testing/tools.ts';
import { buildTable, factoryLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader } from '../testing/esp-images.ts';
import { withFlashSettings } from './flash-settings.ts';
import { imagePartOf } from './image-part.ts';

const esptool = findEsptool();
if (esptool === null) {
  console.info('Left out, because this machine has no esptool: images that are compared with it.');
}
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-esptool-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

describe.runIf(esptool !== null)('esptool', () => {
  it.each([
    ['as it was built', buildBootloader()],
    ['of an app', buildApp()],
  ])('finds an image whole %s, and with other flash settings', async (_, bytes) => {
    const changed = await withFlashSettings(bytes, { mode: 'qio', frequency: 80, size: 16 * 1_048_576 });
    for (const [image, mode, size] of [
      [bytes, 'DIO', '4MB'],
      [changed, 'QIO', '16MB'],
    ] as const) {
      const said = esptool?.run('image-info', put('image.bin', image)) ?? '';
      expect(said).toMatch(/Checksum: 0x[\da-f]+ \(valid\)/);
      expect(said).toMatch(/Validation hash: [\da-f]{64} \(valid\)/i);
      expect(said).toMatch(new RegExp(`Flash size: ${size}[^]*Flash mode: ${mode}`));
    }
  });

  it('merges files into one that is taken apart here', () => {
    const merged = join(folder, 'merged.bin');
    const files = [
      ['0x1000', put('bootloader.bin', buildBootloader())],
      ['0x8000', put('table.bin', buildTable(factoryLayout))],
      ['0x10000', put('app.bin', buildApp())],
    ] as const;
    esptool?.run('merge-bin', '-o', merged, ...files.flat());
    expect(imagePartOf(readFileSync(merged))).toMatchObject({
      kind: 'merged',
      chip: 'esp32',
      offset: 0,
      parts: [{ offset: 0x1000 }, { offset: 0x8000 }, { name: 'factory', offset: 0x10000 }],
    });
  });
});

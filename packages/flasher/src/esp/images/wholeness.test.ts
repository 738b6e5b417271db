import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildLittleFs, buildOtaData, buildTable, otaLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds } from '../testing/esp-images.ts';
import { espWholeness } from './wholeness.ts';

const program = Uint8Array.from({ length: 500 }, (_, index) => index & 255);
const elfHash = createHash('sha256').update(program).digest('hex');
const app = buildApp({ chipId: chipIds.esp32, size: 900, elfHash });

describe('an image that a build is writing', () => {
  it.each([
    ['app.bin', app],
    ['bootloader.bin', buildBootloader()],
  ])('%s is whole at its end, at no byte before it, and with no sector of it missing', async (name, whole) => {
    expect(await espWholeness(name, whole, null)).toBe('whole');
    for (let length = 0; length < whole.length; length += 13) {
      expect(await espWholeness(name, whole.slice(0, length), null)).not.toBe('whole');
    }
    for (let at = 64; at + 64 < whole.length; at += 128) {
      expect(await espWholeness(name, whole.slice().fill(0, at, at + 64), null)).toBe('torn');
    }
  });

  it('is stale while the ELF file beside it is another than it was made from', async () => {
    expect(await espWholeness('app.bin', app, program)).toBe('whole');
    expect(await espWholeness('app.bin', app, program.with(0, 9))).toBe('stale');
  });

  it('is whole beside an ELF file that it does not name', async () => {
    expect(await espWholeness('app.bin', buildApp(), program)).toBe('whole');
  });

  it('is torn if one program of a merged image is damaged', async () => {
    const table = buildTable(otaLayout);
    const merged = buildMerged([
      [0x1000, buildBootloader()],
      [0x8000, table],
      [0x10000, app],
    ]);
    expect(await espWholeness('merged.bin', merged, null)).toBe('whole');
    expect(await espWholeness('merged.bin', merged.slice().fill(0, 0x10100, 0x10140), null)).toBe('torn');
  });
});

it.each([
  ['partition-table.bin', buildTable(otaLayout), 'whole'],
  ['ota_data_initial.bin', new Uint8Array(0x2000).fill(0xff), 'whole'],
  ['ota_data.bin', buildOtaData(1), 'whole'],
  ['flash_args', new TextEncoder().encode('0x10000 app.bin\n'), 'whole'],
  ['flash_args', new TextEncoder().encode('0x10000 app.b'), 'unproven'],
  ['flasher_args.json', new TextEncoder().encode('{"flash_files": {'), 'torn'],
  ['storage.bin', buildLittleFs(), 'unproven'],
  ['app.bin', new Uint8Array(), 'torn'],
  ['app.bin', new Uint8Array(100).fill(0xff), 'torn'],
  ['table.bin', buildTable(otaLayout).fill(0, 40, 60), 'torn'],
])('%s is judged by its own checksum, end or length', async (name, bytes, expected) => {
  expect(await espWholeness(name, bytes, null)).toBe(expected);
});

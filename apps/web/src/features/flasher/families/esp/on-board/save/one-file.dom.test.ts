import { encodePartitionTable, parsePartitionCsv, readPartitionTable } from '@wirebench/flasher/esp';
import { readMemoryFile } from '@wirebench/flasher/images';
import { describe, expect, it } from 'vitest';
import { testBoard } from '../../../../testing/families.ts';
import { oneFile, paddedBy, withGaps } from './one-file.ts';

const partitions = parsePartitionCsv('nvs,data,nvs,,24K\nphy_init,data,phy,,4K\nfactory,app,factory,,1M');
const board = testBoard({ table: readPartitionTable(encodePartitionTable(partitions)) });
const flash = new Uint8Array(0x20000).fill(0xff);
flash.fill(1, 0x1000, 0x3000).fill(2, 0x8000, 0x8c00).fill(3, 0x9000, 0xa000).fill(4, 0x10000, 0x14000);
const whole = { name: 'flash', offset: 0, bytes: flash };
const request = { board, parts: [whole], sparesSettings: true, withLists: false, program: null };

describe('one file of a board', () => {
  it('is all bytes of the flash as .bin', () => {
    expect(oneFile({ ...request, format: 'bin' })).toEqual(flash);
  });

  it.each(['hex', 'uf2'] as const)('spares stored settings and empty flash as .%s', (format) => {
    const { segments } = readMemoryFile(oneFile({ ...request, format }), 0, { name: `a.${format}` });
    expect(segments.map(({ address, bytes }) => [address, bytes.length])).toEqual([
      [0x1000, 0x2000],
      [0x8000, 0x1000],
      [0x10000, 0x4000],
    ]);
  });

  it('holds stored settings if they are wanted', () => {
    const gapped = withGaps([whole], []);
    expect(gapped.map(({ offset }) => offset)).toEqual([0x1000, 0x8000, 0x10000]);
    expect(gapped[1]?.bytes.length).toBe(0x2000);
  });
});

it('a .bin of a plan says which partitions its padding erases, and if settings are among them', () => {
  const parts = [
    { name: 'bootloader.bin', offset: 0x1000, bytes: new Uint8Array(0x2000) },
    { name: 'app.bin', offset: 0x10000, bytes: new Uint8Array(0x2000) },
  ];
  expect(paddedBy(parts, partitions)).toEqual({ names: ['nvs', 'phy_init'], settings: true });
  expect(paddedBy(parts.slice(1), [])).toEqual({ names: [], settings: false });
});

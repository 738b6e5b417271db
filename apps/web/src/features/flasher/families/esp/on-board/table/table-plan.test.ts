import { md5 } from '@wirebench/flasher/core';
import { encodePartitionTable, parsePartitionCsv, readPartitionTable } from '@wirebench/flasher/esp';
import { describe, expect, it } from 'vitest';
import { emptyRow, planTable, readRows, rowsOf } from './table-plan.ts';

const before = parsePartitionCsv('nvs,data,nvs,,24K\nfactory,app,factory,0x10000,1M\nstorage,data,spiffs,,512K');
const contents = new Uint8Array(0x1000).fill(0xff);
contents.set(encodePartitionTable(before));
const place = {
  name: 'partition table',
  range: { offset: 0x8000, length: 0x1000 },
  contents,
  md5: md5(contents),
  before,
};
const rows = rowsOf(before);
const read = (list: readonly (typeof emptyRow)[]) => readRows(list, 0x8000, 4 * 2 ** 20);

describe('an edited partition table', () => {
  it('is no change while it equals the one in flash', () => {
    expect(planTable(place, rows, read(rows).partitions ?? [])).toBeNull();
  });

  it('is written as its sector, with what is added, moved, resized and deleted, and what is lost', () => {
    const next = [
      { ...rows[0], size: '16K' },
      { ...rows[1] },
      { ...emptyRow, name: 'more', subtype: 'fat', size: '256K' },
    ] as typeof rows;
    const { partitions, faults } = read(next);
    expect(faults).toEqual([]);
    const planned = planTable(place, next, partitions ?? []);
    expect(planned?.change).toMatchObject({ name: 'partition table', basis: place.md5, erases: [] });
    const [write] = planned?.change.writes ?? [];
    expect([write?.offset, write?.bytes.length]).toEqual([0x8000, 0x1000]);
    expect(readPartitionTable(write?.bytes ?? contents).partitions.map(({ name }) => name)).toEqual([
      'nvs',
      'factory',
      'more',
    ]);
    expect(planned?.entries).toEqual(['nvs 24K → 16K', 'more added at 0x110000, 256K', 'storage deleted']);
    expect(planned?.note).toContain('nvs: everything behind 0xD000 is cut off.');
    expect(planned?.note).toContain('storage: no program finds its data any more.');
  });

  it('takes the bootloader and the table without numbers, as the guide of ESP-IDF lists them', () => {
    const system = [
      { ...emptyRow, name: 'bootloader', type: 'bootloader', subtype: 'primary', offset: 'N/A', size: 'N/A' },
      { ...emptyRow, name: 'partition_table', type: 'partition_table', subtype: 'primary', offset: 'N/A', size: 'N/A' },
    ];
    const { partitions, faults } = readRows([...system, ...rows], 0x8000, 4 * 2 ** 20, 0x1000);
    expect(faults).toEqual([]);
    expect(partitions?.slice(0, 2).map(({ offset, size }) => [offset, size])).toEqual([
      [0x1000, 0x7000],
      [0x8000, 0x1000],
    ]);
  });

  it.each([
    [{ ...emptyRow, name: 'x' }, 'Row 4: The size is missing.'],
    [{ ...emptyRow, name: 'a,b', size: '4K' }, 'Row 4: commas and # are not allowed.'],
    [{ ...emptyRow, name: 'nvs', size: '4K' }, 'Two partitions are called "nvs".'],
    [{ ...emptyRow, name: 'x', offset: '0x9000', size: '4K' }, 'Partitions "nvs" and "x" overlap at 0x9000.'],
    [
      { ...emptyRow, name: 'x', type: 'app', subtype: 'ota_0', offset: '0x201000', size: '1M' },
      'not a multiple of 0x10000',
    ],
    [{ ...emptyRow, name: 'x', offset: '0x3ff000', size: '8K' }, 'beyond the end of the flash'],
    [{ ...emptyRow, name: 'x', subtype: 'ota', size: '4K' }, 'must have 0x2000 bytes'],
  ])('cannot be written with the row %o', (row, sentence) => {
    expect(read([...rows, row]).faults.join(' ')).toContain(sentence);
  });
});

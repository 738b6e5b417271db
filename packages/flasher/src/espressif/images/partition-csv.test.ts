import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTable, otaLayout } from '../testing/esp-data.ts';
import {
  encodePartitionTable,
  formatPartitionCsv,
  formatSize,
  PartitionCsvError,
  parsePartitionCsv,
  parseSize,
  partitionLosses,
} from './partition-csv.ts';
import { type Partition, readPartitionTable } from './partition-table.ts';

const partition: fc.Arbitrary<Partition> = fc.record({
  name: fc.stringMatching(/^[a-z][\w.-]{0,15}$/),
  type: fc.constantFrom(0, 1, 2, 3, 0x40, 0xfe),
  subtype: fc.nat(0xff),
  offset: fc.nat(0xffff).map((sector) => sector * 0x1000),
  size: fc.integer({ min: 1, max: 0xffff }).map((sector) => sector * 0x100),
  encrypted: fc.boolean(),
  readOnly: fc.boolean(),
});

describe('a partition table', () => {
  it('is the same after it was written as text and as bytes', () => {
    fc.assert(
      fc.property(fc.array(partition, { minLength: 1, maxLength: 20 }), (partitions) => {
        expect(parsePartitionCsv(formatPartitionCsv(partitions))).toEqual(partitions);
        expect(readPartitionTable(encodePartitionTable(partitions))).toMatchObject({ partitions, hasMd5: true });
      }),
    );
  });

  it('has the bytes that are documented', () => {
    const { partitions } = readPartitionTable(buildTable(otaLayout));
    expect(encodePartitionTable(partitions)).toEqual(buildTable(otaLayout));
  });

  it('gets offsets by itself, with apps at multiples of 64 KiB', () => {
    const text = `
      # Name,   Type, SubType, Offset,  Size, Flags
      nvs,      data, nvs,     ,        0x6000,
      phy_init, data, phy,     ,        4k
      factory,  app,  factory, ,        1M,
      data,     0x40, 7,       ,        -0x200000, encrypted:readonly
      more,     data, ,        0x300000, 8K
    `;
    const found = parsePartitionCsv(text);
    expect(found.map(({ name, offset, size, subtype }) => [name, offset, size, subtype])).toEqual([
      ['nvs', 0x9000, 0x6000, 2],
      ['phy_init', 0xf000, 0x1000, 1],
      ['factory', 0x10000, 0x100000, 0],
      ['data', 0x110000, 0x200000 - 0x110000, 7],
      ['more', 0x300000, 0x2000, 6],
    ]);
    expect(found[3]).toMatchObject({ type: 0x40, encrypted: true, readOnly: true });
  });

  it.each([
    [', data, nvs, , 4K', 'The name is missing.'],
    ['a_name_of_17_bytes, data, nvs, , 4K', 'longer than 16 bytes'],
    ['one, , nvs, , 4K', 'The type is missing.'],
    ['one, disk, nvs, , 4K', '“disk” is no type'],
    ['one, app, , , 1M', 'An app needs a subtype.'],
    ['one, data, photos, , 4K', '“photos” is no subtype of data.'],
    ['one, data, nvs, , ', 'The size is missing.'],
    ['one, data, nvs, , much', '“much” is no size.'],
    ['one, data, nvs, here, 4K', '“here” is no offset.'],
    ['one, data, nvs, , 4K, fast', '“fast” is no flag.'],
    ['one, data, nvs, , -0x1000', 'not within the flash'],
  ])('is refused with the line: %s', (line, message) => {
    const read = () => parsePartitionCsv(`# comment\n${line}\n`);
    expect(read).toThrow(PartitionCsvError);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ line: 2 }));
  });

  it('has sizes in bytes, KiB and MiB', () => {
    expect(['4096', '0x1000', '4K', '4k', '1M', '-8k', 'x', '1G', ''].map(parseSize)).toEqual([
      4_096,
      4_096,
      4_096,
      4_096,
      1_048_576,
      -8_192,
      null,
      null,
      null,
    ]);
    expect([0x100000, 0x6000, 0x1234].map(formatSize)).toEqual(['1M', '24K', '0x1234']);
  });

  it('tells which partitions a new table no longer finds as they were', () => {
    const { partitions } = readPartitionTable(buildTable(otaLayout));
    const after = partitions
      .filter(({ name }) => name !== 'app1')
      .map((one) =>
        one.name === 'nvs' ? { ...one, size: 0x3000 } : one.name === 'spiffs' ? { ...one, offset: 0x150000 } : one,
      );
    expect(
      partitionLosses({ partitions }, { partitions: after }).map(({ partition: { name }, kind }) => [name, kind]),
    ).toEqual([
      ['nvs', 'cut'],
      ['app1', 'gone'],
      ['spiffs', 'moved'],
    ]);
    expect(partitionLosses({ partitions }, { partitions })).toEqual([]);
  });
});

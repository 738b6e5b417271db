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
    // `gen_esp32part.py`, `parse_int`: the letters k and m alone.
    ['factory,app,factory,,4MB', '“4MB” is no size. Write 4M.'],
    ['one, data, nvs, , 24 kB', '“24 kB” is no size. Write 24K.'],
    ['one, data, nvs, , 0x10KiB', '“0x10KiB” is no size. Write 0x10K.'],
    ['one, data, nvs, , 1.5M', '“1.5M” is no size. Write 1536K.'],
    ['one, data, nvs, , 4096B', '“4096B” is no size. Write 4096.'],
    ['one, data, nvs, 64KB, 4K', '“64KB” is no offset. Write 64K.'],
    ['one, data, nvs, here, 4K', '“here” is no offset.'],
    ['one, data, nvs, , 4K, fast', '“fast” is no flag.'],
    ['one, data, nvs, , -0x1000', 'not within the flash'],
  ])('is refused with the line: %s', (line, message) => {
    const read = () => parsePartitionCsv(`# comment\n${line}\n`);
    expect(read).toThrow(PartitionCsvError);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ line: 2 }));
  });

  const guide = `
    # Name,          Type,            SubType,  Offset, Size,   Flags
    bootloader,      bootloader,      primary,  N/A,    N/A,
    partition_table, partition_table, primary,  N/A,    N/A,
    nvs,             data,            nvs,      ,       0x6000,
    factory,         app,             factory,  ,       1M,
    bootloader_ota,  bootloader,      ota,      ,       N/A,
  `;

  it.each([
    ['from a file', true],
    ['from the rows of the editor', false],
  ])('places the bootloader and the table as the build does, %s', (_, ignoresFields) => {
    const found = parsePartitionCsv(guide, 0x8000, { bootloaderOffset: 0x2000, ignoresFields });
    expect(found.map(({ name, type, subtype, offset, size }) => [name, type, subtype, offset, size])).toEqual([
      ['bootloader', 2, 0, 0x2000, 0x6000],
      ['partition_table', 3, 0, 0x8000, 0x1000],
      ['nvs', 1, 2, 0x9000, 0x6000],
      ['factory', 0, 0, 0x10000, 0x100000],
      ['bootloader_ota', 2, 1, 0x110000, 0x6000],
    ]);
  });

  it('has the places of the build in a file with other numbers, and the typed numbers in the editor', () => {
    const text = 'boot, bootloader, primary, 0x0, 0x8000\ntable, partition_table, primary, 0xA000, 0x2000';
    const places = (ignoresFields: boolean) =>
      parsePartitionCsv(text, 0xc000, { bootloaderOffset: 0x1000, ignoresFields }).map(({ offset, size }) => [
        offset,
        size,
      ]);
    expect(places(true)).toEqual([
      [0x1000, 0xb000],
      [0xc000, 0x1000],
    ]);
    expect(places(false)).toEqual([
      [0x0, 0x8000],
      [0xa000, 0x2000],
    ]);
  });

  it.each([
    ['boot, bootloader, primary, N/A, N/A', 'The offset of the bootloader depends on the chip.'],
    ['boot, bootloader, recovery, N/A, N/A', 'CONFIG_BOOTLOADER_RECOVERY_OFFSET of the build'],
    ['nvs, data, nvs, N/A, 4K', '“N/A” is no offset.'],
    ['nvs, data, nvs, , N/A', '“N/A” is no size.'],
    ['nvs;data;nvs;0x9000;0x6000;', 'separated by commas here, not by semicolons'],
    ['a_very_long_name_of_a_partition;data;nvs;;24K', 'separated by commas here, not by semicolons'],
    ['nvs\tdata\tnvs\t0x9000\t0x6000', 'separated by commas here, not by tabs'],
    ['nvs, data, nvs, $NVS_OFFSET, 4K', '“$NVS_OFFSET” is a variable of the build.'],
    ['nvs, data, nvs, , $SIZE', '“$SIZE” is a variable of the build.'],
    ['$NAME, data, nvs, , 4K', '“$NAME” is a variable of the build.'],
    ['"nvs", "data", "nvs", , "4K"', 'Leave the quotation marks out.'],
    ['nvs, data, nvs, , 4K, encrypted: readonly', '“ readonly” is no flag.'],
    ['nvs, data, nvs, , 4K, # settings', '“# settings” is no flag.'],
  ])('is refused with a reason where only the build or a spreadsheet knows more: %s', (line, message) => {
    expect(() => parsePartitionCsv(line)).toThrow(message);
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffnvs,data,nvs,,24K')],
    ['UTF-16 of a spreadsheet', Buffer.from('\ufeffnvs,data,nvs,,24K', 'utf16le')],
    ['UTF-16 with the high byte first', Buffer.from('\ufeffnvs,data,nvs,,24K', 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from('nvs,data,nvs,,24K', 'utf16le')],
    ['CR as line ends', Buffer.from('# Name,Type\rnvs,data,nvs,,24K\r')],
    ['more commas at the end, as a spreadsheet adds them', Buffer.from('nvs,data,nvs,,24K,,,,\n')],
  ])('is read in %s', (_, bytes) => {
    expect(parsePartitionCsv(new Uint8Array(bytes))).toMatchObject([{ name: 'nvs', offset: 0x9000, size: 0x6000 }]);
  });

  it('is refused in an encoding that is neither UTF-8 nor UTF-16', () => {
    expect(() => parsePartitionCsv(Uint8Array.of(0x6e, 0xe4, 0x2c))).toThrow('The file is no text in UTF-8.');
  });

  it('has integers as Python reads them', () => {
    const texts = ['1_024', '0X10', '0o17', '0b11', '+4K', '1kk', '1 K', '00', '010', '0x', '1__0', 'k', '1.5M', '-4m'];
    expect(texts.map(parseSize)).toEqual([
      ...[1_024, 16, 15, 3, 4_096, 1_048_576, 1_024, 0],
      ...[null, null, null, null, null, -4_194_304],
    ]);
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

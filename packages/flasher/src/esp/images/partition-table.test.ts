import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImageError } from '../../images/image-error.ts';
import { type BuiltPartition, buildTable, factoryLayout, otaLayout } from '../testing/esp-data.ts';
import { findTableFaults } from './partition-faults.ts';
import { readPartitionTable } from './partition-table.ts';
import { subtypeName, typeName, typesText } from './partition-types.ts';

const name = fc.string({ unit: fc.constantFrom(...'abcdefghij_0123456789'), minLength: 1, maxLength: 16 });
const anyPartition = fc.record({
  name,
  type: fc.nat(255),
  subtype: fc.nat(255),
  offset: fc.nat(0xffff_ffff),
  size: fc.nat(0xffff_ffff),
  flags: fc.nat(3),
});

describe('partition table', () => {
  it('is read as it was built', () => {
    const partitions = fc.array(anyPartition, { minLength: 1, maxLength: 94 });
    fc.assert(
      fc.property(partitions, fc.boolean(), (built, withMd5) => {
        const table = readPartitionTable(buildTable(built, { withMd5 }));
        expect(table.hasMd5).toBe(withMd5);
        expect(table.size).toBe(32 * (built.length + (withMd5 ? 1 : 0)));
        expect(table.partitions).toEqual(
          built.map(({ flags, ...rest }) => ({ ...rest, encrypted: (flags & 1) === 1, readOnly: flags >= 2 })),
        );
      }),
    );
  });

  it('takes names in UTF-8, also one that was cut at its sixteenth byte', () => {
    const built = factoryLayout.map((partition) => ({ ...partition, name: 'ключ_настроек' }));
    expect(readPartitionTable(buildTable(built)).partitions.map((read) => read.name)).toEqual(
      Array(3).fill('ключ_нас'),
    );
  });

  it('detects every single flipped bit in its entries', () => {
    const built = buildTable(factoryLayout);
    fc.assert(
      fc.property(fc.nat(factoryLayout.length * 32 - 1), fc.nat(7), (index, bit) => {
        const damaged = Uint8Array.from(built);
        damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        expect(() => readPartitionTable(damaged)).toThrow(ImageError);
      }),
    );
  });

  it.each([
    ['cut off in an entry', buildTable(factoryLayout).subarray(0, 50), 'table-cut-short'],
    ['of another format', Uint8Array.of(0xe9, 1, 2, 3), 'not-partition-table'],
    ['without a byte', new Uint8Array(), 'not-partition-table'],
  ])('%s is refused', (_, bytes, code) => {
    expect(() => readPartitionTable(bytes)).toThrow(expect.objectContaining({ code }));
  });

  it('is a table or a coded fault for any bytes', () => {
    const built = buildTable(otaLayout);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(300), (noise, at) => {
        const bytes = Uint8Array.from(built);
        bytes.set(noise, at);
        for (const input of [bytes, Uint8Array.of(0xaa, 0x50, ...noise)]) {
          try {
            expect(readPartitionTable(input).partitions.length).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(ImageError);
          }
        }
      }),
    );
  });

  it('names types and subtypes like gen_esp32part.py', () => {
    const named = (type: number, subtype: number) => `${typeName({ type, subtype })} ${subtypeName({ type, subtype })}`;
    expect([named(0, 0), named(0, 0x1f), named(1, 2), named(1, 0x83), named(0x40, 6)]).toEqual([
      'app factory',
      'app ota_15',
      'data nvs',
      'data littlefs',
      '0x40 0x06',
    ]);
  });

  it('says whose type a partition without a published name has', () => {
    expect(typesText({ type: 1, subtype: 2 })).toBe('data, nvs');
    expect(typesText({ type: 1, subtype: 0x77 })).toBe('data, 0x77 (not in the published list of 2026-07-23)');
    expect(typesText({ type: 0x40, subtype: 6 })).toBe("0x40, 0x06 (the project's own)");
  });

  function faultsOf(partitions: readonly BuiltPartition[], flashSize?: number) {
    return findTableFaults(readPartitionTable(buildTable(partitions)), { flashSize }).map(({ code, what }) => [
      code,
      what,
    ]);
  }

  it('has no faults in the usual layouts', () => {
    expect(faultsOf(factoryLayout, 2 ** 22)).toEqual([]);
    expect(faultsOf(otaLayout, 2 ** 22)).toEqual([]);
  });

  it('reports each of its faults with its partitions', () => {
    const data = { type: 1, subtype: 6 };
    expect(
      faultsOf(
        [
          { name: 'low', ...data, offset: 0x8000, size: 0x1000 },
          { name: 'one', ...data, offset: 0x9000, size: 0x8000 },
          { name: 'two', ...data, offset: 0x10000, size: 0x1000 },
          { name: 'app', type: 0, subtype: 0, offset: 0x12000, size: 0x1000 },
          { name: 'none', ...data, offset: 0x20000, size: 0 },
          { name: 'two', ...data, offset: 0x20000, size: 0x100000 },
        ],
        2 ** 20,
      ),
    ).toEqual([
      [
        'partition-over-table',
        'Partition "low" begins at 0x8000, which is reserved for the bootloader and the partition table.',
      ],
      ['partitions-overlap', 'Partitions "one" and "two" overlap at 0x10000.'],
      ['partition-misaligned', 'Partition "app" begins at 0x12000, which is not a multiple of 0x10000.'],
      ['partition-empty', 'Partition "none" is empty.'],
      ['partition-beyond-flash', 'Partition "two" ends at 0x120000, beyond the end of the flash.'],
      ['partition-name-twice', 'Two partitions are called "two".'],
    ]);
  });

  it.each<[string, Partial<BuiltPartition>, string | null]>([
    [
      'a core dump that is read-only',
      { subtype: 3, flags: 2 },
      'Partition "one" is marked readonly, but the program has to write core dumps.',
    ],
    [
      'OTA data that are read-only',
      { subtype: 0, size: 0x2000, flags: 2 },
      'Partition "one" is marked readonly, but the program has to write OTA data.',
    ],
    [
      'an NVS that is too small to be written',
      { subtype: 2, size: 0x2000 },
      'Partition "one" is smaller than 0x3000, so that NVS can only be read from it: mark it readonly or make it larger.',
    ],
    ['a small NVS that is only read', { subtype: 2, size: 0x2000, flags: 2 }, null],
    ['a read-only file system', { subtype: 0x82, flags: 2 }, null],
    ['an encrypted core dump', { subtype: 3, flags: 1 }, null],
    [
      'OTA data of the trusted environment of another size',
      { subtype: 0x90, size: 0x1000 },
      'Partition "one" selects the app to start, and must have 0x2000 bytes.',
    ],
    ['the bootloader, which is in front of the table', { type: 2, subtype: 0, offset: 0x1000 }, null],
    [
      'a second bootloader in front of the table',
      { type: 2, subtype: 2, offset: 0x1000 },
      'Partition "one" begins at 0x1000, which is reserved for the bootloader and the partition table.',
    ],
    ['a type of its own', { type: 0x3f, subtype: 6 }, null],
  ])('is judged by gen_esp32part.py with %s', (_what, changes, sentence) => {
    const one = { name: 'one', type: 1, subtype: 6, offset: 0x9000, size: 0x4000, ...changes };
    expect(faultsOf([one]).map(([, what]) => what)).toEqual(sentence === null ? [] : [sentence]);
  });

  it('has apps of whole 64 KB with Secure Boot V1', () => {
    const app = { name: 'app', type: 0, subtype: 0, offset: 0x10000, size: 0x11000 };
    const table = readPartitionTable(buildTable([app]));
    expect(findTableFaults(table)).toEqual([]);
    expect(findTableFaults(table, { secureBoot: 'v2' })).toEqual([]);
    expect(findTableFaults(table, { secureBoot: 'v1' }).map(({ what }) => what)).toEqual([
      'The size of partition "app" is not a multiple of 0x10000, as Secure Boot V1 needs it.',
    ]);
  });

  it('has an end marker, which a file may omit and 95 entries leave no room for', () => {
    const built = buildTable(factoryLayout);
    const { size, partitions } = readPartitionTable(built);
    expect(readPartitionTable(built.subarray(0, size)).partitions).toEqual(partitions);
    const entries = Array.from({ length: 95 }, (_, index) => ({
      ...{ name: `p${index}`, type: 1, subtype: 6 },
      ...{ offset: 0x10000 + index * 0x1000, size: 0x1000 },
    }));
    expect(() => readPartitionTable(buildTable(entries))).toThrow('fills its 3 KB without an end');
    const broken = built.slice();
    broken.fill(0x5a, size, size + 32);
    expect(() => readPartitionTable(broken)).toThrow(ImageError);
  });
});

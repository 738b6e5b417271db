import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImageError } from '../../images/image-error.ts';
import { type BuiltPartition, buildTable, factoryLayout, otaLayout } from '../testing/esp-data.ts';
import { findTableFaults } from './partition-faults.ts';
import { readPartitionTable } from './partition-table.ts';
import { subtypeName, typeName } from './partition-types.ts';

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

  it('notices every single bit that fell over in its entries', () => {
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

  it('of any bytes is a table or a coded fault', () => {
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

  it('names types and subtypes as gen_esp32part.py does', () => {
    const named = (type: number, subtype: number) => `${typeName({ type, subtype })} ${subtypeName({ type, subtype })}`;
    expect([named(0, 0), named(0, 0x1f), named(1, 2), named(1, 0x83), named(0x40, 6)]).toEqual([
      'app factory',
      'app ota_15',
      'data nvs',
      'data littlefs',
      '0x40 0x06',
    ]);
  });

  function faultsOf(partitions: readonly BuiltPartition[], flashSize?: number) {
    return findTableFaults(readPartitionTable(buildTable(partitions)), { flashSize }).map(({ code, what }) => [
      code,
      what,
    ]);
  }

  it('of the usual layouts has no faults', () => {
    expect(faultsOf(factoryLayout, 2 ** 22)).toEqual([]);
    expect(faultsOf(otaLayout, 2 ** 22)).toEqual([]);
  });

  it('has each of its faults named with its partitions', () => {
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
});

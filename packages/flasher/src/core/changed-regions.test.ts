import { describe, expect, it } from 'vitest';
import { bytesAfter, changedRegions } from './changed-regions.ts';

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

describe('regions of a planned change', () => {
  it('hold the last contents of a sector that is written several times', () => {
    const writes = [
      { offset: 0x9000, bytes: bytes(0x1000, 1) },
      { offset: 0xa000, bytes: bytes(0x1000, 2) },
      { offset: 0x9000, bytes: bytes(0x1000, 3) },
    ];
    const [region, ...others] = changedRegions({ erases: [], writes });
    expect(others).toEqual([]);
    expect(region).toMatchObject({ offset: 0x9000, length: 0x2000 });
    expect([region?.bytes?.[0], region?.bytes?.[0x1000]]).toEqual([3, 2]);
  });

  it('leave out an erase that is written afterwards, and separate erased from written sectors', () => {
    const change = {
      erases: [{ offset: 0x9000, length: 0x3000 }],
      writes: [{ offset: 0xa000, bytes: bytes(0x1000, 5) }],
    };
    expect(changedRegions(change).map((region) => [region.offset, region.length, region.bytes?.[0] ?? null])).toEqual([
      [0x9000, 0x1000, null],
      [0xa000, 0x1000, 5],
      [0xb000, 0x1000, null],
    ]);
  });

  it('end at blocks of 64 KiB', () => {
    const writes = [{ offset: 0xf000, bytes: bytes(0x12000, 1) }];
    expect(changedRegions({ erases: [], writes }).map(({ offset, length }) => [offset, length])).toEqual([
      [0xf000, 0x1000],
      [0x10000, 0x10000],
      [0x20000, 0x1000],
    ]);
  });

  it('give the bytes of a range only if all of it is written', () => {
    const change = { erases: [], writes: [{ offset: 0x8000, bytes: bytes(0x1000, 7) }] };
    expect(bytesAfter(change, { offset: 0x8000, length: 0xc00 })).toEqual(bytes(0xc00, 7));
    expect(bytesAfter(change, { offset: 0x8000, length: 0x2000 })).toBeNull();
    expect(
      bytesAfter({ erases: [{ offset: 0x8000, length: 0x1000 }], writes: [] }, { offset: 0x8000, length: 1 }),
    ).toBeNull();
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangesBeside } from './neighbours.ts';

const region = (offset: number, length: number) => ({ offset, bytes: new Uint8Array(length) });
const size = 0x40_0000;

describe('neighbours of regions', () => {
  it('are the bytes in reach of a ROM, before and behind', () => {
    expect(rangesBeside([region(0x2_0000, 0x1800)], size)).toEqual([
      { offset: 0x1_8000, length: 0x8000 },
      { offset: 0x2_2000, length: 0x8000 },
    ]);
  });

  it('end at the end of flash', () => {
    expect(rangesBeside([region(0x1000, 0x1000)], 0x3000)).toEqual([
      { offset: 0, length: 0x1000 },
      { offset: 0x2000, length: 0x1000 },
    ]);
    expect(rangesBeside([region(0, size)], size)).toEqual([]);
    expect(rangesBeside([], size)).toEqual([]);
  });

  it('contain each byte within reach once, and none of the written sectors', () => {
    const regions = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 0x6000 })), {
        minLength: 1,
        maxLength: 5,
      })
      .map((parts) => {
        let free = 0;
        return parts.map(([gap, length]) => {
          const offset = free + gap * 0x1000;
          free = Math.ceil((offset + length) / 0x1000) * 0x1000;
          return region(offset, length);
        });
      });
    fc.assert(
      fc.property(regions, (list) => {
        const owner = new Uint8Array(size / 0x1000);
        for (const { offset, bytes } of list) {
          owner.fill(1, offset / 0x1000, Math.ceil((offset + bytes.length) / 0x1000));
        }
        const beside = new Uint8Array(owner.length);
        for (const { offset, length } of rangesBeside(list, size)) {
          for (let sector = offset / 0x1000; sector < (offset + length) / 0x1000; sector++) {
            beside[sector] = (beside[sector] ?? 0) + 1;
          }
        }
        const near = (sector: number) => owner.slice(Math.max(0, sector - 8), sector + 9).includes(1);
        const expected = owner.map((isWritten, sector) => (isWritten === 0 && near(sector) ? 1 : 0));
        expect([...beside]).toEqual([...expected]);
      }),
    );
  });
});

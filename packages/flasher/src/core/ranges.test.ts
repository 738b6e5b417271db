import { describe, expect, it } from 'vitest';
import { touchedSectors, without } from './ranges.ts';

describe('ranges', () => {
  it('without others leave what none of them has', () => {
    const range = { offset: 10, length: 20 };
    expect(without(range, [])).toEqual([range]);
    expect(
      without(range, [
        { offset: 25, length: 100 },
        { offset: 0, length: 12 },
        { offset: 14, length: 2 },
      ]),
    ).toEqual([
      { offset: 12, length: 2 },
      { offset: 16, length: 9 },
    ]);
    expect(without(range, [{ offset: 0, length: 100 }])).toEqual([]);
    expect(without(range, [{ offset: range.offset + range.length, length: 1 }])).toEqual([range]);
  });
});

describe('sectors that a range touches', () => {
  const sectors = [
    { offset: 0x0800_0000, length: 0x4000 },
    { offset: 0x0800_4000, length: 0x4000 },
    { offset: 0x0800_8000, length: 0x1_0000 },
  ];

  it('are one range of whole sectors', () => {
    expect(touchedSectors(sectors, { offset: 0x0800_3ffc, length: 8 })).toEqual({
      offset: 0x0800_0000,
      length: 0x8000,
    });
    expect(touchedSectors(sectors, { offset: 0x0800_8000, length: 4 })).toEqual(sectors[2]);
  });

  it('do not exist outside of flash', () => {
    expect(touchedSectors(sectors, { offset: 0x2000_0000, length: 4 })).toBeNull();
    expect(touchedSectors(sectors, { offset: 0x0801_8000, length: 4 })).toBeNull();
  });
});

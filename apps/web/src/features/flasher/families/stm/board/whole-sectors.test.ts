import { describe, expect, it } from 'vitest';
import { wholeSectors } from './whole-sectors.ts';

const sectors = [
  { offset: 0x0800_0000, length: 0x4000 },
  { offset: 0x0800_4000, length: 0x4000 },
  { offset: 0x0800_8000, length: 0x1_0000 },
];

describe('what is erased', () => {
  it('is whole sectors, all that the stretch touches', () => {
    expect(wholeSectors(sectors, { offset: 0x0800_3ffc, length: 8 })).toEqual({ offset: 0x0800_0000, length: 0x8000 });
    expect(wholeSectors(sectors, { offset: 0x0800_8000, length: 4 })).toEqual(sectors[2]);
  });

  it('is nothing outside of flash', () => {
    expect(wholeSectors(sectors, { offset: 0x2000_0000, length: 4 })).toBeNull();
    expect(wholeSectors(sectors, { offset: 0x0801_8000, length: 4 })).toBeNull();
  });
});

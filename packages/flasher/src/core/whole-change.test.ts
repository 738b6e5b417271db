import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedRegions } from './changed-regions.ts';
import { eraseChange, wholeChange } from './whole-change.ts';

describe('a change of all of a range', () => {
  it('leaves exactly the bytes in the range, and erased flash behind them', () => {
    const sectors = fc.array(fc.oneof(fc.constant(0xff), fc.integer({ min: 0, max: 0xfe })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(sectors, fc.nat(3), fc.boolean(), (values, more, canErase) => {
        const bytes = Uint8Array.from(values.flatMap((value) => new Array<number>(0x1000).fill(value)));
        const range = { offset: 0x9000, length: bytes.length + more * 0x1000 };
        const change = wholeChange('nvs', range, bytes, canErase);
        const result = new Uint8Array(range.length);
        for (const { offset, length, bytes: own } of changedRegions(change)) {
          result.set(own ?? new Uint8Array(length).fill(0xff), offset - range.offset);
        }
        const expected = new Uint8Array(range.length).fill(0xff);
        expected.set(bytes);
        expect(result).toEqual(expected);
        expect(canErase || change.erases.length === 0).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('is refused for contents that are longer', () => {
    expect(() => wholeChange('nvs', { offset: 0, length: 0x1000 }, new Uint8Array(0x1001))).toThrow(RangeError);
  });

  it('erases whole sectors', () => {
    expect(eraseChange('range', { offset: 0x9000, length: 0x1800 })).toEqual({
      name: 'range',
      range: { offset: 0x9000, length: 0x2000 },
      basis: null,
      erases: [{ offset: 0x9000, length: 0x2000 }],
      writes: [],
    });
  });
});

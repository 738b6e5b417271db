import { describe, expect, it } from 'vitest';
import { without } from './ranges.ts';

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

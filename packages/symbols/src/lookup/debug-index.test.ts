import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitRanges } from './debug-index.ts';
import { SubroutineIndexBuilder } from './subroutine-index.ts';

const range = fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 20 })).map(([low, length]) => ({
  low,
  high: low + length,
}));

describe('ranges of units', () => {
  it('gives a unit that claims the address, and none where none does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(range, { maxLength: 4 }), { maxLength: 6 }),
        fc.nat({ max: 90 }),
        (units, address) => {
          const claiming = units.flatMap((ranges, unit) =>
            ranges.some(({ low, high }) => low <= address && address < high) ? [unit] : [],
          );
          const found = unitRanges(units).find(address);
          if (claiming.length === 0) {
            expect(found).toBeUndefined();
          } else {
            expect(claiming).toContain(found);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('gives the first unit of the file where several start at once', () => {
    const map = unitRanges([[{ low: 10, high: 20 }], [{ low: 0, high: 8 }], [{ low: 0, high: 12 }]]);
    expect([0, 8, 11, 12].map((address) => map.find(address))).toEqual([1, 2, 2, 0]);
  });

  it('keeps up with thousands of dropped functions at address 0', () => {
    const units = Array.from({ length: 3_000 }, (_, unit) => [{ low: 0, high: unit + 1 }]);
    const map = unitRanges(units);
    expect(map.find(2_999)).toBe(2_999);
    expect(map.find(3_000)).toBeUndefined();
  });
});

/** Tree of subroutines with ranges inside the range of their parent. */
interface Tree {
  readonly low: number;
  readonly high: number;
  readonly children: readonly Tree[];
}

/** Bytes of a subroutine outside its nested subroutines, and the nested subroutines. */
interface Shape {
  readonly gap: number;
  readonly inner: readonly Shape[];
}

const shapes = fc.memo((depth: number): fc.Arbitrary<Shape[]> => {
  const inner = depth > 1 ? shapes(depth - 1) : fc.constant([]);
  return fc.array(fc.record({ gap: fc.integer({ min: 1, max: 6 }), inner }), { maxLength: 3 });
});

/** Lays out children side by side from `low` on, each larger than its contents. */
function laidOut(low: number, parts: readonly Shape[]): Tree[] {
  let at = low;
  return parts.map(({ gap, inner }) => {
    const start = at + (gap % 3);
    const children = laidOut(start, inner);
    const end = (children.at(-1)?.high ?? start) + gap;
    at = end;
    return { low: start, high: end, children };
  });
}

describe('nested subroutines', () => {
  it('are found from the innermost one outwards', () => {
    fc.assert(
      fc.property(shapes(4), fc.nat({ max: 60 }), (parts, address) => {
        const roots = laidOut(0, parts);
        const builder = new SubroutineIndexBuilder();
        let entry = 0;
        const expected: string[] = [];
        const slice = builder.addUnit(({ enter, leave }) => {
          const visit = ({ low, high, children }: Tree, isInlined: boolean) => {
            const name = `${entry}`;
            enter({ entry: entry++, isInlined, callFile: 0, callLine: 0, ranges: [{ low, high }] });
            if (low <= address && address < high) {
              expected.unshift(name);
            }
            for (const child of children) {
              visit(child, true);
            }
            leave();
          };
          for (const root of roots) {
            visit(root, false);
          }
        });
        const index = builder.build((offset) => `${offset}`);
        expect(index.chainAt(slice, address).map(({ name }) => name)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('forgets those without code', () => {
    const builder = new SubroutineIndexBuilder();
    builder.addUnit(({ enter, leave }) => {
      enter({ entry: 0, isInlined: false, callFile: 0, callLine: 0, ranges: [] });
      enter({ entry: 1, isInlined: true, callFile: 0, callLine: 0, ranges: [] });
      leave();
      leave();
      enter({ entry: 2, isInlined: false, callFile: 0, callLine: 0, ranges: [{ low: 1, high: 2 }] });
      leave();
    });
    expect(builder.build(() => 'name').length).toBe(1);
  });
});

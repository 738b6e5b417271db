import { describe, expect, it } from 'vitest';
import { type FormulaValues, readFormula, valueOf } from './formula.ts';

function compute(text: string, change: Partial<FormulaValues> = {}): number {
  const read = readFormula(text);
  if (!('root' in read)) {
    throw new Error(`${read.reason} at ${read.at}`);
  }
  const values = { now: Float64Array.of(6, 3), before: Float64Array.of(2, 1), own: 10, seconds: 0.5, ...change };
  return valueOf(read.root, values);
}

describe('formula', () => {
  // a is 6 and was 2, b is 3 and was 1, the curve was 10, half a second ago.
  it.each([
    ['a', 6],
    ['a + b * 2', 12],
    ['(a + b) * 2', 18],
    ['a - b - 1', 2],
    ['a / b / 2', 1],
    ['-a + 1', -5],
    ['a - -b', 9],
    ['a * -b', -18],
    ['1.5e3 * a', 9_000],
    ['.5*a', 3],
    ['min(a, b, 1)', 1],
    ['max(a, b)', 6],
    ['abs(b - a)', 3],
    ['sqrt(a + b)', 3],
    ['prev + (a - prev) / 10', 9.6],
    ['(a - prev(a)) / dt', 8],
    ['prev + a * dt', 13],
    ['"a"', 6],
  ])('%s is %d', (text, value) => {
    expect(compute(text)).toBe(value);
  });

  it('names each curve once, with its port and with other characters in quotes', () => {
    expect(readFormula('"Sensor 1" + 2:temp.core + "2:temp.core" + "3:a b"')).toMatchObject({
      sources: [
        { port: null, name: 'Sensor 1' },
        { port: 2, name: 'temp.core' },
        { port: 3, name: 'a b' },
      ],
    });
  });

  it('has no value where there is no number', () => {
    expect(compute('a / (b - b)')).toBeNaN();
    expect(compute('sqrt(-a)')).toBeNaN();
    expect(compute('a + b', { now: Float64Array.of(6, Number.NaN) })).toBeNaN();
    expect(compute('min(a, b)', { now: Float64Array.of(6, Number.NaN) })).toBeNaN();
  });

  it.each([
    ['', 0, 'value'],
    ['a +', 3, 'value'],
    ['a b', 2, 'operator'],
    ['2 a', 2, 'operator'],
    ['(a', 2, 'bracket'],
    ['a)', 1, 'bracket'],
    ['a + "b', 4, 'quote'],
    ['a ^ 2', 2, 'value'],
    ['min(a)', 0, 'call'],
    ['abs(a, b)', 0, 'call'],
    ['1 + sqrt', 4, 'call'],
    ['prev(a + b)', 7, 'bracket'],
    ['prev(2)', 5, 'call'],
    ['1 + 2', 0, 'no-curve'],
    ['prev + dt', 0, 'no-curve'],
    ['constructor(a)', 11, 'operator'],
    [`${'('.repeat(40)}a${')'.repeat(40)}`, 32, 'too-deep'],
    [`a${' + a'.repeat(100)}`, 400, 'too-long'],
  ])('"%s" is none, and the fault is at %d', (text, at, reason) => {
    expect(readFormula(text)).toEqual({ at, reason });
  });
});

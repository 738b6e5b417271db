import { parseFormula } from '@wirebench/contract/chips';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate } from './calculate.ts';
import { ChipError } from './chip-error.ts';

const named = new Map<string, bigint | number>([
  ['a', 7n],
  ['b', -3n],
  ['raw.low', 5n],
  ['x', 0.5],
]);

const lookup = (name: string) => {
  const value = named.get(name);
  if (value === undefined) {
    throw new ChipError('not-read');
  }
  return value;
};

const integer = (formula: string) => calculate(parseFormula(formula), 'integer', lookup);
const double = (formula: string) => calculate(parseFormula(formula), 'double', lookup);
const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error instanceof ChipError ? error.code : error;
  }
  return null;
};

describe('formulas of kind integer', () => {
  it.each([
    ['1 + 2 * 3', 7n],
    ['(1 + 2) * 3', 9n],
    ['b / 2', -1n],
    ['b % 2', -1n],
    ['b >> 1', -2n],
    ['1 << 63', -(1n << 63n)],
    ['9223372036854775807 + 1', -(1n << 63n)],
    ['0x10 | 0b11', 19n],
    ['a & 3 == 3', 1n],
    ['~0', -1n],
    ['!a', 0n],
    ['a > 5 ? b : 1', -3n],
    ['a < 5 || b < 0 && a != 7', 0n],
    ['bits(0xABCD, 11, 4)', 0xbcn],
    ['bits(b, 63, 60)', 15n],
    ['signed(0xF0, 8)', -16n],
    ['bcd(0x59)', 59n],
    ['min(a, b) + max(a, b)', 4n],
    ['abs(b)', 3n],
    ['raw.low << 2', 20n],
    ['1 - 2 - 3', -4n],
    ['1048576 - 415148 << 31', 633_428n << 31n],
  ])('%s is %s, as in C', (formula, value) => {
    expect(integer(formula)).toBe(value);
  });

  it.each([
    ['a / (b + 3)', 'division-by-zero'],
    ['a % 0', 'division-by-zero'],
    ['1 << 64', 'shift'],
    ['1 << 9223372036854775807', 'shift'],
    ['1 >> b', 'shift'],
    ['bits(a, 2, 3)', 'bit-range'],
    ['bits(a, 64, 0)', 'bit-range'],
    ['signed(a, 65)', 'bit-range'],
    ['bcd(0x5A)', 'not-bcd'],
    ['unread', 'not-read'],
    ['x + 1', 'not-a-number'],
    ['0.5', 'not-a-number'],
  ])('%s ends as %s', (formula, code) => {
    expect(codeOf(() => integer(formula))).toBe(code);
  });

  it('looks at one side of a choice only', () => {
    expect(integer('a == 7 ? 1 : 1 / 0')).toBe(1n);
    expect(integer('a == 7 || 1 / 0')).toBe(1n);
    expect(integer('a != 7 && 1 / 0')).toBe(0n);
  });

  it('cannot grow beyond 64 bits, however often it multiplies', () => {
    const formula = Array.from({ length: 70 }, () => '9223372036854775807').join('*');
    expect(codeOf(() => integer(formula.slice(0, 399).replace(/\*?\d*$/, '')))).toBeNull();
    expect(BigInt.asIntN(64, BigInt(integer('a * a * 9223372036854775807')))).toBe(
      integer('a * a * 9223372036854775807'),
    );
  });
});

describe('formulas of kind double', () => {
  it.each([
    ['7 / 2', 3.5],
    ['a / 2', 3.5],
    ['x * 1e3', 500],
    ['pow(2, 10)', 1024],
    ['sqrt(2)', Math.SQRT2],
    ['ln(exp(1))', 1],
    ['log10(1000)', 3],
    ['round(2.5) + floor(-0.5)', 2],
    ['a >= 7 ? x : 0', 0.5],
  ])('%s is %s', (formula, value) => {
    expect(double(formula)).toBeCloseTo(value, 12);
  });

  it.each([
    ['1 / (x - 0.5)', 'division-by-zero'],
    ['a & 1', 'not-a-number'],
    ['~a', 'not-a-number'],
    ['bits(a, 1, 0)', 'not-a-number'],
  ])('%s ends as %s', (formula, code) => {
    expect(codeOf(() => double(formula))).toBe(code);
  });
});

it('gives a value or a coded failure, whatever is written, and nothing else', () => {
  const part = fc.constantFrom(
    'a',
    'b',
    'x',
    'raw.low',
    '(',
    ')',
    '?',
    ':',
    '+',
    '-',
    '*',
    '/',
    '%',
    '<<',
    '>>',
    '&&',
    '||',
    '!',
    '~',
    ',',
    'bits(',
    'bcd(',
    'sqrt(',
    '0',
    '1',
    '63',
    '9223372036854775807',
    '1e308',
    '__proto__',
    'constructor(',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 24 }),
      fc.constantFrom('integer' as const, 'double' as const),
      (parts, kind) => {
        let formula: ReturnType<typeof parseFormula>;
        try {
          formula = parseFormula(parts.join(' '));
        } catch (error) {
          expect((error as Error).name).toBe('FormulaError');
          return;
        }
        const code = codeOf(() => calculate(formula, kind, lookup));
        expect(code === null || typeof code === 'string', String(code)).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

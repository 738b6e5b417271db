import { describe, expect, it } from 'vitest';
import { chipLimits } from './chip-rules.ts';
import { checkFormulaKind, FormulaError, type FormulaKind, namesIn, parseFormula } from './formula.ts';

const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error instanceof FormulaError ? error.code : error;
  }
  return null;
};

describe('formulas', () => {
  it('are read with the precedences of C', () => {
    expect(parseFormula('a + b * c')).toEqual(parseFormula('a + (b * c)'));
    expect(parseFormula('a * b >> 2')).toEqual(parseFormula('(a * b) >> 2'));
    expect(parseFormula('a & b == c')).toEqual(parseFormula('a & (b == c)'));
    expect(parseFormula('a - b - c')).toEqual(parseFormula('(a - b) - c'));
    expect(parseFormula('a ? b : c ? d : e')).toEqual(parseFormula('a ? b : (c ? d : e)'));
    expect(parseFormula('-a * b')).toEqual(parseFormula('(-a) * b'));
    expect(parseFormula(' a||b\t&& c ')).toEqual(parseFormula('a || (b && c)'));
  });

  it('name what they use', () => {
    expect([...namesIn(parseFormula('x.low + bits(y, 3, 0) * x.low'))].toSorted()).toEqual(['x.low', 'y']);
  });

  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['a +', 'unfinished'],
    ['(a', 'unfinished'],
    ['a b', 'unexpected'],
    ['a ? b', 'unfinished'],
    ['*a', 'unexpected'],
    ['a = b', 'character'],
    ['a; b', 'character'],
    ['a[0]', 'character'],
    ['"a"', 'character'],
    ['`a`', 'character'],
    ['а', 'character'],
    ['1e999', 'number'],
    ['eval(a)', 'unknown-function'],
    ['constructor(a)', 'unknown-function'],
    ['__proto__(a)', 'unknown-function'],
    ['min(a)', 'operands'],
    ['abs(a, b)', 'operands'],
    ['a.b.c', 'character'],
    ['a'.repeat(chipLimits.formulaMaxLength + 1), 'too-long'],
    ['('.repeat(100) + ')'.repeat(100), 'too-deep'],
    ['-'.repeat(100), 'too-deep'],
    ['abs('.repeat(90), 'too-deep'],
    ['1?'.repeat(90), 'too-deep'],
    [Array.from({ length: 190 }, () => '1').join('+'), 'too-large'],
  ])('are refused: %s gives %s', (formula, code) => {
    expect(codeOf(() => parseFormula(formula))).toBe(code);
  });

  it.each([
    ['a + 1', 'integer', null],
    ['a + 0.5', 'integer', 'not-integer'],
    ['a + x', 'integer', 'not-integer'],
    ['sqrt(a)', 'integer', 'not-integer'],
    ['9223372036854775808', 'integer', 'not-integer'],
    ['a + x', 'double', null],
    ['a & 1', 'double', 'needs-integer'],
    ['~a', 'double', 'needs-integer'],
    ['bcd(a)', 'double', 'needs-integer'],
    ['toString', 'double', 'unknown-name'],
    ['a.b', 'integer', 'unknown-name'],
  ] as const)('%s of kind %s: %s', (formula, kind, code) => {
    const kinds = new Map<string, FormulaKind>([
      ['a', 'integer'],
      ['x', 'double'],
    ]);
    expect(codeOf(() => checkFormulaKind(parseFormula(formula), kind, (name) => kinds.get(name)))).toBe(code);
  });
});

/**
 * Calculates the value of a formula. Formulas have no loops and a bounded number of parts, so each takes a bounded
 * number of steps. Integers are truncated to 64 bits after every step and cannot grow.
 */
import type { BinaryOperator, FormulaFunction, FormulaKind, FormulaNode } from '@wirebench/contract/chips';
import { ChipError } from './chip-error.ts';

/**
 * Returns a `bigint` for registers and integers, a `number` for doubles.
 *
 * @throws ChipError for a name without a value.
 */
export type Lookup = (name: string) => bigint | number;

/**
 * Calculates `formula`.
 *
 * @returns A bigint for kind `integer`, a number for kind `double`.
 * @throws ChipError
 */
export function calculate(formula: FormulaNode, kind: FormulaKind, lookup: Lookup): bigint | number {
  return kind === 'integer' ? integer(formula, lookup) : double(formula, lookup);
}

/** Truncates to 64 bits in two's complement, like `int64_t` in the data sheets' code. */
const cut = (value: bigint): bigint => BigInt.asIntN(64, value);

const truth = (value: boolean): bigint => (value ? 1n : 0n);

function integer(node: FormulaNode, lookup: Lookup): bigint {
  switch (node.kind) {
    case 'number':
      return cut(node.integer ?? failed('not-a-number'));
    case 'name': {
      const value = lookup(node.name);
      return typeof value === 'bigint' ? cut(value) : failed('not-a-number');
    }
    case 'unary': {
      const value = integer(node.operand, lookup);
      return node.operator === '-' ? cut(-value) : node.operator === '~' ? cut(~value) : truth(value === 0n);
    }
    case 'choice':
      return integer(integer(node.condition, lookup) === 0n ? node.whenFalse : node.whenTrue, lookup);
    case 'call':
      return integerCall(
        node.name,
        node.operands.map((operand) => integer(operand, lookup)),
      );
    case 'binary': {
      const left = integer(node.left, lookup);
      if (node.operator === '&&' || node.operator === '||') {
        const isDecided = (left === 0n) === (node.operator === '&&');
        return truth(isDecided ? left !== 0n : integer(node.right, lookup) !== 0n);
      }
      return cut(integerResult(node.operator, left, integer(node.right, lookup)));
    }
  }
}

function integerResult(operator: Exclude<BinaryOperator, '&&' | '||'>, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0n ? failed('division-by-zero') : left / right;
    case '%':
      return right === 0n ? failed('division-by-zero') : left % right;
    case '<<':
      return left << shift(right);
    case '>>':
      return left >> shift(right);
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    default:
      return truth(compare(operator, left, right));
  }
}

function compare<Value extends bigint | number>(
  operator: '==' | '!=' | '<' | '<=' | '>' | '>=',
  left: Value,
  right: Value,
): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

function shift(amount: bigint): bigint {
  return amount < 0n || amount > 63n ? failed('shift') : amount;
}

function integerCall(name: FormulaFunction, [first = 0n, second = 0n, third = 0n]: readonly bigint[]): bigint {
  switch (name) {
    case 'abs':
      return cut(first < 0n ? -first : first);
    case 'min':
      return first < second ? first : second;
    case 'max':
      return first > second ? first : second;
    case 'bits':
      return third < 0n || second > 63n || second < third
        ? failed('bit-range')
        : cut(BigInt.asUintN(Number(second - third) + 1, first >> third));
    case 'signed':
      return second < 1n || second > 64n ? failed('bit-range') : BigInt.asIntN(Number(second), first);
    case 'bcd':
      return fromBcd(first);
    default:
      return failed('not-a-number');
  }
}

/** Decodes binary-coded decimal: two decimal digits in each byte, as real-time clocks store time. */
function fromBcd(value: bigint): bigint {
  const digits = BigInt.asUintN(64, value).toString(16);
  return /^\d+$/.test(digits) ? BigInt(digits) : failed('not-bcd');
}

function double(node: FormulaNode, lookup: Lookup): number {
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'name':
      return Number(lookup(node.name));
    case 'unary': {
      const value = double(node.operand, lookup);
      return node.operator === '-' ? -value : node.operator === '!' ? Number(value === 0) : failed('not-a-number');
    }
    case 'choice':
      return double(double(node.condition, lookup) === 0 ? node.whenFalse : node.whenTrue, lookup);
    case 'call':
      return doubleCall(
        node.name,
        node.operands.map((operand) => double(operand, lookup)),
      );
    case 'binary': {
      const left = double(node.left, lookup);
      if (node.operator === '&&' || node.operator === '||') {
        const isDecided = (left === 0) === (node.operator === '&&');
        return Number(isDecided ? left !== 0 : double(node.right, lookup) !== 0);
      }
      return doubleResult(node.operator, left, double(node.right, lookup));
    }
  }
}

function doubleResult(operator: Exclude<BinaryOperator, '&&' | '||'>, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? failed('division-by-zero') : left / right;
    case '%':
      return right === 0 ? failed('division-by-zero') : left % right;
    case '<<':
    case '>>':
    case '&':
    case '|':
    case '^':
      return failed('not-a-number');
    default:
      return Number(compare(operator, left, right));
  }
}

function doubleCall(name: FormulaFunction, [first = 0, second = 0]: readonly number[]): number {
  switch (name) {
    case 'abs':
      return Math.abs(first);
    case 'min':
      return Math.min(first, second);
    case 'max':
      return Math.max(first, second);
    case 'sqrt':
      return Math.sqrt(first);
    case 'ln':
      return Math.log(first);
    case 'log10':
      return Math.log10(first);
    case 'exp':
      return Math.exp(first);
    case 'pow':
      return first ** second;
    case 'round':
      return Math.round(first);
    case 'floor':
      return Math.floor(first);
    default:
      return failed('not-a-number');
  }
}

function failed(code: ConstructorParameters<typeof ChipError>[0]): never {
  throw new ChipError(code);
}

/**
 * Parses the formulas of chip descriptions into trees of bounded size and depth, and checks their kind of numbers. The caller
 * knows the values of names; `@wirebench/lab/chip-jkit` calculates.
 *
 *     temp_raw * 175 / 65535 - 45        (kind double)
 *     ((raw >> 3) - (dig_T1 << 1)) * dig_T2 >> 11        (kind integer)
 *
 * Operators from lowest to highest precedence, as in C: `? :`, `||`, `&&`, `|`, `^`, `&`, `== !=`, `< <= > >=`, `<< >>`,
 * `+ -`, `* / %`, and the prefixes `- ~ !`. Comparisons and logical operators give 1 or 0.
 */
import { chipLimits } from './chip-rules.ts';

/** `integer`: 64 bits, two's complement, `/` and `%` as in C. `double`: IEEE 754, without bitwise operations. */
export const formulaKinds = ['integer', 'double'] as const;
export type FormulaKind = (typeof formulaKinds)[number];

/** Function → its number of operands, and the kinds of formulas that may use it. */
const functions = {
  abs: { operands: 1, kinds: ['integer', 'double'] },
  min: { operands: 2, kinds: ['integer', 'double'] },
  max: { operands: 2, kinds: ['integer', 'double'] },
  /** `bits(value, high, low)`: the bits from `high` down to `low`, as an unsigned number. */
  bits: { operands: 3, kinds: ['integer'] },
  /** `signed(value, width)`: the lowest `width` bits as a two's complement number. */
  signed: { operands: 2, kinds: ['integer'] },
  /** Decodes binary-coded decimal: two decimal digits in each byte. */
  bcd: { operands: 1, kinds: ['integer'] },
  sqrt: { operands: 1, kinds: ['double'] },
  ln: { operands: 1, kinds: ['double'] },
  log10: { operands: 1, kinds: ['double'] },
  exp: { operands: 1, kinds: ['double'] },
  pow: { operands: 2, kinds: ['double'] },
  round: { operands: 1, kinds: ['double'] },
  floor: { operands: 1, kinds: ['double'] },
} as const satisfies Record<string, { operands: number; kinds: readonly FormulaKind[] }>;
export type FormulaFunction = keyof typeof functions;

/** Names of functions, which registers and values may not have. */
export const formulaFunctions: ReadonlySet<string> = new Set(Object.keys(functions));

const precedence = new Map<string, number>([
  ['||', 1],
  ['&&', 2],
  ['|', 3],
  ['^', 4],
  ['&', 5],
  ['==', 6],
  ['!=', 6],
  ['<', 7],
  ['<=', 7],
  ['>', 7],
  ['>=', 7],
  ['<<', 8],
  ['>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['%', 10],
]);

type UnaryOperator = '-' | '~' | '!';
export type BinaryOperator =
  | '||'
  | '&&'
  | '|'
  | '^'
  | '&'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '<<'
  | '>>'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

export type FormulaNode =
  /** @property integer Null if the number has a fraction, an exponent, or more than 63 bits. */
  | { readonly kind: 'number'; readonly value: number; readonly integer: bigint | null }
  /** The name of a register or a value, or `register.field`. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: FormulaNode }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: FormulaNode;
      readonly right: FormulaNode;
    }
  | {
      readonly kind: 'choice';
      readonly condition: FormulaNode;
      readonly whenTrue: FormulaNode;
      readonly whenFalse: FormulaNode;
    }
  | { readonly kind: 'call'; readonly name: FormulaFunction; readonly operands: readonly FormulaNode[] };

export type FormulaFault =
  | 'empty'
  | 'too-long'
  | 'too-deep'
  | 'too-large'
  | 'character'
  | 'number'
  | 'unexpected'
  | 'unfinished'
  | 'unknown-function'
  | 'operands'
  | 'unknown-name'
  | 'not-integer'
  | 'needs-integer';

const faultText = {
  empty: 'The formula is empty',
  'too-long': `A formula cannot exceed ${chipLimits.formulaMaxLength} characters`,
  'too-deep': `The formula is nested more than ${chipLimits.formulaDepth} deep`,
  'too-large': `The formula has more than ${chipLimits.formulaNodes} parts`,
  character: 'The formula contains a character that has no meaning here',
  number: 'The formula contains a number that cannot be read',
  unexpected: 'The formula has something in the wrong place',
  unfinished: 'The formula ends too early',
  'unknown-function': 'The formula uses an unknown function',
  operands: 'The formula gives a function the wrong number of operands',
  'unknown-name': 'The formula uses a name that is not defined before it',
  'not-integer': 'An integer formula cannot use fractions or values of kind double',
  'needs-integer': 'Operations on bits need a formula of kind integer',
} satisfies Record<FormulaFault, string>;

export class FormulaError extends Error {
  readonly code: FormulaFault;

  /** @param part Part of the formula that is at fault, for the message. */
  constructor(code: FormulaFault, part = '') {
    super(part === '' ? faultText[code] : `${faultText[code]}: ${part}`);
    this.name = 'FormulaError';
    this.code = code;
  }
}

/**
 * Parses a formula into a tree of at most `chipLimits.formulaNodes` nodes.
 *
 * @throws FormulaError if the text is not a formula or exceeds a limit.
 */
export function parseFormula(text: string): FormulaNode {
  if (text.length > chipLimits.formulaMaxLength) {
    throw new FormulaError('too-long');
  }
  return new FormulaReader(tokensOf(text)).read();
}

interface Token {
  readonly type: 'number' | 'name' | 'sign';
  readonly text: string;
}

const tokenForm =
  /\s*(?:(?<number>0[xX][\dA-Fa-f]+|0[bB][01]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)|(?<sign>\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%&|^~!<>?:(),]))/y;

function tokensOf(text: string): readonly Token[] {
  const source = text.trimEnd();
  const tokens: Token[] = [];
  const form = new RegExp(tokenForm);
  while (form.lastIndex < source.length) {
    const at = form.lastIndex;
    const groups = form.exec(source)?.groups;
    const [type, found] = Object.entries(groups ?? {}).find(([, part]) => part !== undefined) ?? [];
    if (found === undefined || !(type === 'number' || type === 'name' || type === 'sign')) {
      throw new FormulaError('character', source.slice(at).trimStart().slice(0, 1));
    }
    tokens.push({ type, text: found });
  }
  return tokens;
}

class FormulaReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #nodes = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): FormulaNode {
    if (this.#tokens.length === 0) {
      throw new FormulaError('empty');
    }
    const node = this.#choice();
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) {
      throw new FormulaError('unexpected', rest.text);
    }
    return node;
  }

  #choice(): FormulaNode {
    return this.#deeper(() => {
      const condition = this.#binary(1);
      if (!this.#took('?')) {
        return condition;
      }
      const whenTrue = this.#choice();
      this.#expect(':');
      return this.#counted({ kind: 'choice', condition, whenTrue, whenFalse: this.#choice() });
    });
  }

  #binary(least: number): FormulaNode {
    let left = this.#unary();
    for (;;) {
      const operator = this.#tokens[this.#at]?.text ?? '';
      const strength = precedence.get(operator);
      if (strength === undefined || strength < least) {
        return left;
      }
      this.#at++;
      const right = this.#binary(strength + 1);
      left = this.#counted({ kind: 'binary', operator: operator as BinaryOperator, left, right });
    }
  }

  #unary(): FormulaNode {
    const { text } = this.#tokens[this.#at] ?? { text: '' };
    if (text !== '-' && text !== '~' && text !== '!') {
      return this.#primary();
    }
    this.#at++;
    return this.#deeper(() => this.#counted({ kind: 'unary', operator: text, operand: this.#unary() }));
  }

  #primary(): FormulaNode {
    const token = this.#tokens[this.#at];
    if (token === undefined) {
      throw new FormulaError('unfinished');
    }
    this.#at++;
    if (token.type === 'number') {
      return this.#counted(numberNode(token.text));
    }
    if (token.type === 'name') {
      return this.#took('(') ? this.#call(token.text) : this.#counted({ kind: 'name', name: token.text });
    }
    if (token.text !== '(') {
      throw new FormulaError('unexpected', token.text);
    }
    const inner = this.#choice();
    this.#expect(')');
    return inner;
  }

  #call(name: string): FormulaNode {
    if (!isFunction(name)) {
      throw new FormulaError('unknown-function', name);
    }
    const operands = [this.#choice()];
    while (this.#took(',')) {
      operands.push(this.#choice());
    }
    this.#expect(')');
    if (operands.length !== functions[name].operands) {
      throw new FormulaError('operands', name);
    }
    return this.#counted({ kind: 'call', name, operands });
  }

  #took(text: string): boolean {
    const found = this.#tokens[this.#at]?.text === text;
    if (found) {
      this.#at++;
    }
    return found;
  }

  #expect(text: string): void {
    if (!this.#took(text)) {
      const found = this.#tokens[this.#at];
      throw found === undefined ? new FormulaError('unfinished') : new FormulaError('unexpected', found.text);
    }
  }

  #counted(node: FormulaNode): FormulaNode {
    if (++this.#nodes > chipLimits.formulaNodes) {
      throw new FormulaError('too-large');
    }
    return node;
  }

  #deeper(read: () => FormulaNode): FormulaNode {
    if (++this.#depth > chipLimits.formulaDepth) {
      throw new FormulaError('too-deep');
    }
    const node = read();
    this.#depth--;
    return node;
  }
}

function isFunction(name: string): name is FormulaFunction {
  return formulaFunctions.has(name);
}

function numberNode(text: string): FormulaNode {
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new FormulaError('number', text);
  }
  const integer = /^(0[xXbB][\dA-Fa-f]+|\d+)$/.test(text) ? BigInt(text) : null;
  return { kind: 'number', value, integer: integer !== null && integer < 1n << 63n ? integer : null };
}

/** Returns the names of registers and values that a formula uses, each once. */
export function namesIn(formula: FormulaNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(formula, (node) => {
    if (node.kind === 'name') {
      names.add(node.name);
    }
  });
  return names;
}

const onBits: ReadonlySet<string> = new Set(['&', '|', '^', '~', '<<', '>>']);

/**
 * Checks that every name, number and operation in a formula is allowed for its kind.
 *
 * @param kindOf Returns the kind of a named value, undefined for an unknown name.
 * @throws FormulaError for the first that is not allowed.
 */
export function checkFormulaKind(
  formula: FormulaNode,
  kind: FormulaKind,
  kindOf: (name: string) => FormulaKind | undefined,
): void {
  visit(formula, (node) => {
    if (node.kind === 'name') {
      const named = kindOf(node.name);
      if (named === undefined) {
        throw new FormulaError('unknown-name', node.name);
      }
      if (kind === 'integer' && named === 'double') {
        throw new FormulaError('not-integer', node.name);
      }
    } else if (node.kind === 'number') {
      if (kind === 'integer' && node.integer === null) {
        throw new FormulaError('not-integer', String(node.value));
      }
    } else if (node.kind === 'call') {
      const kinds: readonly FormulaKind[] = functions[node.name].kinds;
      if (!kinds.includes(kind)) {
        throw new FormulaError(kind === 'integer' ? 'not-integer' : 'needs-integer', node.name);
      }
    } else if (node.kind !== 'choice' && kind === 'double' && onBits.has(node.operator)) {
      throw new FormulaError('needs-integer', node.operator);
    }
  });
}

function visit(node: FormulaNode, see: (node: FormulaNode) => void): void {
  see(node);
  for (const part of partsOf(node)) {
    visit(part, see);
  }
}

function partsOf(node: FormulaNode): readonly FormulaNode[] {
  switch (node.kind) {
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'choice':
      return [node.condition, node.whenTrue, node.whenFalse];
    case 'call':
      return node.operands;
    default:
      return [];
  }
}

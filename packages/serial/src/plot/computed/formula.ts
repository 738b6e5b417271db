/**
 * Formula of a computed curve. The text is read once into a tree, and no part of it runs as code.
 *
 * Numbers, `+ - * / ( )`, names of curves, `min`, `max`, `abs` and `sqrt`. A name with other characters than letters, digits, `_` and `.`
 * stands in double quotes; `2:name` is the curve of port 2. `prev` is the curve's own last value, 0 before the first. `prev(name)` is the
 * value that a curve had one point earlier. `dt` is the time since the last point in seconds, 0 at the first.
 */

/** Longest text of a formula, in UTF-16 code units. */
export const maxFormula = 400;
/** Deepest nesting of a formula. */
const MAX_DEPTH = 32;

/** A curve that a formula names. */
export interface CurveName {
  /** Null: the only port that has such a curve. */
  readonly port: number | null;
  readonly name: string;
}

export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  /** @param source Index into `sources`. */
  | { readonly kind: 'curve' | 'before'; readonly source: number }
  | { readonly kind: 'own' | 'seconds' }
  | { readonly kind: '+' | '-' | '*' | '/'; readonly left: Formula; readonly right: Formula }
  | { readonly kind: FunctionName; readonly parts: readonly Formula[] };

export interface ReadFormula {
  readonly root: Formula;
  /** Curves that it names, each once. */
  readonly sources: readonly CurveName[];
}

/** A place in a text that is no formula. */
export interface FormulaFault {
  /** Index of the character, in UTF-16 code units. */
  readonly at: number;
  readonly reason: 'value' | 'operator' | 'bracket' | 'quote' | 'call' | 'too-long' | 'too-deep' | 'no-curve';
}

const functions = { min: [2, 8], max: [2, 8], abs: [1, 1], sqrt: [1, 1] } as const;
type FunctionName = keyof typeof functions;

const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name);

interface Token {
  readonly kind: 'number' | 'name' | 'quoted' | 'mark' | 'end';
  readonly text: string;
  readonly at: number;
}

const tokenForm =
  /\s*(?:(?<name>(?:[1-9]:)?[\p{L}_][\p{L}\p{N}_.]*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?<quoted>"[^"]*")|(?<mark>[-+*/(),]))/uy;

/** Reads a formula, or returns the first place at which it is none. */
export function readFormula(text: string): ReadFormula | FormulaFault {
  if (text.length > maxFormula) {
    return { at: maxFormula, reason: 'too-long' };
  }
  try {
    return new FormulaReader(tokensOf(text)).read();
  } catch (error) {
    if (error instanceof Fault) {
      return { at: error.at, reason: error.reason };
    }
    throw error;
  }
}

class Fault extends Error {
  readonly at: number;
  readonly reason: FormulaFault['reason'];

  constructor(at: number, reason: FormulaFault['reason']) {
    super(reason);
    this.at = at;
    this.reason = reason;
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  tokenForm.lastIndex = 0;
  let from = 0;
  while (text.slice(from).trim() !== '') {
    const found = tokenForm.exec(text);
    if (found === null) {
      const at = from + (text.slice(from).length - text.slice(from).trimStart().length);
      throw new Fault(at, text[at] === '"' ? 'quote' : 'value');
    }
    const [kind, token] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? ['mark', ''];
    from = tokenForm.lastIndex;
    tokens.push({ kind: kind as Token['kind'], text: token ?? '', at: from - (token ?? '').length });
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}

class FormulaReader {
  readonly #tokens: readonly Token[];
  readonly #sources: CurveName[] = [];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): ReadFormula {
    const root = this.#sum();
    const { kind, text, at } = this.#token;
    if (kind !== 'end') {
      throw new Fault(at, text === ')' ? 'bracket' : 'operator');
    }
    if (this.#sources.length === 0) {
      throw new Fault(0, 'no-curve');
    }
    return { root, sources: this.#sources };
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  /** Takes a mark if it comes next. */
  #takes(mark: string): boolean {
    const isNext = this.#token.kind === 'mark' && this.#token.text === mark;
    this.#next += isNext ? 1 : 0;
    return isNext;
  }

  #sum(): Formula {
    if (++this.#depth > MAX_DEPTH) {
      throw new Fault(this.#token.at, 'too-deep');
    }
    let left = this.#product();
    for (;;) {
      const kind = this.#takes('+') ? '+' : this.#takes('-') ? '-' : null;
      if (kind === null) {
        this.#depth--;
        return left;
      }
      left = { kind, left, right: this.#product() };
    }
  }

  #product(): Formula {
    let left = this.#factor();
    for (;;) {
      const kind = this.#takes('*') ? '*' : this.#takes('/') ? '/' : null;
      if (kind === null) {
        return left;
      }
      left = { kind, left, right: this.#factor() };
    }
  }

  #factor(): Formula {
    let isNegative = false;
    while (this.#takes('-')) {
      isNegative = !isNegative;
    }
    const part = this.#part();
    return isNegative ? { kind: '-', left: { kind: 'number', value: 0 }, right: part } : part;
  }

  #part(): Formula {
    const token = this.#token;
    if (this.#takes('(')) {
      const part = this.#sum();
      this.#close();
      return part;
    }
    this.#next++;
    switch (token.kind) {
      case 'number':
        return { kind: 'number', value: Number(token.text) };
      case 'quoted':
        return { kind: 'curve', source: this.#source(token) };
      case 'name':
        return this.#named(token);
      default:
        throw new Fault(token.at, 'value');
    }
  }

  #named(token: Token): Formula {
    const { text } = token;
    if (text === 'dt') {
      return { kind: 'seconds' };
    }
    if (text === 'prev') {
      return this.#takes('(') ? this.#before() : { kind: 'own' };
    }
    if (!isFunction(text)) {
      return { kind: 'curve', source: this.#source(token) };
    }
    if (!this.#takes('(')) {
      throw new Fault(token.at, 'call');
    }
    const parts = [this.#sum()];
    while (this.#takes(',')) {
      parts.push(this.#sum());
    }
    this.#close();
    const [least, most] = functions[text];
    if (parts.length < least || parts.length > most) {
      throw new Fault(token.at, 'call');
    }
    return { kind: text, parts };
  }

  #before(): Formula {
    const token = this.#token;
    if (token.kind !== 'name' && token.kind !== 'quoted') {
      throw new Fault(token.at, 'call');
    }
    this.#next++;
    const source = this.#source(token);
    this.#close();
    return { kind: 'before', source };
  }

  #close(): void {
    if (!this.#takes(')')) {
      throw new Fault(this.#token.at, 'bracket');
    }
  }

  #source({ kind, text }: Token): number {
    const plain = kind === 'quoted' ? text.slice(1, -1) : text;
    const [, port, name = plain] = /^([1-9]):(.+)$/.exec(plain) ?? [];
    const source: CurveName = { port: port === undefined ? null : Number(port), name };
    const known = this.#sources.findIndex((one) => one.port === source.port && one.name === source.name);
    return known >= 0 ? known : this.#sources.push(source) - 1;
  }
}

/** Values at a point. NaN: there is none. */
export interface FormulaValues {
  /** By index of the source. */
  readonly now: Float64Array;
  readonly before: Float64Array;
  /** The curve's own last value, 0 before the first. */
  readonly own: number;
  /** Seconds since the last point, 0 at the first. */
  readonly seconds: number;
}

/** Computes a value; NaN if there is none, as for a division by zero or the root of a negative number. */
export function valueOf(formula: Formula, values: FormulaValues): number {
  const value = computed(formula, values);
  return Number.isFinite(value) ? value : Number.NaN;
}

function computed(formula: Formula, values: FormulaValues): number {
  switch (formula.kind) {
    case 'number':
      return formula.value;
    case 'curve':
      return values.now[formula.source] as number;
    case 'before':
      return values.before[formula.source] as number;
    case 'own':
      return values.own;
    case 'seconds':
      return values.seconds;
    case '+':
      return computed(formula.left, values) + computed(formula.right, values);
    case '-':
      return computed(formula.left, values) - computed(formula.right, values);
    case '*':
      return computed(formula.left, values) * computed(formula.right, values);
    case '/':
      return computed(formula.left, values) / computed(formula.right, values);
    default:
      return Math[formula.kind](...(formula.parts.map((part) => computed(part, values)) as [number]));
  }
}

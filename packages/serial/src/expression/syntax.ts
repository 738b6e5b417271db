/**
 * Parses the structure of a regular expression (ECMA-262, "Patterns", and its Annex B for those without the flag
 * `u`). The source is known to be valid, so the parser only separates its parts. The source of a single character
 * stays as written, for `characters.ts`.
 */
import { ExpressionError } from './expression-error.ts';

export type Assertion = 'start' | 'end' | 'boundary' | 'no-boundary';

export type Node =
  /**
   * One character.
   *
   * @property atom Source of an expression that matches exactly the allowed characters.
   */
  | { readonly kind: 'character'; readonly atom: string }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly node: Node;
      readonly least: number;
      /** Infinity: no limit. */
      readonly most: number;
      readonly greedy: boolean;
    }
  /** A capture group. @property number From 1, in the order of the opening brackets. */
  | { readonly kind: 'group'; readonly number: number; readonly name: string | null; readonly node: Node };

/** Deepest nesting of groups, so that no expression overflows the stack. */
const MAX_DEPTH = 100;

const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y;
const plainGroup = /\((?!\?)|\(\?(?::|<(?![=!])[^>]*>)/y;
const characterClass = /\[(?:\\.|[^\]\\])*\]/sy;
const legacyEscape = /\\(?:0[0-7]{0,2}|c[A-Za-z]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|.)/sy;
const surrogatePair = /\\u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}/y;
const unicodeEscape = /\\(?:0|c[A-Za-z]|x[\dA-Fa-f]{2}|u\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|[pP]\{[^}]*\}|.)/sy;

/**
 * Parses an expression.
 *
 * @param source Source that is valid with its flags.
 * @throws ExpressionError for syntax that is not supported, or nested too deeply.
 */
export function parseExpression(source: string, unicode: boolean): Node {
  return new Parser(source, unicode).choice(0);
}

class Parser {
  readonly #source: string;
  readonly #unicode: boolean;
  #at = 0;
  #groups = 0;

  constructor(source: string, unicode: boolean) {
    this.#source = source;
    this.#unicode = unicode;
  }

  /** Parses up to the end of the source or of the group. */
  choice(depth: number): Node {
    if (depth > MAX_DEPTH) {
      throw new ExpressionError('too-large');
    }
    const options = [this.#sequence(depth)];
    while (this.#skip('|')) {
      options.push(this.#sequence(depth));
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  #sequence(depth: number): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#next)) {
      parts.push(this.#quantified(this.#single(depth)));
    }
    return { kind: 'sequence', parts };
  }

  #single(depth: number): Node {
    switch (this.#next) {
      case '(':
        return this.#group(depth);
      case '[':
        return { kind: 'character', atom: this.#take(characterClass) ?? '' };
      case '\\':
        return this.#escape();
      case '^':
      case '$':
        return { kind: 'assertion', assertion: this.#source[this.#at++] === '^' ? 'start' : 'end' };
      case '.':
        this.#at++;
        return { kind: 'character', atom: '.' };
      default:
        return { kind: 'character', atom: this.#literal() };
    }
  }

  #group(depth: number): Node {
    const opening = this.#take(plainGroup);
    if (opening === undefined) {
      throw new ExpressionError(/^\(\?<?[=!]/.test(this.#source.slice(this.#at)) ? 'lookaround' : 'modifiers');
    }
    const number = opening === '(?:' ? null : ++this.#groups;
    const node = this.choice(depth + 1);
    this.#skip(')');
    return number === null ? node : { kind: 'group', number, name: opening.slice(3, -1) || null, node };
  }

  #escape(): Node {
    const after = this.#source[this.#at + 1] ?? '';
    if (after === 'b' || after === 'B') {
      this.#at += 2;
      return { kind: 'assertion', assertion: after === 'b' ? 'boundary' : 'no-boundary' };
    }
    if (/[1-9k]/.test(after)) {
      throw new ExpressionError('backreference');
    }
    if (after === 'c' && !/[A-Za-z]/.test(this.#source[this.#at + 2] ?? '')) {
      // Annex B: a backslash by itself, followed by a c.
      this.#at++;
      return { kind: 'character', atom: '\\\\' };
    }
    const atom = this.#unicode ? (this.#take(surrogatePair) ?? this.#take(unicodeEscape)) : this.#take(legacyEscape);
    return { kind: 'character', atom: atom ?? '' };
  }

  /** Returns the next character as an escape, so that it has no special meaning. */
  #literal(): string {
    if (this.#unicode) {
      const code = this.#source.codePointAt(this.#at) ?? 0;
      this.#at += code > 0xffff ? 2 : 1;
      return `\\u{${code.toString(16)}}`;
    }
    const code = this.#source.charCodeAt(this.#at++);
    return `\\u${code.toString(16).padStart(4, '0')}`;
  }

  #quantified(node: Node): Node {
    quantifier.lastIndex = this.#at;
    const match = quantifier.exec(this.#source);
    if (match === null) {
      return node;
    }
    this.#at = quantifier.lastIndex;
    const [, sign, low = '', comma, high = '', lazy] = match;
    const least = sign === undefined ? Number(low) : sign === '+' ? 1 : 0;
    const limit = comma === undefined ? least : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    const most = sign === undefined ? limit : sign === '?' ? 1 : Number.POSITIVE_INFINITY;
    return { kind: 'repeat', node, least, most, greedy: lazy === '' };
  }

  get #next(): string {
    return this.#source.charAt(this.#at);
  }

  #skip(character: string): boolean {
    const found = this.#next === character;
    this.#at += found ? 1 : 0;
    return found;
  }

  /** Takes the text that `pattern` matches here; undefined without a match. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [text] = pattern.exec(this.#source) ?? [];
    this.#at += text?.length ?? 0;
    return text;
  }
}

/**
 * Parses the filter field into a `LineQuery`. Words side by side are one phrase, as typed. `and:` before a word, or quotes around each,
 * part words: a line must contain all of them, in any order. `/…/flags` is a regular
 * expression, `hex:B5 62` bytes; `not:` before any of them excludes its lines. `port:1,2`, `dir:rx,tx,notice` and
 * `level:warning,error` restrict the lines. `unit:7` and `speed>1400` also compare the fields of frames. Text that looks like a token can be searched in quotes.
 */
import { parseQuery } from '@wirebench/frames';
import { readLiteral } from './expression/read-literal.ts';
import { parseHexInput } from './hex-input.ts';
import { type LineQuery, type LineTerm, SearchQueryError, type SearchTerm } from './line-query.ts';
import { type PortNumber, portNumbers } from './port-number.ts';
import { maxInputLength } from './send-input.ts';
import { expressionOf } from './term-patterns.ts';
import type { NoticeLevel, Row } from './timeline-rows.ts';

export type FilterFailure =
  | 'unknown-port'
  | 'unknown-direction'
  | 'unknown-level'
  | 'nothing-behind'
  | 'unclosed-quote'
  | 'unclosed-expression'
  | 'unknown-flag'
  | 'bad-expression'
  | 'bad-hex'
  | 'odd-hex'
  | 'long-hex';

/** Texts by failure. `{text}` is the faulty input, `{detail}` the error of a regular expression. */
export const filterFailureText = {
  'unknown-port': 'There is no port {text}. Ports are 1 to 4, as in port:1,2.',
  'unknown-direction': 'There is no direction {text}. Directions are rx, tx and notice, as in dir:rx,tx.',
  'unknown-level': 'There is no level {text}. Levels are info, success, warning and error.',
  'nothing-behind': 'Nothing follows {text}',
  'unclosed-quote': 'This quote is not closed. Close it with ".',
  'unclosed-expression':
    'This expression is not closed. Close it with /, or put text that begins with a slash in quotes.',
  'unknown-flag': 'There is no flag {text}. Flags are i, s and u. Text that begins with a slash goes in quotes.',
  'bad-expression': '{detail}',
  'bad-hex': '{text} has characters that are not hex digits',
  'odd-hex': '{text} needs two hex digits for each byte',
  'long-hex': `This is too long. A search can have at most ${maxInputLength} hex digits.`,
} satisfies Record<FilterFailure, string>;

/** One token of the field and its range in the text, in UTF-16 units. */
interface FilterToken {
  readonly kind: 'ports' | 'directions' | 'levels' | 'term';
  readonly start: number;
  readonly end: number;
}

export type FilterField =
  | { readonly ok: true; readonly query: LineQuery; readonly tokens: readonly FilterToken[] }
  | {
      readonly ok: false;
      readonly code: FilterFailure;
      readonly message: string;
      /** Range of the fault in the field, in UTF-16 units. */
      readonly start: number;
      readonly end: number;
    };

export interface FilterFieldOptions {
  /** True: words match case-sensitively. Default: false. A regular expression has its own flag for it. */
  readonly matchCase?: boolean;
}

export function parseFilterField(text: string, { matchCase = false }: FilterFieldOptions = {}): FilterField {
  try {
    return new FieldReader(text, !matchCase).read();
  } catch (error) {
    if (error instanceof FieldFault) {
      const { code, start, end, message } = error;
      return { ok: false, code, message, start, end };
    }
    throw error;
  }
}

/** Returns the field with its phrases parted into words, by `and:`. Returns null if it has no phrase of several words. */
export function partWords(field: string): string | null {
  return rewritten(field, (term) => (isPhrase(term) ? term.replaceAll(/(\S)\s+(?=\S)/g, '$1 and:') : term));
}

/** Returns the field with words that `and:` parts as one phrase again. Returns null if it has none. */
export function joinWords(field: string): string | null {
  return rewritten(field, (term) => term.replace(/^and:(?=[^"/])/i, ''));
}

/** Spells the field as versions before `and:` read it: phrases in quotes. */
export function withQuotes(field: string): string {
  const spelled = rewritten(field, (term) => {
    const text = term.replace(/^and:/i, '');
    return isPhrase(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : text;
  });
  return spelled ?? field;
}

/** Returns true for words side by side, without quotes. */
const isPhrase = (term: string) => /^(?:and:)?(?!["/]|hex:|not:)\S+\s/i.test(term);

/** Returns the field with its terms replaced; null if it stays the same. */
function rewritten(field: string, change: (term: string) => string): string | null {
  const parsed = parseFilterField(field);
  if (!parsed.ok) {
    return null;
  }
  let text = field;
  for (const { kind, start, end } of parsed.tokens.toReversed()) {
    if (kind === 'term') {
      text = `${text.slice(0, start)}${change(field.slice(start, end))}${text.slice(end)}`;
    }
  }
  return text === field ? null : text;
}

class FieldFault extends Error {
  readonly code: FilterFailure;
  readonly start: number;
  readonly end: number;

  constructor(code: FilterFailure, text: string, start: number, end: number, detail = '') {
    super(filterFailureText[code].replace('{text}', () => text.slice(start, end)).replace('{detail}', () => detail));
    this.name = 'FieldFault';
    this.code = code;
    this.start = start;
    this.end = end;
  }
}

const directions: ReadonlyMap<string, Row['direction']> = new Map([
  ['rx', 'received'],
  ['tx', 'sent'],
  ['notice', 'notice'],
]);
const levels: ReadonlyMap<string, NoticeLevel> = new Map(
  (['info', 'success', 'warning', 'error'] as const).map((level) => [level, level]),
);
const ports: ReadonlyMap<string, PortNumber> = new Map(portNumbers.map((port) => [`${port}`, port]));

/**
 * Divides a phrase that consists of comparisons alone: each is found in the fields of a frame, and as text in other
 * lines.
 */
function withComparisons(term: Extract<SearchTerm, { kind: 'text' }>): readonly SearchTerm[] {
  const { comparisons, text } = parseQuery(term.text, () => true);
  return comparisons.length === 0 || text !== ''
    ? [term]
    : comparisons.map((comparison) => ({ ...term, text: comparison.text.trim(), comparison }));
}

class FieldReader {
  readonly #text: string;
  readonly #ignoreCase: boolean;
  readonly #tokens: FilterToken[] = [];
  readonly #terms: LineTerm[] = [];
  readonly #ports = new Set<PortNumber>();
  readonly #directions = new Set<Row['direction']>();
  readonly #levels = new Set<NoticeLevel>();
  #at = 0;

  constructor(text: string, ignoreCase: boolean) {
    this.#text = text;
    this.#ignoreCase = ignoreCase;
  }

  read(): FilterField {
    while (this.#match(/\s*(?=\S)/y) !== null) {
      const start = this.#at;
      const kind = this.#token();
      this.#tokens.push({ kind, start, end: this.#at });
    }
    const query: LineQuery = {
      terms: this.#terms,
      ...(this.#ports.size > 0 && { ports: [...this.#ports] }),
      ...(this.#directions.size > 0 && { directions: [...this.#directions] }),
      ...(this.#levels.size > 0 && { levels: [...this.#levels] }),
    };
    return { ok: true, query, tokens: this.#tokens };
  }

  #token(): FilterToken['kind'] {
    if (this.#match(/port:/iy) !== null) {
      this.#choices(ports, this.#ports, 'unknown-port');
      return 'ports';
    }
    if (this.#match(/dir:/iy) !== null) {
      this.#choices(directions, this.#directions, 'unknown-direction');
      return 'directions';
    }
    if (this.#match(/level:/iy) !== null) {
      this.#choices(levels, this.#levels, 'unknown-level');
      return 'levels';
    }
    this.#match(/and:/iy);
    const not = this.#match(/not:/iy) !== null;
    const start = this.#at;
    const term = this.#term();
    const isQuoted = this.#text[start] === '"';
    const isBare = term.kind === 'text' && !not && !isQuoted;
    const whole = isBare ? { ...term, text: term.text + this.#restOfPhrase() } : term;
    const terms = whole.kind === 'text' && !isQuoted ? withComparisons(whole) : [whole];
    this.#terms.push(...terms.map((one) => (not ? { ...one, not } : one)));
    return 'term';
  }

  /** Reads values separated by commas. */
  #choices<Value>(known: ReadonlyMap<string, Value>, chosen: Set<Value>, unknown: FilterFailure): void {
    do {
      const start = this.#at;
      const word = this.#match(/[^\s,]*/y) ?? '';
      const value = known.get(word.toLowerCase());
      if (value === undefined) {
        throw word === '' ? this.#nothingBehind() : this.#fault(unknown, start);
      }
      chosen.add(value);
    } while (this.#match(/,/y) !== null);
  }

  #term(): SearchTerm {
    if (this.#match(/hex:/iy) !== null) {
      return this.#hex();
    }
    if (this.#isExpression(true)) {
      return this.#expression(this.#at);
    }
    const text = this.#word();
    if (text === '') {
      throw this.#nothingBehind();
    }
    return { kind: 'text', text, ignoreCase: this.#ignoreCase };
  }

  /** Takes the words behind a bare word, with the blanks between them, up to the next token of another kind. */
  #restOfPhrase(): string {
    const start = this.#at;
    for (;;) {
      const before = this.#at;
      const blanks = this.#match(/\s+(?=\S)/y);
      if (
        blanks === null ||
        this.#match(/(?=(?:port|dir|level|not|and|hex):|")/iy) !== null ||
        this.#isExpression(false)
      ) {
        this.#at = before;
        return this.#text.slice(start, before);
      }
      this.#match(/\S+/y);
    }
  }

  /**
   * Returns true if an expression begins here. A slash alone and two of them are text. Before a blank, an expression needs
   * its end, because `10 / 20` is text as well.
   *
   * @param isTerm False: behind words, where blanks between two slashes are text unless they have a special character.
   */
  #isExpression(isTerm: boolean): boolean {
    const [slash, next = ' ', third = ' '] = this.#text.slice(this.#at, this.#at + 3);
    if (slash !== '/' || (next === '/' && third.trim() === '')) {
      return false;
    }
    if (next.trim() !== '') {
      return true;
    }
    const read = readLiteral(this.#text, this.#at);
    return read !== null && read.flags !== null && (isTerm || /[\\^$.*+?()[\]{}|]/.test(read.source));
  }

  #hex(): SearchTerm {
    const start = this.#at;
    const hex = parseHexInput(this.#hexDigits());
    if (hex === null) {
      throw this.#fault('bad-hex', start);
    }
    if (hex.bytes.length > maxInputLength / 2) {
      throw this.#fault('long-hex', start);
    }
    if (hex.isOdd) {
      throw this.#fault('odd-hex', start);
    }
    if (hex.bytes.length === 0) {
      throw this.#nothingBehind();
    }
    return { kind: 'hex', bytes: hex.bytes };
  }

  /**
   * Reads hex digits: in quotes, or with further digits after spaces, as in `62 6F 6F`, `626F 6F20` and
   * `0x62, 0x6F`. A byte has two digits, so a single one lacks its second. Longer letters without a digit among them,
   * such as `add`, are a word.
   */
  #hexDigits(): string {
    const first = this.#word();
    const quoted = this.#text[this.#at - 1] === '"';
    return quoted
      ? first
      : first + (this.#match(/(?:\s+(?:(?:0x)?[\da-f]{1,2}|(?=[a-f]*\d)(?:0x)?[\da-f]+),?(?!\S))*/iy) ?? '');
  }

  #expression(start: number): SearchTerm {
    const read = readLiteral(this.#text, start);
    if (read === null) {
      this.#at = this.#text.length;
      throw this.#fault('unclosed-expression', start);
    }
    const { source, flags, flagsStart, end } = read;
    this.#at = end;
    if (flags === null) {
      throw this.#fault('unknown-flag', flagsStart);
    }
    const term = {
      kind: 'regex' as const,
      source,
      ignoreCase: flags.includes('i'),
      flags: flags.replace('i', ''),
    };
    try {
      expressionOf(term);
    } catch (error) {
      throw error instanceof SearchQueryError ? this.#fault('bad-expression', start, error.message) : error;
    }
    return term;
  }

  /** Reads a word in quotes or up to the next space. Within quotes `\"` is a quote and `\\` a backslash. */
  #word(): string {
    const start = this.#at;
    if (this.#match(/"/y) === null) {
      return this.#match(/\S*/y) ?? '';
    }
    const inside = this.#match(/(?:[^"\\]|\\["\\]|\\(?!["\\]))*(?=")/y);
    if (inside === null) {
      this.#at = this.#text.length;
      throw this.#fault('unclosed-quote', start);
    }
    this.#at++;
    return inside.replaceAll(/\\(["\\])/g, '$1');
  }

  /** Takes the text that `pattern` matches at the current position; null without a match. */
  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    this.#at += found?.[0].length ?? 0;
    return found?.[0] ?? null;
  }

  #fault(code: FilterFailure, start: number, detail?: string): FieldFault {
    return new FieldFault(code, this.#text, start, this.#at, detail);
  }

  #nothingBehind(): FieldFault {
    const start = Math.max(0, this.#text.slice(0, this.#at).search(/\S+$/));
    return this.#fault('nothing-behind', start);
  }
}

/** Finding the lines that have what is looked for, in the bytes of a channel. */
import { BytePattern } from './byte-pattern.ts';
import { Expression } from './expression/expression.ts';
import { ExpressionError } from './expression/expression-error.ts';
import { blockOf } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { type LineTerm, SearchQueryError, type SearchTerm } from './line-query.ts';
import { VisibleLines } from './visible-lines.ts';

export interface LineMatcher {
  /** Bytes beyond the end of a line that decide whether it matches. */
  readonly lookahead: number;
  /** The lines from `from` up to `to` that match, ascending. */
  find(channel: LineChannel, from: number, to: number): number[];
}

const CARRIAGE_RETURN = 0x0d;
const encoder = new TextEncoder();

/** What is looked for stands nowhere, so there is nothing to look through. */
export const nowhere: LineMatcher = { lookahead: 0, find: () => [] };

/** The lines that have every one of the terms, of which there is at least one. Throws a `SearchQueryError`. */
export function matcherOf(terms: readonly LineTerm[]): LineMatcher {
  return allOf(terms.map((term) => (term.not ? new NoneOf(termMatcher(term)) : termMatcher(term))));
}

/** What every one of the matchers finds. */
export function allOf(matchers: readonly LineMatcher[]): LineMatcher {
  const [only] = matchers;
  if (matchers.length === 1 && only !== undefined) {
    return only;
  }
  return matchers.includes(nowhere) ? nowhere : new AllOf(matchers);
}

function termMatcher(term: SearchTerm): LineMatcher {
  const pattern = patternOf(term);
  if (pattern !== null) {
    return term.kind === 'hex' ? new ByteMatcher(pattern, true) : new TextMatcher(pattern);
  }
  return term.kind === 'regex' && term.source !== '' ? new RegexMatcher(expressionOf(term)) : nowhere;
}

/** The bytes that a term looks for; null for a regular expression, and for nothing. */
export function patternOf(term: SearchTerm): BytePattern | null {
  if (term.kind === 'regex') {
    return null;
  }
  const bytes = term.kind === 'hex' ? term.bytes.slice() : encoder.encode(term.text);
  return bytes.length === 0 ? null : new BytePattern(bytes, term.kind === 'text' && term.ignoreCase);
}

/** Throws a `SearchQueryError`. */
export function expressionOf({ source, ignoreCase, flags = '' }: Extract<SearchTerm, { kind: 'regex' }>): Expression {
  try {
    return new Expression(source, ignoreCase ? `i${flags}` : flags);
  } catch (error) {
    throw error instanceof ExpressionError ? new SearchQueryError(error) : error;
  }
}

class NoneOf implements LineMatcher {
  readonly lookahead: number;
  readonly #matcher: LineMatcher;

  constructor(matcher: LineMatcher) {
    this.lookahead = matcher.lookahead;
    this.#matcher = matcher;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    const left: number[] = [];
    let line = from;
    for (const found of this.#matcher.find(channel, from, to)) {
      for (; line < found; line++) {
        left.push(line);
      }
      line = found + 1;
    }
    for (; line < to; line++) {
      left.push(line);
    }
    return left;
  }
}

class AllOf implements LineMatcher {
  readonly lookahead: number;
  readonly #matchers: readonly LineMatcher[];

  constructor(matchers: readonly LineMatcher[]) {
    this.lookahead = Math.max(0, ...matchers.map(({ lookahead }) => lookahead));
    this.#matchers = matchers;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    return this.#matchers.map((matcher) => matcher.find(channel, from, to)).reduce(inBoth);
  }
}

/** @param one ascending, as `other` and the answer. */
function inBoth(one: readonly number[], other: readonly number[]): number[] {
  const both: number[] = [];
  let at = 0;
  for (const line of one) {
    while (at < other.length && (other[at] as number) < line) {
      at++;
    }
    if (other[at] === line) {
      both.push(line);
    }
  }
  return both;
}

/** Finds text in the visible bytes of lines. Lines without control functions, nearly all of them, are looked through as bytes. */
class TextMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #pattern: BytePattern;
  readonly #bytes: ByteMatcher;

  constructor(pattern: BytePattern) {
    this.#pattern = pattern;
    this.#bytes = new ByteMatcher(pattern, false);
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    const found = this.#bytes.find(channel, from, to);
    if (from >= to) {
      return found;
    }
    const lines = new VisibleLines(channel, from, to);
    if (!lines.mayHaveControls) {
      return found;
    }
    const seen: number[] = [];
    let at = 0;
    for (let line = from; line < to; line++) {
      lines.read(line);
      const isFound = found[at] === line;
      at += isFound ? 1 : 0;
      // What is found as bytes may be part of a colour; what is found in no piece of a line may be found in what is left of it.
      if ((isFound || lines.copied) && this.#pattern.indexIn(lines.bytes, lines.from, lines.to) !== -1) {
        seen.push(line);
      }
    }
    return seen;
  }
}

class ByteMatcher implements LineMatcher {
  readonly lookahead: number;
  readonly #pattern: BytePattern;
  /** Whether a match in a stream may go on in the next line. */
  readonly #acrossLines: boolean;

  constructor(pattern: BytePattern, acrossLines: boolean) {
    this.#pattern = pattern;
    this.#acrossLines = acrossLines;
    // A `\r` that comes behind a whole line may still become part of its ending.
    const mayJoin = pattern.indexOfByte(CARRIAGE_RETURN) !== -1;
    this.lookahead = acrossLines ? pattern.length - (mayJoin ? 0 : 1) : 0;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    if (from >= to) {
      return [];
    }
    return channel.mayBeDecoded(from, to)
      ? this.#findInBoth(channel, from, to)
      : this.#findAsArrived(channel, from, to);
  }

  /** Decoded lines and those that are shown as they arrived, each in their own way: what is found does not depend on neighbours. */
  #findInBoth(channel: LineChannel, from: number, to: number): number[] {
    const found: number[][] = [];
    for (let line = from, end = from; line < to; line = end) {
      const decoded = isDecoded(channel, line);
      while (end < to && isDecoded(channel, end) === decoded) {
        end++;
      }
      found.push(decoded ? this.#findInContents(channel, line, end) : this.#findAsArrived(channel, line, end));
    }
    return found.flat();
  }

  #findAsArrived(channel: LineChannel, from: number, to: number): number[] {
    const found: number[] = [];
    const across = this.#acrossLines && channel.identity.direction === 'received';
    const start = channel.startOf(from);
    const linesEnd = channel.endOf(to - 1);
    const goesOn = across && !(to < channel.endLine && isDecoded(channel, to));
    const end = goesOn ? Math.min(linesEnd + this.lookahead, channel.ring.end) : linesEnd;
    const [first, second] = channel.ring.segments(start, end);
    let line = from;
    const scan = (bytes: Uint8Array, base: number) => {
      let at = this.#pattern.indexIn(bytes);
      while (at !== -1 && base + at < linesEnd) {
        line = lineAt(channel, base + at, line, to);
        const lineEnd = channel.endOf(line);
        const inside = base + at + this.#pattern.length <= lineEnd;
        if ((inside || across) && found.at(-1) !== line) {
          found.push(line);
        }
        at = this.#pattern.indexIn(bytes, inside || across ? lineEnd - base : at + 1);
      }
    };
    scan(first, start);
    if (second !== undefined) {
      const seam = start + first.length;
      const overlap = this.#pattern.length - 1;
      const before = Math.max(start, seam - overlap);
      scan(channel.ring.view(before, Math.min(end, seam + overlap)), before);
      scan(second, seam);
    }
    return found;
  }

  /** Line by line: a match that goes on in the next frame is none. */
  #findInContents(channel: LineChannel, from: number, to: number): number[] {
    const block = blockOf(channel, from, to);
    const found: number[] = [];
    for (let line = from; line < to; line++) {
      if (this.#pattern.indexIn(block.bytes.subarray(block.startOf(line), block.endOf(line))) !== -1) {
        found.push(line);
      }
    }
    return found;
  }
}

function isDecoded(channel: LineChannel, line: number): boolean {
  return channel.decoderOf(line) !== null;
}

/** The line with the byte at `offset`, looked for from `line` on: matches that are close together are the usual case. */
function lineAt(channel: LineChannel, offset: number, line: number, to: number): number {
  let step = 1;
  while (line + step < to && channel.startOf(line + step) <= offset) {
    step *= 2;
  }
  return channel.lineAtOffset(offset, line, Math.min(line + step, to));
}

/** Of a longer line the first so many bytes are tried: no step should have to look at megabytes at once. */
const REGEX_LINE_BYTES = 1 << 18;

class RegexMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #expression: Expression;

  constructor(expression: Expression) {
    this.#expression = expression;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    const found: number[] = [];
    if (from >= to) {
      return found;
    }
    const lines = new VisibleLines(channel, from, to, REGEX_LINE_BYTES);
    for (let line = from; line < to; line++) {
      lines.read(line);
      if (this.#expression.test(lines.bytes, lines.from, lines.to)) {
        found.push(line);
      }
    }
    return found;
  }
}

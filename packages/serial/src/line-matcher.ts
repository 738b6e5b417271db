/** Builds matchers that find lines in the bytes of a channel. */
import { type Comparison, compileQuery, type DecodedFrame } from '@wirebench/frames';
import { ByteMatcher, type LineMatcher } from './byte-matcher.ts';
import type { BytePattern } from './byte-pattern.ts';
import { ControlFinder } from './control-finder.ts';
import type { Expression } from './expression/expression.ts';
import type { LineChannel } from './line-channel.ts';
import type { LineTerm, SearchTerm } from './line-query.ts';
import { expressionOf, patternOf } from './term-patterns.ts';
import { VisibleBlock } from './visible-block.ts';
import { VisibleLines } from './visible-lines.ts';

export type { LineMatcher };

/** Matches no line, so no line needs to be searched. */
export const nowhere: LineMatcher = { lookahead: 0, find: () => [] };

/**
 * Returns a matcher of the lines that satisfy every term. At least one term is needed.
 *
 * @throws SearchQueryError if a regular expression cannot be used.
 */
export function matcherOf(terms: readonly LineTerm[]): LineMatcher {
  return allOf(terms.map((term) => (term.not ? new NoneOf(termMatcher(term)) : termMatcher(term))));
}

/** Returns a matcher of the lines that every matcher finds. */
export function allOf(matchers: readonly LineMatcher[]): LineMatcher {
  const [only] = matchers;
  if (matchers.length === 1 && only !== undefined) {
    return only;
  }
  return matchers.includes(nowhere) ? nowhere : new AllOf(matchers);
}

/**
 * Finds text in the visible bytes of lines. Bytes without control functions are searched in the ring itself. Lines
 * with control functions are first copied without them, all at once.
 */
class TextMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #pattern: BytePattern;
  readonly #bytes: ByteMatcher;
  readonly #block = new VisibleBlock();

  constructor(pattern: BytePattern) {
    this.#pattern = pattern;
    this.#bytes = new ByteMatcher(pattern, false);
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    if (from >= to || channel.identity.direction !== 'received') {
      return this.#bytes.find(channel, from, to);
    }
    if (channel.mayBeDecoded(from, to)) {
      return this.#findInLines(channel, from, to);
    }
    const controls = new ControlFinder(channel.ring.view(channel.startOf(from), channel.endOf(to - 1)));
    const isPlain = controls.next(0) === controls.length;
    return isPlain ? this.#bytes.find(channel, from, to) : this.#findInBlock(channel, from, to);
  }

  #findInLines(channel: LineChannel, from: number, to: number): number[] {
    const lines = new VisibleLines(channel, from, to);
    const found: number[] = [];
    for (let line = from; line < to; line++) {
      lines.read(line);
      if (this.#pattern.indexIn(lines.bytes, lines.from, lines.to) !== -1) {
        found.push(line);
      }
    }
    return found;
  }

  #findInBlock(channel: LineChannel, from: number, to: number): number[] {
    const block = this.#block;
    block.read(channel, from, to);
    const { bytes, length } = block;
    const found: number[] = [];
    let line = from;
    let at = this.#pattern.indexIn(bytes, 0, length);
    while (at !== -1) {
      while (block.startOf(line + 1) <= at) {
        line++;
      }
      const end = block.startOf(line + 1);
      const isInside = this.#pattern.matchEnd <= end;
      if (isInside) {
        found.push(line);
      }
      at = this.#pattern.indexIn(bytes, isInside ? end : at + 1, length);
    }
    return found;
  }
}

/** Finds the lines that a decoder has cut whose fields satisfy a comparison. */
class FrameMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #holds: (frame: DecodedFrame) => boolean;

  constructor(comparison: Comparison) {
    this.#holds = compileQuery([comparison]);
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    const found: number[] = [];
    if (!channel.mayHaveFrames) {
      return found;
    }
    for (let line = from; line < to; line++) {
      const framed = channel.frameAt(line);
      if (framed !== null && this.#holds(framed.frame)) {
        found.push(line);
      }
    }
    return found;
  }
}

function termMatcher(term: SearchTerm): LineMatcher {
  const pattern = patternOf(term);
  if (pattern !== null) {
    const matcher = term.kind === 'hex' ? new ByteMatcher(pattern, true) : new TextMatcher(pattern);
    const comparison = term.kind === 'text' ? term.comparison : undefined;
    return comparison === undefined ? matcher : new AnyOf([matcher, new FrameMatcher(comparison)]);
  }
  return term.kind === 'regex' && term.source !== '' ? new RegexMatcher(expressionOf(term)) : nowhere;
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

class AnyOf implements LineMatcher {
  readonly lookahead: number;
  readonly #matchers: readonly LineMatcher[];

  constructor(matchers: readonly LineMatcher[]) {
    this.lookahead = Math.max(0, ...matchers.map(({ lookahead }) => lookahead));
    this.#matchers = matchers;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    const found = this.#matchers.map((matcher) => matcher.find(channel, from, to)).filter(({ length }) => length > 0);
    const [only = []] = found;
    return found.length < 2 ? only : [...new Set(found.flat())].sort((one, other) => one - other);
  }
}

/** Returns the lines in both lists. Both are ascending, and so is the result. */
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

/** First bytes of a longer line that a regular expression searches: no step should have to scan megabytes at once. */
export const REGEX_LINE_BYTES = 1 << 18;

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

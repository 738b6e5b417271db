/**
 * Finds the matches of terms in a row, so that they can be marked. A row of text is marked in its shown text, a row
 * of hex in its bytes, even if a match began in the previous row. Matching whole lines is in `line-matcher.ts`.
 */
import type { BytePattern } from './byte-pattern.ts';
import type { Expression } from './expression/expression.ts';
import type { Span } from './expression/spans.ts';
import { nextCharacter } from './expression/utf8-units.ts';
import type { LineBytes } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import type { LineTerm, SearchTerm } from './line-query.ts';
import { logText } from './line-text.ts';
import type { ByteSpan } from './row-span.ts';
import { expressionOf, patternOf } from './term-patterns.ts';
import { exactPattern, spansIn } from './text-pattern.ts';

/** Most marks of one term in one row. */
const MAX_MARKS = 200;
/** Bytes of a line in which a regular expression is marked in the hex layout. */
const MAX_LINE_BYTES = 1 << 16;

const encoder = new TextEncoder();

type RegexTerm = Extract<SearchTerm, { kind: 'regex' }>;

interface ByteTerm {
  readonly pattern: BytePattern;
  /** True: a match in a stream may continue in the next line. */
  readonly acrossLines: boolean;
}

export class Marker {
  readonly #terms: readonly LineTerm[];
  #expressions: readonly Expression[] | null = null;
  /** Patterns of texts, and of bytes as they are shown. */
  #shown: readonly BytePattern[] | null = null;
  #patterns: readonly ByteTerm[] | null = null;
  /** Cache of the expressions' matches in the last line: several of its rows are requested in turn. */
  #lastLine: { channel: LineChannel; sequence: number; end: number; spans: readonly Span[] } | null = null;

  /** @param terms Valid terms. Terms that must not occur in a line mark nothing. */
  constructor(terms: readonly LineTerm[]) {
    this.#terms = terms.filter(({ not }) => !not);
  }

  /** Returns itself: it marks rows of every line (`LineSearch.markerOf` only those that are found). */
  markerOf(): Marker {
    return this;
  }

  /** Returns the ranges to mark in `text`, in UTF-16 units. `text` is a row's text as shown, without colours. */
  inText(text: string): Span[] {
    const found = this.#regexes().flatMap((expression) => expression.spans(text, MAX_MARKS));
    return merged([...found, ...spansIn(text, this.#shownPatterns(), MAX_MARKS)]);
  }

  /** Returns the ranges to mark in the bytes of a row of the hex layout, counted from the row's first byte. */
  inBytes(channel: LineChannel, line: number, bytes: LineBytes, row: ByteSpan): Span[] {
    const found = this.#bytePatterns().flatMap((term) => patternSpans(channel, bytes, row, term));
    if (this.#regexes().length > 0) {
      found.push(...this.#regexSpans(channel, line, bytes));
    }
    const inside = found
      .map(({ start, end }) => ({ start: Math.max(start, row.from), end: Math.min(end, row.to) }))
      .filter(({ start, end }) => start < end)
      .map(({ start, end }) => ({ start: start - row.from, end: end - row.from }));
    return merged(inside);
  }

  #regexes(): readonly Expression[] {
    this.#expressions ??= this.#terms
      .filter((term): term is LineTerm & RegexTerm => term.kind === 'regex' && term.source !== '')
      .map(expressionOf);
    return this.#expressions;
  }

  #shownPatterns(): readonly BytePattern[] {
    this.#shown ??= this.#terms.flatMap(
      (term) => (term.kind === 'hex' ? exactPattern(encoder.encode(logText(term.bytes))) : patternOf(term)) ?? [],
    );
    return this.#shown;
  }

  #bytePatterns(): readonly ByteTerm[] {
    this.#patterns ??= this.#terms.flatMap((term) => {
      const pattern = patternOf(term);
      return pattern === null ? [] : [{ pattern, acrossLines: term.kind === 'hex' }];
    });
    return this.#patterns;
  }

  /** Returns the expressions' matches as offsets of the line's bytes. */
  #regexSpans(channel: LineChannel, line: number, { source, from: start, textEnd: end }: LineBytes): readonly Span[] {
    const sequence = channel.sequenceOf(line);
    const last = this.#lastLine;
    if (last?.channel === channel && last.sequence === sequence && last.end === end) {
      return last.spans;
    }
    const bytes = source.view(start, Math.min(end, start + MAX_LINE_BYTES));
    const { text, places } = shownUnits(bytes);
    const spans = this.#regexes()
      .flatMap((expression) => expression.spans(text, MAX_LINE_BYTES))
      .map((span) => ({
        start: start + (places[span.start]?.start ?? 0),
        end: start + (places[span.end - 1]?.end ?? 0),
      }));
    this.#lastLine = { channel, sequence, end, spans };
    return spans;
  }
}

/** Returns all matches of a pattern as offsets of the line's bytes, overlapping ones included. */
function patternSpans(
  channel: LineChannel,
  { source, from: start, to: end }: LineBytes,
  row: ByteSpan,
  { pattern, acrossLines }: ByteTerm,
): Span[] {
  const across = acrossLines && channel.identity.direction === 'received' && source === channel.ring;
  const reach = pattern.longest - 1;
  const from = Math.max(row.from - reach, across ? channel.start : start);
  const to = Math.min(row.to + reach, across ? channel.ring.end : end);
  const bytes = source.view(from, to);
  const spans: Span[] = [];
  for (let at = pattern.indexIn(bytes); at !== -1; at = pattern.indexIn(bytes, at + 1)) {
    spans.push({ start: from + at, end: from + pattern.matchEnd });
  }
  return spans;
}

/** Returns the text of a line as an expression sees it, and the bytes of each of its UTF-16 units. */
function shownUnits(bytes: Uint8Array): { text: string; places: readonly Span[] } {
  let text = '';
  const places: Span[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { code, end } = nextCharacter(bytes, at, bytes.length);
    const character = code === null ? '' : String.fromCodePoint(code);
    text += character;
    for (let unit = 0; unit < character.length; unit++) {
      places.push({ start: at, end });
    }
    at = end;
  }
  return { text, places };
}

/** Sorts the ranges, and joins those that touch or overlap. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    } else {
      result.push({ start, end });
    }
  }
  return result;
}

/**
 * Matches lines against many queries at once. One pass over the visible bytes finds texts that queries require. Only
 * the lines that have one are tested by the query's own matcher, so the result is that of a search for each query.
 */

import type { BytePattern } from '../byte-pattern.ts';
import type { ChannelIdentity } from '../channel-name.ts';
import { ControlFinder } from '../control-finder.ts';
import type { Expression } from '../expression/expression.ts';
import { requiredTexts } from '../expression/required-text.ts';
import type { LineChannel } from '../line-channel.ts';
import { type LineMatcher, matcherOf, nowhere, REGEX_LINE_BYTES } from '../line-matcher.ts';
import type { LineQuery, LineTerm } from '../line-query.ts';
import { scopeOf, within } from '../line-scope.ts';
import { expressionOf, patternOf } from '../term-patterns.ts';
import { VisibleBlock } from '../visible-block.ts';
import { VisibleLines } from '../visible-lines.ts';
import { NeedleFinder } from './needle-finder.ts';

/** Share of lines from which a matcher reads all lines at once instead of one after the other. */
const MANY_SHARE = 4;

interface Needle {
  readonly pattern: BytePattern;
  readonly query: number;
  /** True: the needle alone decides if the line matches. */
  readonly decides: boolean;
}

interface Entry {
  readonly query: number;
  readonly matcher: 'all' | LineMatcher;
  /** True: every line of the channel may match. */
  readonly isAnywhere: boolean;
  /** True: only lines with one of the query's needles can match. */
  readonly isFiltered: boolean;
  /** True: every line with the needle matches. */
  readonly isDecided: boolean;
}

export class JointMatcher {
  /** Bytes beyond the end of a line that decide whether it matches. */
  readonly lookahead: number;
  readonly #queries: readonly LineQuery[];
  readonly #matchers: readonly (LineMatcher | null)[];
  readonly #needles: readonly Needle[];
  readonly #finder: NeedleFinder | null;
  /** By query: the expression of a query with no other term; null for the others. */
  readonly #expressions: readonly (Expression | null)[];
  readonly #plans = new Map<string, readonly Entry[]>();
  readonly #block = new VisibleBlock();

  /** @throws SearchQueryError if an expression cannot be used. */
  constructor(queries: readonly LineQuery[]) {
    this.#queries = queries;
    this.#matchers = queries.map(({ terms }) => (terms.length === 0 ? null : matcherOf(terms)));
    const needles = queries.flatMap(needlesOf);
    this.#finder = needles.length === 0 ? null : NeedleFinder.of(needles.map(({ pattern }) => pattern));
    this.#needles = this.#finder === null ? [] : needles;
    this.#expressions = queries.map(({ terms: [term, ...others] }) =>
      term?.kind === 'regex' && !term.not && others.length === 0 ? expressionOf(term) : null,
    );
    this.lookahead = Math.max(0, ...this.#matchers.map((matcher) => matcher?.lookahead ?? 0));
  }

  /** Returns true if a query concerns lines of the channel. */
  concerns({ identity }: Pick<LineChannel, 'identity'>): boolean {
    return this.#planOf(identity).length > 0;
  }

  /**
   * Returns, for each query, the matching lines from `from` up to `to`, ascending. `lookahead` bytes behind the last
   * line should have arrived.
   */
  find(channel: LineChannel, from: number, to: number): number[][] {
    const found: number[][] = this.#queries.map(() => []);
    const plan = this.#planOf(channel.identity);
    if (from >= to || plan.length === 0) {
      return found;
    }
    // In decoded and in sent lines, the matchers see other bytes than the pass over a block.
    const isFiltered = channel.identity.direction === 'received' && !channel.mayBeDecoded(from, to);
    const candidates =
      isFiltered && plan.some((entry) => entry.isFiltered) ? this.#candidates(channel, from, to) : null;
    const together: { readonly expression: Expression; readonly lines: number[] }[] = [];
    for (const { query, matcher, ...entry } of plan) {
      const expression = entry.isAnywhere ? (this.#expressions[query] ?? null) : null;
      if (expression !== null && !(entry.isFiltered && candidates !== null)) {
        together.push({ expression, lines: found[query] as number[] });
        continue;
      }
      const lines = entry.isFiltered ? candidates?.[query] : undefined;
      if (lines === undefined) {
        found[query] = matcher === 'all' ? rangeOf(from, to) : matcher.find(channel, from, to);
      } else if (entry.isDecided || matcher === 'all') {
        found[query] = lines;
      } else {
        found[query] =
          lines.length * MANY_SHARE > to - from ? matcher.find(channel, from, to) : findAmong(matcher, channel, lines);
      }
    }
    if (together.length > 0) {
      testTogether(channel, from, to, together);
    }
    return found;
  }

  #planOf(identity: ChannelIdentity): readonly Entry[] {
    let plan = this.#plans.get(identity.name);
    if (plan === undefined) {
      plan = this.#queries.flatMap((lines, query) => {
        const own = this.#matchers[query] ?? null;
        const scope = own === nowhere ? 'none' : scopeOf(identity, lines);
        if (scope === 'none') {
          return [];
        }
        const needles = this.#needles.filter((needle) => needle.query === query);
        const isDecided = scope === 'all' && needles.length === 1 && needles[0]?.decides === true;
        return {
          query,
          matcher: within(scope, own),
          isAnywhere: scope === 'all',
          isFiltered: needles.length > 0,
          isDecided,
        };
      });
      this.#plans.set(identity.name, plan);
    }
    return plan;
  }

  /** Returns, for each query with needles, the lines that have one of them, ascending. */
  #candidates(channel: LineChannel, from: number, to: number): number[][] {
    const lines: number[][] = this.#queries.map(() => []);
    const base = channel.startOf(from);
    const raw = channel.ring.view(base, channel.endOf(to - 1));
    const controls = new ControlFinder(raw);
    const isPlain = controls.next(0) === controls.length;
    const block = this.#block;
    if (!isPlain) {
      block.read(channel, from, to);
    }
    const bytes = isPlain ? raw : block.bytes;
    const endOf = isPlain ? (line: number) => channel.endOf(line) - base : (line: number) => block.startOf(line + 1);
    const needles = this.#needles;
    let line = from;
    let start = 0;
    let end = endOf(line);
    this.#finder?.scan(bytes, 0, isPlain ? raw.length : block.length, (index, at) => {
      while (at > end) {
        line++;
        start = end;
        end = endOf(line);
      }
      const needle = needles[index] as Needle;
      const own = lines[needle.query] as number[];
      if (own.at(-1) !== line && needle.pattern.startOf(bytes, start, at) !== -1) {
        own.push(line);
      }
    });
    return lines;
  }
}

/** Returns the needles of one term of a query, of which a matching line has at least one. */
function needlesOf({ terms }: LineQuery, query: number): readonly Needle[] {
  const choices = terms.flatMap((term) => {
    const texts = textsOf(term);
    return texts === null ? [] : [{ term, texts, shortest: Math.min(...texts.map(({ length }) => length)) }];
  });
  const [best] = choices.sort((one, other) => other.shortest - one.shortest);
  if (best === undefined) {
    return [];
  }
  const { term, texts } = best;
  const decides = terms.length === 1 && term.kind === 'text';
  const ignoreCase = term.kind !== 'hex' && term.ignoreCase;
  return texts.flatMap((text) => {
    const pattern = patternOf({ kind: 'text', text, ignoreCase });
    return pattern === null ? [] : { pattern, query, decides };
  });
}

function textsOf(term: LineTerm): readonly string[] | null {
  if (term.not || term.kind === 'hex') {
    return null;
  }
  if (term.kind === 'text') {
    // A frame satisfies a comparison without the text of it.
    return term.text === '' || term.comparison !== undefined ? null : [term.text];
  }
  return term.source === '' ? null : requiredTexts(term.source, `${term.flags ?? ''}${term.ignoreCase ? 'i' : ''}`);
}

/** Tests all lines with several expressions. Each line is read once. */
function testTogether(
  channel: LineChannel,
  from: number,
  to: number,
  tests: readonly { readonly expression: Expression; readonly lines: number[] }[],
): void {
  const visible = new VisibleLines(channel, from, to, REGEX_LINE_BYTES);
  for (let line = from; line < to; line++) {
    visible.read(line);
    for (const { expression, lines } of tests) {
      if (expression.test(visible.bytes, visible.from, visible.to)) {
        lines.push(line);
      }
    }
  }
}

/** Tests some lines, ascending, those in a row together. */
function findAmong(matcher: LineMatcher, channel: LineChannel, lines: readonly number[]): number[] {
  const found: number[] = [];
  for (let index = 0; index < lines.length; ) {
    const from = lines[index] as number;
    let to = from;
    while (lines[index] === to) {
      index++;
      to++;
    }
    found.push(...matcher.find(channel, from, to));
  }
  return found;
}

const rangeOf = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

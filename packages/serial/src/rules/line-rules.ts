/** Finds the lines of several rules at once: those about text by one joint matcher, those about values by another. */
import { parseFilterField } from '../filter-field.ts';
import { FrameLineReader } from '../frames/frame-line-reader.ts';
import { blockOf } from '../line-bytes.ts';
import type { LineChannel } from '../line-channel.ts';
import type { LineMatcher } from '../line-matcher.ts';
import type { LineQuery } from '../line-query.ts';
import type { LineReader } from '../plot/line-reader.ts';
import type { PortNumber } from '../port-number.ts';
import { JointMatcher } from './joint-matcher.ts';
import type { RuleActions, RuleCondition } from './rule.ts';

/** A rule as it is watched: its condition with the ports that it is about. */
export interface WatchedRule extends Pick<RuleActions, 'colour' | 'colours' | 'mark'> {
  readonly id: string;
  readonly condition: RuleCondition;
  /** Null: all ports. */
  readonly ports: readonly PortNumber[] | null;
}

/** Returns a text that is the same for rules that match the same lines. */
export const keyOf = ({ id, condition, ports }: WatchedRule): string => JSON.stringify([id, condition, ports]);

interface QueriedRule {
  readonly rule: number;
  readonly query: LineQuery;
}

type ValueCondition = Extract<RuleCondition, { kind: 'value' }>;

type IndexedCondition = ValueCondition & { readonly index: number };

/** @param index Index of the condition. */
type OnReading = (index: number, line: number, value: number, isBeyond: boolean) => void;

/** Series of every name that no rule is about. */
const OTHER = -1;

/**
 * Compares readings in lines with limits. Series have the names of the plot (`plot/line-reader.ts`). A header names the
 * columns of the lines that are read after it.
 */
class ValueRules {
  /** By series: the conditions about it. */
  readonly #conditions: readonly (readonly IndexedCondition[])[];
  readonly #names: readonly string[];
  readonly #readers = new Map<string, LineReader>();

  constructor(conditions: readonly ValueCondition[]) {
    this.#names = [...new Set(conditions.map(({ series }) => nameOf(series)))];
    const indexed = conditions.map((condition, index) => ({ ...condition, index }));
    this.#conditions = this.#names.map((name) => indexed.filter(({ series }) => nameOf(series) === name));
  }

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  /** Reports every reading of the series from line `from` up to `to`. */
  read(channel: LineChannel, from: number, to: number, onReading: OnReading): void {
    if (from >= to) {
      return;
    }
    const reader = this.#readerOf(channel);
    const block = blockOf(channel, from, to);
    for (let line = from; line < to; line++) {
      const { count, series, values } = reader.read(
        block.bytes,
        block.textStartOf(line),
        block.textEndOf(line),
        channel,
        line,
      );
      for (let reading = 0; reading < count; reading++) {
        const id = series[reading] ?? OTHER;
        if (id !== OTHER) {
          this.#compare(id, values[reading] as number, line, onReading);
        }
      }
    }
  }

  #compare(series: number, value: number, line: number, onReading: OnReading): void {
    if (Number.isNaN(value)) {
      return;
    }
    for (const { index, side, limit } of this.#conditions[series] ?? []) {
      onReading(index, line, value, side === 'above' ? value > limit : value < limit);
    }
  }

  #readerOf({ identity }: LineChannel): LineReader {
    let reader = this.#readers.get(identity.name);
    if (reader === undefined) {
      reader = new FrameLineReader((name) => this.#names.indexOf(nameOf(name)));
      this.#readers.set(identity.name, reader);
    }
    return reader;
  }
}

const nameOf = (series: string): string => series.trim().toLowerCase();

interface ValuedRule {
  readonly rule: number;
  readonly ports: readonly PortNumber[] | null;
  readonly condition: ValueCondition;
}

/** Readings of a rule's series, for those who need to know when it crosses its limit. */
export type OnRuleReading = (rule: number, line: number, value: number, isBeyond: boolean) => void;

export class LineRules implements LineMatcher {
  readonly rules: readonly WatchedRule[];
  readonly #queried: readonly QueriedRule[];
  readonly #joint: JointMatcher;
  readonly #valued: readonly ValuedRule[];
  readonly #values: ValueRules;

  /** @param rules With valid conditions. */
  constructor(rules: readonly WatchedRule[]) {
    this.rules = rules;
    this.#queried = rules.flatMap((rule, index) => {
      const query = queryOf(rule);
      return query === null ? [] : [{ rule: index, query }];
    });
    this.#joint = new JointMatcher(this.#queried.map(({ query }) => query));
    const valued = rules.flatMap(({ condition, ports }, rule): readonly ValuedRule[] =>
      condition.kind === 'value' ? [{ rule, ports, condition }] : [],
    );
    this.#valued = valued;
    this.#values = new ValueRules(valued.map(({ condition }) => condition));
  }

  get lookahead(): number {
    return this.#joint.lookahead;
  }

  /** Returns true if a rule is about lines of the channel. */
  concerns(channel: LineChannel): boolean {
    return this.#joint.concerns(channel) || this.#readsValuesOf(channel);
  }

  /** Returns true if the rule can be decided before its line has an end. */
  matchesOpen(rule: number): boolean {
    const query = this.#queried.find((queried) => queried.rule === rule)?.query;
    return query?.terms.every(({ not }) => !not) ?? false;
  }

  /** Returns the query for the lines of a rule; null for a rule that has none. */
  queryOf(rule: number): LineQuery | null {
    return this.#queried.find((queried) => queried.rule === rule)?.query ?? null;
  }

  /** Returns, for each rule, the matching lines from `from` up to `to`, ascending. */
  findEach(channel: LineChannel, from: number, to: number, onReading?: OnRuleReading): readonly (readonly number[])[] {
    const found = this.findText(channel, from, to);
    if (this.#readsValuesOf(channel)) {
      this.#values.read(channel, from, to, (index, line, value, isBeyond) => {
        const { rule, ports } = this.#valued[index] as ValuedRule;
        const { port } = channel.identity;
        if (ports !== null && (port === null || !ports.includes(port))) {
          return;
        }
        onReading?.(rule, line, value, isBeyond);
        const lines = found[rule] as number[];
        if (isBeyond && lines.at(-1) !== line) {
          lines.push(line);
        }
      });
    }
    return found;
  }

  /** Returns the same as `findEach`, but nothing for the rules about values. */
  findText(channel: LineChannel, from: number, to: number): number[][] {
    const found: number[][] = this.rules.map(() => []);
    for (const [index, lines] of this.#joint.find(channel, from, to).entries()) {
      found[this.#queried[index]?.rule ?? 0] = lines;
    }
    return found;
  }

  /** Returns the lines that any rule matches, ascending. */
  find(channel: LineChannel, from: number, to: number): number[] {
    const found = this.findEach(channel, from, to).filter(({ length }) => length > 0);
    const [only] = found;
    return found.length === 1 && only !== undefined ? [...only] : [...new Set(found.flat())].sort((a, b) => a - b);
  }

  #readsValuesOf({ identity }: LineChannel): boolean {
    return !this.#values.isEmpty && identity.direction === 'received';
  }
}

/** Returns null for a rule about values or about any byte. Without `dir:`, a rule is about received lines. */
function queryOf({ condition, ports }: WatchedRule): LineQuery | null {
  if (condition.kind === 'value' || (condition.kind === 'silence' && condition.find.trim() === '')) {
    return null;
  }
  const matchCase = condition.kind === 'line' && condition.matchCase;
  const field = parseFilterField(condition.find, { matchCase });
  if (!field.ok) {
    return null;
  }
  const { query } = field;
  const { ports: named, directions = ['received'] } = query;
  const both = ports === null ? named : (named?.filter((port) => ports.includes(port)) ?? ports);
  return { ...query, directions, ...(both !== undefined && { ports: both }) };
}

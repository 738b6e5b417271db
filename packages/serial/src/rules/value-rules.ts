/**
 * Compares readings in lines with limits. Series have the names of the plot (`plot/label-book.ts`). A header names the
 * columns of the lines that are read after it.
 */
import { blockOf } from '../line-bytes.ts';
import type { LineChannel } from '../line-channel.ts';
import { LabelBook } from '../plot/label-book.ts';
import { NumberLine } from '../plot/number-line.ts';
import type { RuleCondition } from './rule.ts';

export type ValueCondition = Extract<RuleCondition, { kind: 'value' }>;

type IndexedCondition = ValueCondition & { readonly index: number };

/** @param index Index of the condition. */
export type OnReading = (index: number, line: number, value: number, isBeyond: boolean) => void;

/** Longest line with readings, in bytes: as for the plot. */
const LONGEST_LINE = 1_024;
/** Series of every name that no rule is about. */
const OTHER = -1;

export class ValueRules {
  /** By series: the conditions about it. */
  readonly #conditions: readonly (readonly IndexedCondition[])[];
  readonly #names: readonly string[];
  readonly #books = new Map<string, LabelBook>();
  readonly #line = new NumberLine();

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
    const book = this.#bookOf(channel);
    const block = blockOf(channel, from, to);
    const numbers = this.#line;
    for (let line = from; line < to; line++) {
      const start = block.textStartOf(line);
      const end = block.textEndOf(line);
      if (block.endOf(line) - block.startOf(line) > LONGEST_LINE) {
        continue;
      }
      numbers.read(block.bytes, start, end, 'any');
      if (numbers.count + numbers.gapCount === 0) {
        book.skip(block.bytes, start, end);
        continue;
      }
      const ids = book.seriesOf(numbers);
      for (let reading = 0; reading < numbers.count; reading++) {
        const series = ids[reading] ?? OTHER;
        if (series !== OTHER) {
          this.#compare(series, numbers.values[reading] as number, line, onReading);
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

  #bookOf({ identity }: LineChannel): LabelBook {
    let book = this.#books.get(identity.name);
    if (book === undefined) {
      book = new LabelBook((name) => this.#names.indexOf(nameOf(name)));
      this.#books.set(identity.name, book);
    }
    return book;
  }
}

const nameOf = (series: string): string => series.trim().toLowerCase();

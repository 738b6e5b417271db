/** Colours and marks of lines by rules: the look of rows on the screen, and the marked lines of the whole log. */
import type { Clock } from '@wirebench/clock';
import type { LineChannel } from '../line-channel.ts';
import { Marker } from '../marks.ts';
import type { PortNumber } from '../port-number.ts';
import { LineSearch } from '../search.ts';
import { LineRules, type WatchedRule } from './line-rules.ts';
import type { RuleColour } from './rule.ts';

/** Look of a line by the rules that match it. The first rule of each kind decides. */
export interface RuleLook {
  readonly line: RuleColour | null;
  /** Colour of the matches, and where they are in the shown text. */
  readonly match: { readonly colour: RuleColour; readonly marker: Marker } | null;
  readonly isMarked: boolean;
}

/** A row on the screen, by its line. */
export interface RowName {
  readonly sequence: number;
  readonly port: PortNumber | null;
  readonly direction: 'received' | 'sent' | 'notice';
}

export class RuleLooks {
  readonly #clock: Clock;
  readonly #channels: readonly LineChannel[];
  /** Rules with a colour or a mark. */
  #rules = new LineRules([]);
  #markers: readonly (Marker | null)[] = [];
  #marks: LineSearch | null = null;

  constructor(clock: Clock, channels: readonly LineChannel[]) {
    this.#clock = clock;
    this.#channels = channels;
  }

  /** The marked lines; null without a rule that marks. */
  get marks(): LineSearch | null {
    return this.#marks;
  }

  /** Replaces the rules. Returns false if lines look as before. */
  set(rules: readonly WatchedRule[]): boolean {
    const looking = rules.filter(
      ({ colour, mark, condition }) => (colour !== null || mark) && condition.kind !== 'silence',
    );
    if (JSON.stringify(looking) === JSON.stringify(this.#rules.rules)) {
      return false;
    }
    this.#rules = new LineRules(looking);
    this.#markers = looking.map((_, index) => {
      const terms = this.#rules.queryOf(index)?.terms ?? [];
      return terms.some(({ not }) => !not) ? new Marker(terms) : null;
    });
    this.searchMarks();
    return true;
  }

  /** Searches the marked lines from the start. */
  searchMarks(): void {
    const marking = this.#rules.rules.filter(({ mark }) => mark);
    this.#marks = marking.length === 0 ? null : new LineSearch(this.#clock, this.#channels, new LineRules(marking));
  }

  /** Ends the search for marks. */
  dispose(): void {
    this.#marks = null;
  }

  /** Returns the look of rows, null for those that no rule matches. */
  of(rows: readonly RowName[]): readonly (RuleLook | null)[] {
    if (this.#rules.rules.length === 0) {
      return rows.map(() => null);
    }
    const looks = new Map<number, number[]>();
    for (const channel of this.#channels) {
      const { port, direction } = channel.identity;
      const own = rows.filter((row) => row.direction === direction && (port === null || row.port === port));
      if (own.length > 0 && this.#rules.concerns(channel)) {
        this.#lookAt(channel, [...new Set(own.map(({ sequence }) => channel.lineAtSequence(sequence)))], looks);
      }
    }
    return rows.map(({ sequence }) => this.#lookOf(looks.get(sequence)));
  }

  /** @param lines Ascending. */
  #lookAt(channel: LineChannel, lines: readonly number[], looks: Map<number, number[]>): void {
    for (let index = 0; index < lines.length; ) {
      const from = lines[index] as number;
      let to = from;
      while (lines[index] === to) {
        index++;
        to++;
      }
      for (const [rule, found] of this.#rules.findEach(channel, from, Math.min(to, channel.endLine)).entries()) {
        for (const line of found) {
          const sequence = channel.sequenceOf(line);
          looks.set(sequence, [...(looks.get(sequence) ?? []), rule]);
        }
      }
    }
  }

  #lookOf(matching: readonly number[] | undefined): RuleLook | null {
    if (matching === undefined) {
      return null;
    }
    let line: RuleColour | null = null;
    let match: RuleLook['match'] = null;
    let isMarked = false;
    for (const index of matching) {
      const { colour, colours, mark } = this.#rules.rules[index] as WatchedRule;
      const marker = this.#markers[index] ?? null;
      if (colour !== null && colours === 'match' && marker !== null) {
        match ??= { colour, marker };
      } else if (colour !== null) {
        line ??= colour;
      }
      isMarked ||= mark;
    }
    return { line, match, isMarked };
  }
}

/** Counts the lines from before some rules, in slices and without any other effect. */
import type { LineChannel } from '../line-channel.ts';
import { LineRules, type WatchedRule } from './line-rules.ts';
import { sliceEnd } from './line-slices.ts';

interface Stretch {
  readonly channel: LineChannel;
  /** Line to count next. */
  next: number;
  readonly end: number;
}

export class OlderLines {
  readonly #lines: LineRules;
  readonly #stretches: readonly Stretch[];

  /**
   * @param rules The rules whose lines are counted.
   * @param read For each channel, the end of the lines that the rules have not seen.
   */
  constructor(
    rules: readonly WatchedRule[],
    read: readonly { readonly channel: LineChannel; readonly next: number }[],
  ) {
    const lines = new LineRules(rules.filter(({ condition }) => condition.kind !== 'silence'));
    this.#lines = lines;
    this.#stretches = read.flatMap(({ channel, next }) =>
      lines.concerns(channel) && channel.firstLine < next ? [{ channel, next: channel.firstLine, end: next }] : [],
    );
  }

  /** Ids of the rules. */
  get ids(): readonly string[] {
    return this.#lines.rules.map(({ id }) => id);
  }

  get isDone(): boolean {
    return this.#stretches.every(({ next, end }) => next >= end);
  }

  /** Counts a slice, and calls `onCount` for each rule with the number of its lines. */
  step(onCount: (id: string, lines: number) => void): void {
    const stretch = this.#stretches.find(({ next, end }) => next < end);
    if (stretch === undefined) {
      return;
    }
    const { channel, end } = stretch;
    const from = Math.max(stretch.next, channel.firstLine);
    if (from >= end) {
      stretch.next = end;
      return;
    }
    const to = sliceEnd(channel, from, end);
    for (const [rule, { length }] of this.#lines.findEach(channel, from, to).entries()) {
      onCount((this.#lines.rules[rule] as WatchedRule).id, length);
    }
    stretch.next = to;
  }
}

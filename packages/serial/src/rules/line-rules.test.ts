import { describe, expect, it } from 'vitest';
import { receivedChannel, sentChannel, utf8 } from '../testing/line-channels.ts';
import { LineRules, type WatchedRule } from './line-rules.ts';
import { noActions, type RuleCondition } from './rule.ts';

const heap: RuleCondition = { kind: 'value', series: 'heap', side: 'below', limit: 100 };
const silence = (find: string): RuleCondition => ({ kind: 'silence', seconds: 5, find });
const line = (find: string, matchCase = false): RuleCondition => ({ kind: 'line', find, matchCase });

const rulesFor = (...conditions: readonly RuleCondition[]) =>
  new LineRules(
    conditions.map((condition, index): WatchedRule => ({ ...noActions, id: `${index}`, ports: null, condition })),
  );

function channelWith(text: string) {
  const channel = receivedChannel(1 << 12);
  channel.append(utf8(text), 0);
  return channel;
}

describe('rules about lines', () => {
  it('tell the case of letters apart where a condition does', () => {
    const rules = rulesFor(line('Error', true), line('Error'), silence('Error'));
    expect(rules.findEach(channelWith('error\nError\n'), 0, 2)).toEqual([[1], [0, 1], [0, 1]]);
  });

  it('find a line with the NUL that ends the string of a board', () => {
    const rules = rulesFor(line('/^PASS$/'), line('PASS', true), line('pass'), heap);
    expect(rules.findEach(channelWith('PASS\0\r\n\0PASS\r\nPA\0SS\n\0heap: 1\0\r\n'), 0, 4)).toEqual([
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
      [3],
    ]);
  });

  it('find nothing outside of the lines that they are given', () => {
    const channel = channelWith('heap: 1\nheap: 2\nheap: 3\n');
    const rules = rulesFor(heap, line('heap'));
    expect(rules.findEach(channel, 1, 2)).toEqual([[1], [1]]);
    expect(rules.findEach(channel, 3, 3)).toEqual([[], []]);
    expect(rules.findEach(receivedChannel(), 0, 0)).toEqual([[], []]);
  });

  it('have no query for values, for any byte, and for a condition that cannot be used', () => {
    const rules = rulesFor(heap, silence(' '), line('/(/'), silence('alive'));
    expect([0, 1, 2, 3].map((rule) => rules.queryOf(rule) !== null)).toEqual([false, false, false, true]);
    expect([0, 1, 2, 3].map((rule) => rules.matchesOpen(rule))).toEqual([false, false, false, true]);
    expect(rulesFor(silence('')).concerns(receivedChannel())).toBe(false);
  });

  it('concern the received lines alone if they are about values', () => {
    expect(rulesFor(heap).concerns(receivedChannel())).toBe(true);
    const sent = sentChannel(1_024, 1, { next: 0 });
    sent.append(utf8('heap: 1\n'), 0);
    expect(rulesFor(heap).concerns(sent)).toBe(false);
    expect(rulesFor(heap, line('heap dir:tx')).findEach(sent, 0, 1)).toEqual([[], [0]]);
    expect(rulesFor().concerns(receivedChannel())).toBe(false);
  });
});

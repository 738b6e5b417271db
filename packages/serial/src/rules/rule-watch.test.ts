import { VirtualClock } from '@wirebench/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LineChannel } from '../line-channel.ts';
import type { PortNumber } from '../port-number.ts';
import { noticeChannel, receivedChannel, sentChannel, utf8 } from '../testing/line-channels.ts';
import { noActions, type RuleActions, type RuleCondition } from './rule.ts';
import { RuleWatch, type WatchedRule } from './rule-watch.ts';

let clock: VirtualClock;
let port1: LineChannel;
let port2: LineChannel;
let sent: LineChannel;
let hits: string[];
let open: Set<PortNumber>;
let watch: RuleWatch;

beforeEach(() => {
  clock = new VirtualClock(1_000_000);
  const counter = { next: 0 };
  port1 = receivedChannel(1 << 16, 1, counter);
  port2 = receivedChannel(1 << 16, 2, counter);
  sent = sentChannel(1 << 12, 1, counter);
  hits = [];
  open = new Set([1, 2]);
  watch = new RuleWatch({
    clock,
    channels: [port1, port2, sent, noticeChannel(1 << 12, counter)],
    isOpen: (port) => open.has(port),
    onHit: ({ id, port, line, value }) =>
      hits.push(`${id} ${port} ${line?.text() ?? 'silent'}${value === null ? '' : ` ${value}`}`),
    onChange: () => undefined,
  });
});

function rule(
  id: string,
  condition: string | RuleCondition,
  rest: Partial<RuleActions & Pick<WatchedRule, 'ports'>> = {},
): WatchedRule {
  const { colour, colours, mark } = { ...noActions, ...rest };
  const about =
    typeof condition === 'string' ? { kind: 'line' as const, find: condition, matchCase: false } : condition;
  return { id, condition: about, ports: rest.ports ?? null, colour, colours, mark };
}

async function receive(text: string, channel = port1): Promise<void> {
  channel.append(utf8(text), clock.now());
  watch.changed();
  await clock.advance(20);
}

const countOf = (id: string) => watch.counts.get(id);

describe('a rule about lines', () => {
  it('is met by each line once, when the line has an end', async () => {
    watch.set([rule('a', 'error')]);
    await receive('an error\nfine\nhalf an err');
    await receive('or\n');
    expect(hits).toEqual(['a 1 an error', 'a 1 half an error']);
    expect(countOf('a')).toBe(2);
  });

  it('quotes what a line draws, behind more marks than a quote has characters', async () => {
    watch.set([rule('a', 'oops')]);
    await receive(`\x1b]3008;start=${'0'.repeat(600)}\x1b\\oops\n`);
    expect(hits).toEqual(['a 1 oops']);
  });

  it('is met by a prompt without an end after a moment, and not again when the line ends', async () => {
    watch.set([rule('a', 'login:'), rule('not', 'login not:root')]);
    await receive('debian login: ');
    expect(hits).toEqual([]);
    await clock.advance(100);
    expect(hits).toEqual(['a 1 debian login: ']);
    await receive('root\n');
    expect(hits).toEqual(['a 1 debian login: ']);
    expect(countOf('a')).toBe(1);
    expect(countOf('not')).toBe(0);
  });

  it('counts the lines from before it, without any other effect', async () => {
    await receive('error\nerror\nfine\n');
    watch.set([rule('a', 'error')]);
    await receive('error\n');
    expect(countOf('a')).toBe(3);
    expect(hits).toEqual(['a 1 error']);
  });

  it('keeps its count while other rules come and go, and restarts when its condition changes', async () => {
    watch.set([rule('a', 'error')]);
    await receive('error\n');
    watch.set([rule('b', 'fine'), rule('a', 'error', { colour: 'red' })]);
    await receive('error\nfine\n');
    expect([countOf('a'), countOf('b')]).toEqual([2, 1]);
    watch.set([rule('a', 'fine')]);
    await clock.advance(20);
    expect([countOf('a'), countOf('b')]).toEqual([1, undefined]);
    expect(hits).toEqual(['a 1 error', 'a 1 error', 'b 1 fine']);
  });

  it('is about its ports, and about received lines unless it names a direction', async () => {
    watch.set([rule('one', 'x', { ports: [1] }), rule('both', 'x port:1', { ports: [2] }), rule('tx', 'x dir:tx')]);
    await receive('x\n');
    await receive('x\n', port2);
    sent.appendEntry(utf8('x\n'), clock.now());
    watch.changed();
    await clock.advance(20);
    expect(hits).toEqual(['one 1 x', 'tx 1 x']);
  });

  it('finds bytes across lines once the next line has come, once', async () => {
    watch.set([rule('a', 'hex:0A 62')]);
    await receive('a\n');
    expect(hits).toEqual([]);
    await receive('b\nc\n');
    await receive('d\n');
    expect(hits).toEqual(['a 1 a']);
    expect(countOf('a')).toBe(1);
  });

  it('stops at once when a hit switches it off', async () => {
    watch = new RuleWatch({
      clock,
      channels: [port1],
      isOpen: () => true,
      onHit: ({ id }) => {
        hits.push(id);
        watch.set([rule('b', 'x')]);
      },
      onChange: () => undefined,
    });
    watch.set([rule('a', 'x'), rule('b', 'x')]);
    await receive('x\nx\n');
    expect(hits).toEqual(['a', 'b', 'b']);
  });
});

describe('a rule about silence', () => {
  const silence = (find = ''): RuleCondition => ({ kind: 'silence', seconds: 30, find });

  it('is met once for each silence of an open port', async () => {
    watch.set([rule('s', silence(), { ports: [1] })]);
    await clock.advance(29_000);
    await receive('alive');
    await clock.advance(29_900);
    expect(hits).toEqual([]);
    await clock.advance(100);
    await clock.advance(120_000);
    expect(hits).toEqual(['s 1 silent']);
    await receive('\n');
    await clock.advance(31_000);
    expect(hits).toEqual(['s 1 silent', 's 1 silent']);
    expect(countOf('s')).toBe(2);
  });

  it('can be about certain lines', async () => {
    watch.set([rule('s', silence('heartbeat'), { ports: [1] })]);
    await receive('heartbeat\n');
    await clock.advance(20_000);
    await receive('other\n');
    await clock.advance(10_000);
    expect(hits).toEqual(['s 1 silent']);
  });

  it('does not count while the port is closed', async () => {
    open.clear();
    watch.set([rule('s', silence(), { ports: [1] })]);
    await clock.advance(60_000);
    open.add(1);
    watch.changed();
    await clock.advance(29_000);
    expect(hits).toEqual([]);
    await clock.advance(1_100);
    expect(hits).toEqual(['s 1 silent']);
  });
});

describe('a rule about a value', () => {
  const below: RuleCondition = { kind: 'value', series: 'Heap', side: 'below', limit: 100 };

  it.each([
    ['above', [99, 100, 101], ['v 1 heap=101 101']],
    ['below', [101, 100, 99], ['v 1 heap=99 99']],
  ] as const)('is not met %s the limit by a value that equals it', async (side, values, met) => {
    watch.set([rule('v', { ...below, side })]);
    await receive(values.map((value) => `heap=${value}\n`).join(''));
    expect(hits).toEqual(met);
    expect(countOf('v')).toBe(1);
  });

  it('counts each line beyond the limit, and is met when the value gets there', async () => {
    watch.set([rule('v', below, { colour: 'amber' })]);
    await receive('heap: 120\nheap: 90\nheap: 80\nheap: 130\n');
    await receive('heap: 99\nheap: nan\nheap: 70\n');
    expect(hits).toEqual(['v 1 heap: 90 90', 'v 1 heap: 99 99']);
    expect(countOf('v')).toBe(4);
  });

  it('knows each port by itself', async () => {
    watch.set([rule('v', below)]);
    await receive('heap: 90\n');
    await receive('heap: 90\n', port2);
    expect(hits).toEqual(['v 1 heap: 90 90', 'v 2 heap: 90 90']);
  });

  it('knows columns by their header', async () => {
    watch.set([rule('v', { kind: 'value', series: 'temp', side: 'above', limit: 30 })]);
    await receive('time,temp\n1,20\n2,31\n');
    expect(hits).toEqual(['v 1 2,31 31']);
  });
});

describe('the look of lines', () => {
  const rows = (...sequences: number[]) =>
    sequences.map((sequence) => ({ sequence, port: 1 as const, direction: 'received' as const }));

  it('is that of the first rule, also for lines from before the rules', async () => {
    await receive('error wifi\nfine\nwifi\n');
    watch.set([
      rule('a', 'error', { colour: 'red', mark: true }),
      rule('b', 'wifi', { colour: 'blue' }),
      rule('c', '/w.f/', { colour: 'green', colours: 'match' }),
    ]);
    const [first, second, third] = watch.looks(rows(0, 1, 2));
    expect(first).toMatchObject({ line: 'red', match: { colour: 'green' }, isMarked: true });
    expect(first?.match?.marker.inText('error wifi')).toEqual([{ start: 6, end: 9 }]);
    expect(second).toBeNull();
    expect(third).toMatchObject({ line: 'blue', isMarked: false });
  });

  it('includes values', async () => {
    await receive('heap: 5\nheap: 500\n');
    watch.set([rule('v', { kind: 'value', series: 'heap', side: 'below', limit: 100 }, { colour: 'amber' })]);
    expect(watch.looks(rows(0, 1)).map((look) => look?.line)).toEqual(['amber', undefined]);
  });

  it('changes its revision with colours, and not with other actions', () => {
    watch.set([rule('a', 'x', { colour: 'red' })]);
    const before = watch.lookRevision;
    watch.set([rule('a', 'x', { colour: 'red' }), rule('b', 'y')]);
    expect(watch.lookRevision).toBe(before);
    watch.set([rule('a', 'x', { colour: 'blue' })]);
    expect(watch.lookRevision).toBeGreaterThan(before);
  });

  it('marks lines from before and after the rule, and steps through them', async () => {
    await receive('error\nfine\n');
    watch.set([rule('a', 'error', { mark: true }), rule('b', 'fine', { colour: 'red' })]);
    await receive('error\nfine\n');
    const { marks } = watch;
    expect([...(marks?.sequences() ?? [])]).toEqual([0, 2]);
    expect(marks?.next(0)).toEqual({ sequence: 2, index: 1, wrapped: false });
    watch.set([]);
    expect(watch.marks).toBeNull();
  });
});

it('sets no timer without rules', async () => {
  await receive('x\n');
  expect(clock.pending).toBe(0);
  watch.set([rule('a', 'x'), rule('s', { kind: 'silence', seconds: 5, find: '' })]);
  await receive('x\n');
  watch.dispose();
  expect(clock.pending).toBe(0);
});

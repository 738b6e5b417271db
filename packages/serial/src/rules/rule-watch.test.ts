import { VirtualClock } from '@wirebench/clock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LineChannel } from '../line-channel.ts';
import type { PortNumber } from '../port-number.ts';
import { noticeChannel, receivedChannel, sentChannel, utf8 } from '../testing/line-channels.ts';
import { noActions, type RuleActions, type RuleCondition } from './rule.ts';
import { RuleWatch, type WatchedRule } from './rule-watch.ts';

let clock: VirtualClock;
let port1: LineChannel;
let port2: LineChannel;
let sent: LineChannel;
let notices: LineChannel;
let hits: string[];
/** Number of calls of `onChange`. */
let changes: number;
let open: Set<PortNumber>;
let watch: RuleWatch;

beforeEach(() => {
  clock = new VirtualClock(1_000_000);
  const counter = { next: 0 };
  port1 = receivedChannel(1 << 16, 1, counter);
  port2 = receivedChannel(1 << 16, 2, counter);
  sent = sentChannel(1 << 12, 1, counter);
  notices = noticeChannel(1 << 12, counter);
  hits = [];
  changes = 0;
  open = new Set([1, 2]);
  watch = new RuleWatch({
    clock,
    channels: [port1, port2, sent, notices],
    isOpen: (port) => open.has(port),
    onHit: ({ id, port, line, value }) =>
      hits.push(`${id} ${port} ${line?.text() ?? 'silent'}${value === null ? '' : ` ${value}`}`),
    onChange: () => {
      changes++;
    },
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

  it('looks at a line without an end 100 ms after its last byte, and again at its end', async () => {
    watch.set([rule('a', 'login:'), rule('b', 'root')]);
    await receive('root\n');
    const schedule = vi.spyOn(clock, 'schedule');
    const before = changes;
    port1.append(utf8('debian '), clock.now());
    watch.changed();
    await clock.advance(200);
    expect(changes).toBe(before);
    port1.append(utf8('login: '), clock.now());
    watch.changed();
    await clock.advance(99);
    expect(hits).toEqual(['b 1 root']);
    await clock.advance(1);
    await clock.advance(0);
    expect(hits).toEqual(['b 1 root', 'a 1 debian login: ']);
    expect(changes).toBe(before + 1);
    expect(schedule.mock.calls.length).toBeLessThan(10);
    await clock.advance(1_000);
    await receive('root\n');
    expect(hits).toEqual(['b 1 root', 'a 1 debian login: ', 'b 1 debian login: root']);
    expect(changes).toBe(before + 2);
  });

  it('quotes the first 512 characters of a line', async () => {
    watch.set([rule('a', 'oops')]);
    await receive(`oops${'é'.repeat(600)}\n`);
    expect(hits).toEqual([`a 1 oops${'é'.repeat(508)}`]);
  });

  it('quotes nothing of a line that was dropped in the meantime', async () => {
    const texts: (() => string)[] = [];
    watch = new RuleWatch({
      clock,
      channels: [port1],
      isOpen: () => true,
      onHit: ({ line }) => line !== null && texts.push(line.text),
      onChange: () => undefined,
    });
    watch.set([rule('a', 'error')]);
    await receive('error\n');
    expect(texts.map((text) => text())).toEqual(['error']);
    await receive('x\n'.repeat(40_000));
    expect(texts.map((text) => text())).toEqual(['']);
  });

  it('counts the lines from before it, without any other effect', async () => {
    await receive('error\nerror\nfine\n');
    watch.set([rule('a', 'error')]);
    await receive('error\n');
    expect(countOf('a')).toBe(3);
    expect(hits).toEqual(['a 1 error']);
  });

  it('counts the lines from before it on each of its channels', async () => {
    await receive('error\nfine\n');
    await receive('error\nerror\n', port2);
    watch.set([rule('both', 'error'), rule('second', 'error port:2')]);
    expect(watch.isCatchingUp).toBe(true);
    await clock.advance(20);
    expect(watch.isCatchingUp).toBe(false);
    expect([countOf('both'), countOf('second')]).toEqual([3, 2]);
    expect(hits).toEqual([]);
  });

  it('does not count lines that were dropped before it looked at them', async () => {
    await receive('error\n'.repeat(3));
    watch.set([rule('a', 'error')]);
    await receive('error\n'.repeat(20_000));
    expect(port1.firstLine).toBeGreaterThan(3);
    expect(countOf('a')).toBe(port1.lines);
    expect(hits).toHaveLength(port1.lines);
  });

  it('has nothing to catch up where no line is on its ports', async () => {
    await receive('error\n');
    watch.set([rule('second', 'error port:2')]);
    expect(watch.isCatchingUp).toBe(false);
  });

  it('is met by lines that arrived before other rules were set', async () => {
    watch.set([rule('a', 'error')]);
    port1.append(utf8('error\n'), clock.now());
    watch.set([rule('a', 'error'), rule('b', 'fine')]);
    await clock.advance(20);
    expect(hits).toEqual(['a 1 error']);
    expect(countOf('a')).toBe(1);
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
    expect(countOf('s')).toBe(1);
  });

  it('goes on while other rules come and go, and is not met twice', async () => {
    watch.set([rule('s', silence(), { ports: [1] })]);
    await clock.advance(20_000);
    watch.set([rule('x', 'x'), rule('s', silence(), { ports: [1] })]);
    await clock.advance(11_000);
    expect(hits).toEqual(['s 1 silent']);
    watch.set([rule('s', silence(), { ports: [1] })]);
    await clock.advance(60_000);
    await receive('x\n', port2);
    expect(hits).toEqual(['s 1 silent']);
  });

  it('is ended by its own lines on its own port alone', async () => {
    watch.set([rule('a', silence('alpha')), rule('b', silence('beta'), { ports: [1] })]);
    await clock.advance(20_000);
    await receive('alpha\n');
    await clock.advance(11_000);
    expect(hits.sort()).toEqual(['a 2 silent', 'b 1 silent']);
  });

  it('is not ended by sent bytes', async () => {
    watch.set([rule('s', silence(), { ports: [1] })]);
    await clock.advance(20_000);
    sent.appendEntry(utf8('x\n'), clock.now());
    watch.changed();
    await clock.advance(11_000);
    expect(hits).toEqual(['s 1 silent']);
  });

  it('is met at its time, and nothing runs until then', async () => {
    const schedule = vi.spyOn(clock, 'schedule');
    watch.set([rule('s', silence(), { ports: [1] })]);
    await clock.advance(29_999);
    expect(schedule.mock.calls.length).toBeLessThan(4);
    expect(hits).toEqual([]);
    await clock.advance(1);
    await clock.advance(0);
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
    await receive('time,temp\n1,20\n');
    await receive('2,31\n');
    expect(hits).toEqual(['v 1 2,31 31']);
  });

  it('is about its ports, and about received lines', async () => {
    watch.set([rule('one', below, { ports: [1] }), rule('all', below)]);
    await receive('heap: 90\n', port2);
    sent.appendEntry(utf8('heap: 80\n'), clock.now());
    await receive('heap: 70\n');
    expect(hits.sort()).toEqual(['all 1 heap: 70 70', 'all 2 heap: 90 90', 'one 1 heap: 70 70']);
    expect([countOf('one'), countOf('all')]).toEqual([1, 2]);
  });

  it('knows several series in a line, and counts a line once', async () => {
    watch.set([rule('heap', below), rule('temp', { kind: 'value', series: 'temp', side: 'above', limit: 30 })]);
    await receive('heap: 90 temp: 31\nheap: 90 heap: 80 temp: 20\n');
    expect(hits).toEqual(['heap 1 heap: 90 temp: 31 90', 'temp 1 heap: 90 temp: 31 31']);
    expect([countOf('heap'), countOf('temp')]).toEqual([2, 1]);
  });

  it('is met when the line has an end, not by the first digits of a number', async () => {
    watch.set([rule('v', below)]);
    await receive('heap: 9');
    await clock.advance(200);
    expect(hits).toEqual([]);
    await receive('00\nheap: 9');
    await clock.advance(200);
    await receive('0\n');
    expect(hits).toEqual(['v 1 heap: 90 90']);
  });

  it('stays beyond its limit while a reading is no number', async () => {
    watch.set([rule('v', below)]);
    await receive('heap: 90 temp: 1\nheap: nan temp: 2\nheap: 80 temp: 3\n');
    expect(hits).toEqual(['v 1 heap: 90 temp: 1 90']);
    expect(countOf('v')).toBe(2);
  });

  it('is not about lines that are too long for a plot', async () => {
    watch.set([rule('v', below)]);
    await receive(`heap: 90 ${'x '.repeat(2_100)}\n`);
    expect(hits).toEqual([]);
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

  it('is that of each row, whichever channel it is from', async () => {
    watch.set([rule('a', 'x', { colour: 'red' }), rule('n', 'lost dir:notice', { colour: 'amber' })]);
    await receive('x\n', port2);
    notices.appendEntry(utf8('Port 1 was lost'), clock.now());
    await receive('x\n');
    const looked = watch.looks([
      { sequence: 0, port: 2, direction: 'received' },
      { sequence: 1, port: 1, direction: 'notice' },
      { sequence: 2, port: 1, direction: 'received' },
    ]);
    expect(looked.map((look) => look?.line)).toEqual(['red', 'amber', 'red']);
  });

  it('is the colour of the line where the condition has no match in the line', async () => {
    await receive('fine\n');
    watch.set([rule('a', 'not:error', { colour: 'red', colours: 'match' })]);
    expect(watch.looks(rows(0))).toEqual([{ line: 'red', match: null, isMarked: false }]);
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

  it('marks the lines of several rules in their order', async () => {
    await receive('b\na\nab\nc\n');
    watch.set([rule('a', 'a', { mark: true }), rule('b', 'b', { mark: true })]);
    expect(watch.isCatchingUp).toBe(true);
    await clock.advance(20);
    expect(watch.isCatchingUp).toBe(false);
    expect([...(watch.marks?.sequences() ?? [])]).toEqual([0, 1, 2]);
  });
});

describe('counts', () => {
  it('restart at 0, without the older lines that are not counted yet', async () => {
    await receive('error\n');
    watch.set([rule('a', 'error')]);
    watch.resetCounts();
    expect([countOf('a'), watch.isCatchingUp]).toEqual([0, false]);
    await receive('error\nerror\n');
    expect(countOf('a')).toBe(2);
    const before = { revision: watch.revision, changes };
    watch.resetCounts();
    expect(countOf('a')).toBe(0);
    expect(watch.revision).toBeGreaterThan(before.revision);
    expect(changes).toBeGreaterThan(before.changes);
  });

  it('restart with the values of series after all lines were deleted', async () => {
    watch.set([rule('v', { kind: 'value', series: 'heap', side: 'below', limit: 100 })]);
    await receive('heap: 90\n');
    watch.startOver();
    await receive('heap: 80\n');
    expect(hits).toEqual(['v 1 heap: 90 90', 'v 1 heap: 80 80']);
    expect(countOf('v')).toBe(1);
  });

  it('are announced when they have changed', async () => {
    watch.set([rule('a', 'error')]);
    await clock.advance(20);
    const before = changes;
    await receive('fine\n');
    expect(changes).toBe(before);
    await receive('error\n');
    expect(changes).toBe(before + 1);
    watch.set([rule('s', { kind: 'silence', seconds: 30, find: '' }, { ports: [1] })]);
    const silent = changes;
    await clock.advance(29_000);
    expect(changes).toBe(silent);
    await clock.advance(60_000);
    expect(changes).toBe(silent + 1);
  });

  it('are announced after 8 ms of work, when other work gets the thread', async () => {
    let worked = 0;
    const seen: (number | undefined)[] = [];
    const busy = {
      now: () => clock.now() + worked,
      wallTime: () => clock.wallTime(),
      schedule: clock.schedule.bind(clock),
      sleep: clock.sleep.bind(clock),
    };
    const channel = receivedChannel(1 << 16);
    watch = new RuleWatch({
      clock: busy,
      channels: [channel],
      isOpen: () => true,
      onHit: () => {
        worked += 4;
        watch.changed();
      },
      onChange: () => seen.push(countOf('a')),
    });
    watch.set([rule('a', 'x')]);
    await clock.advance(20);
    seen.length = 0;
    // One line of each slice of 2,048 lines is met.
    channel.append(utf8(`x\n${'\n'.repeat(2_047)}`.repeat(5)), clock.now());
    watch.changed();
    await clock.advance(20);
    expect(seen).toEqual([2, 4, 5]);
  });
});

it('looks at new lines every 10 ms at most', async () => {
  watch.set([rule('a', 'x')]);
  await receive('x\n');
  port1.append(utf8('x\n'), clock.now());
  watch.changed();
  await clock.advance(0);
  expect(hits).toHaveLength(2);
  port1.append(utf8('x\n'), clock.now());
  watch.changed();
  watch.changed();
  expect(clock.pending).toBe(1);
  await clock.advance(9);
  expect(hits).toHaveLength(2);
  await clock.advance(1);
  expect(hits).toHaveLength(3);
  expect(clock.pending).toBe(0);
});

it('sets no timer without rules', async () => {
  port1.append(utf8('x\n'), clock.now());
  watch.changed();
  expect(clock.pending).toBe(0);
  watch.set([rule('a', 'x'), rule('s', { kind: 'silence', seconds: 5, find: '' })]);
  await receive('x\n');
  watch.dispose();
  expect(clock.pending).toBe(0);
});

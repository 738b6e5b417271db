import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench, lineText, noActions } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RuleEvent, RunningRule } from '../../protocol/bench/rule-part.ts';
import { RuleWorker } from './rule-worker.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the rules in the worker', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let rules: RuleWorker;
  let elsewhere: boolean;

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    elsewhere = false;
    bench = new Bench({ clock, onChange: () => rules.changed() });
    rules = new RuleWorker({ bench, clock, isElsewhere: () => elsewhere, onProgress: () => undefined });
    await bench.connect(1, new FakeSerialPort(), defaultPortSettings);
  });
  afterEach(async () => {
    const disposed = bench.dispose();
    await clock.advance(10_000);
    await disposed;
  });

  const rule = (find: string, more: Partial<RunningRule> = {}): RunningRule => ({
    ...noActions,
    id: 'a',
    name: 'Echo',
    ports: null,
    condition: { kind: 'line', find, matchCase: false },
    answer: null,
    answerName: null,
    isReported: true,
    ...more,
  });
  const receive = async (text: string) => {
    bench.record(1, 'received', bytes(text));
    await clock.advance(20);
  };
  const kinds = (): RuleEvent['kind'][] => rules.take().map(({ kind }) => kind);
  const sent = () =>
    bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 100, channels: ['sent-1'] })
      .rows.map((row) => lineText(row.bytes));
  const notices = () =>
    bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 100, channels: ['notices'] })
      .rows.map((row) => lineText(row.bytes));

  it('answer on the port of the line, and report the hit once for each tick', async () => {
    rules.set([rule('login:', { answer: bytes('root\n') })]);
    await receive('login:\nlogin:\n');
    expect(sent()).toEqual(['root', 'root']);
    expect(rules.take()).toEqual([{ id: 'a', kind: 'hit', port: 1, text: 'login:', value: null, count: 2 }]);
    expect(rules.take()).toEqual([]);
  });

  it('are switched off by the sixth answer within a second, with a sentence', async () => {
    rules.set([rule('ping', { answer: bytes('ping\n'), isReported: false })]);
    for (let echo = 0; echo < 9; echo++) {
      await receive('ping\n');
    }
    expect(sent()).toHaveLength(5);
    expect(notices().at(-1)).toMatch(/^The rule "Echo" was switched off: it answered more than 5 times/);
    expect(kinds()).toEqual(['looping']);
    await receive('ping\n');
    expect(sent()).toHaveLength(5);
  });

  it('leave answers on a port of another bench to its host, and say so once', async () => {
    elsewhere = true;
    rules.set([rule('login:', { answer: bytes('root\n'), isReported: false })]);
    await receive('login:\n');
    await receive('login:\n');
    expect(sent()).toEqual([]);
    expect(rules.take()).toMatchObject([{ kind: 'elsewhere', port: 1, count: 1 }]);
    expect(rules.counts.counts).toEqual({ a: 2 });
  });

  it('step through marks, and tell their places in the log', async () => {
    rules.set([rule('error', { mark: true, isReported: false })]);
    const received = `error\n${'fine\n'.repeat(98)}`;
    await receive(`${received}error\n`);
    await clock.advance(100);
    const { places, count } = rules.ticks();
    expect(count).toBe(2);
    expect(places).toHaveLength(2);
    const newest = rules.step('previous', 10_000);
    const oldest = rules.step('previous', newest?.sequence ?? 0);
    // Each byte has a number of its own, and a line that of its first byte.
    expect((newest?.sequence ?? 0) - (oldest?.sequence ?? 0)).toBe(received.length);
    expect(rules.step('next', oldest?.sequence ?? 0)?.sequence).toBe(newest?.sequence);
  });
});

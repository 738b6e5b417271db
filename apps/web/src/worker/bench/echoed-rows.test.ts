import { VirtualClock } from '@wirebench/clock';
import { noActions } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import { callLine } from '../../protocol/calls/testing/call-line.ts';
import { subtle } from '../../protocol/rows/styled-text.ts';
import { BenchClient } from '../../workbench/bench-client.ts';
import { BenchWorker } from './bench-worker.ts';

const encoder = new TextEncoder();

describe('the row of an echoed command', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let client: BenchClient;
  let tick: BenchTick | undefined;

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    const { page, bench } = callLine();
    worker = new BenchWorker(bench, { clock, openRecordingFile: () => Promise.reject(new Error('none')) });
    client = new BenchClient((newest) => {
      tick = newest;
    });
    client.attach(page);
    worker.bench.record(1, 'received', encoder.encode('\x1b[32mdemo> \x1b[m'));
    await clock.advance(500);
    worker.bench.record(1, 'sent', encoder.encode('help\n'));
    worker.sign(1, 'Ada');
    worker.bench.record(1, 'received', encoder.encode('help\r\n'));
    await clock.advance(100);
  });
  afterEach(() => worker.bench.dispose());

  const rows = async (joinsEchoes = true) =>
    (await client.call('rows', { layout: 'text', anchor: { position: 0 }, count: 100, joinsEchoes })).rows;

  it('has the prompt in grey, and the time, the direction and the author of the sent line', async () => {
    const [both, sent] = await rows(false);
    expect(await rows()).toEqual([
      {
        ...both,
        runs: [{ start: 0, end: 6, style: subtle }],
        direction: 'sent',
        at: sent?.at,
        author: 'Ada',
      },
    ]);
    expect((sent?.at ?? 0) - (both?.at ?? 0)).toBe(500);
    expect(both?.text).toBe('demo> help');
  });

  it('is two rows once the sent line is found', async () => {
    const terms = [{ kind: 'text', text: 'help', ignoreCase: false }] as const;
    await client.call('find', { scope: {}, terms, matchesOnly: false });
    await clock.advance(100);
    const before = tick?.lookRevision ?? 0;
    const hit = await client.call('findStep', 'previous', 100);
    await clock.advance(100);
    expect(tick?.find?.count).toBe(2);
    expect(tick?.lookRevision).toBe(before + 1);
    expect((await rows()).map(({ direction, sequence }) => [direction, sequence])).toEqual([
      ['received', 0],
      ['sent', hit?.sequence],
    ]);
  });

  it('has the colour that a rule gives to the sent line, and becomes two rows at its mark', async () => {
    const rule = {
      ...noActions,
      id: 'a',
      name: 'Sent',
      ports: null,
      condition: { kind: 'line', find: 'dir:tx help', matchCase: false },
      answer: null,
      answerName: null,
      isReported: false,
    } as const;
    await client.call('setRules', [{ ...rule, mark: true, colour: 'red' }]);
    await clock.advance(100);
    expect((await rows())[0]?.rule).toMatchObject({ isMarked: true, line: 'red' });
    await client.call('markStep', 'previous', 100);
    expect(await rows()).toHaveLength(2);
  });
});

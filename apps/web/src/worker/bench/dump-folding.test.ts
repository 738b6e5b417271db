import { VirtualClock } from '@wirebench/clock';
import type { PortNumber, RowLayout } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import { callLine } from '../../protocol/calls/testing/call-line.ts';
import { BenchClient } from '../../workbench/bench-client.ts';
import { BenchWorker } from './bench-worker.ts';

const start = '================= CORE DUMP START =================';
const end = '================= CORE DUMP END =================';
const encoder = new TextEncoder();
const none = { sequence: 0, part: 0 };

interface RowName {
  readonly sequence: number;
  readonly part: number;
}

describe('a core dump in the console', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let client: BenchClient;
  let tick: BenchTick | undefined;

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    const { page, bench } = callLine();
    worker = new BenchWorker(bench, { clock, openRecordingFile: () => Promise.reject(new Error('none')) });
    client = new BenchClient((newest) => {
      tick = newest;
    });
    client.attach(page);
  });
  afterEach(() => worker.bench.dispose());

  /** Receives lines at a port, and lets the bench read them. */
  const receive = async (port: PortNumber, ...lines: readonly string[]) => {
    worker.bench.record(port, 'received', encoder.encode(lines.map((line) => `${line}\n`).join('')));
    await clock.advance(100);
  };
  /** Runs the clock until a call resolves: assembling in slices pauses in between. */
  const ask = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    for (let turn = 0; turn < 10; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
      await clock.advance(1);
    }
    return call;
  };
  const rows = async (layout: RowLayout = 'text') =>
    (await client.call('rows', { layout, anchor: { position: 0 }, count: 1_000 })).rows;
  const copy = async (from: RowName, to: RowName) =>
    (await ask(client.call('copyRows', { layout: 'text', from, to }))).text.text();
  const texts = async () =>
    (await rows()).map(({ text, dump }) =>
      dump == null ? text : `${dump.state} ${dump.lines}${dump.shown ? ' shown' : ''}`,
    );

  it('is one row, with the lines of other ports around it', async () => {
    await receive(1, 'panic', start, 'AAAA');
    await receive(2, 'hello');
    await receive(1, 'BBBB');
    expect(await texts()).toEqual(['panic', 'receiving 2', 'hello']);
    await receive(1, end, 'Rebooting...');
    expect(await texts()).toEqual(['panic', 'whole 2', 'hello', 'Rebooting...']);
    expect((await rows('hex')).filter(({ port }) => port === 1)).toHaveLength(3);
  });

  it('changes how lines look while it is received, and what is known of crashes once it is whole', async () => {
    await receive(1, start, 'AAAA');
    await ask(client.call('rows', { layout: 'text', anchor: 'tail', count: 1 }));
    const begun = tick;
    await receive(1, 'BBBB');
    await receive(1, 'CCCC');
    await ask(client.call('rows', { layout: 'text', anchor: 'tail', count: 1 }));
    expect(tick?.lookRevision).toBeGreaterThan(begun?.lookRevision ?? Number.POSITIVE_INFINITY);
    expect(tick?.incidentRevision).toBe(begun?.incidentRevision);
    const received = tick;
    await receive(1, end);
    await ask(client.call('rows', { layout: 'text', anchor: 'tail', count: 1 }));
    expect(tick?.incidentRevision).toBeGreaterThan(received?.incidentRevision ?? Number.POSITIVE_INFINITY);
  });

  it('is unfolded and folded again, and unfolded by what is found in it', async () => {
    await receive(1, start, 'AAAA', 'BBBB', end);
    const [strip] = await rows();
    await client.call('showDumpLines', 1, strip?.sequence ?? -1, true);
    expect(await texts()).toEqual(['whole 2 shown', 'AAAA', 'BBBB', end]);
    await client.call('showDumpLines', 1, strip?.sequence ?? -1, false);
    expect(await texts()).toEqual(['whole 2']);
    await client.call('find', {
      scope: {},
      terms: [{ kind: 'text', text: 'BBBB', ignoreCase: false }],
      matchesOnly: false,
    });
    await clock.advance(100);
    const hit = await client.call('findStep', 'previous', 100);
    expect((await rows()).map(({ sequence }) => sequence)).toContain(hit?.sequence);
  });

  it('stays folded when the line of another port is found among its lines', async () => {
    await receive(1, start, 'AAAA');
    await receive(2, 'needle');
    await receive(1, 'BBBB', end);
    await client.call('find', {
      scope: {},
      terms: [{ kind: 'text', text: 'needle', ignoreCase: false }],
      matchesOnly: false,
    });
    await clock.advance(100);
    await client.call('findStep', 'previous', 100);
    expect(await texts()).toEqual(['whole 2', 'needle']);
  });

  it('is shown by a filter as the lines that it finds, and as one row where lines are only left out', async () => {
    await receive(1, start, 'AAAA', 'BBBB', end, 'tick');
    const term = { kind: 'text', ignoreCase: false } as const;
    await client.call('find', { scope: {}, terms: [{ ...term, text: 'AAAA' }], matchesOnly: true });
    await clock.advance(100);
    expect(await texts()).toEqual(['AAAA']);
    await client.call('find', { scope: {}, terms: [{ ...term, text: 'tick', not: true }], matchesOnly: true });
    await clock.advance(100);
    expect(await texts()).toEqual(['whole 2']);
  });

  it('is copied and exported with every line', async () => {
    await receive(1, start, 'AAAA', 'BBBB', end);
    const [strip] = await rows();
    const row = { sequence: strip?.sequence ?? -1, part: 0 };
    const copied = await copy(row, row);
    expect(copied).toBe([start, 'AAAA', 'BBBB', end].join('\n'));
    const exported = await ask(client.call('exportFile', { kind: 'raw', port: 1 }));
    expect(await exported.text()).toBe(`${copied}\n`);
  });

  it('is copied whole with its row, wherever a selection begins and ends, and not at all without it', async () => {
    await receive(1, 'panic', start, 'AAAA');
    await receive(2, 'hello');
    await receive(1, 'BBBB', end, 'up');
    const all = [start, 'AAAA', 'BBBB', end];
    const [panic, strip, hello, up] = (await rows()).map(({ sequence, part }) => ({ sequence, part }));
    expect(up).toBeDefined();
    const copied = async (from: typeof panic, to: typeof panic) => (await copy(from ?? none, to ?? none)).split('\n');
    expect(await copied(strip, hello)).toEqual([...all, 'hello']);
    expect(await copied(panic, strip)).toEqual(['panic', ...all]);
    expect(await copied(panic, up)).toEqual(['panic', ...all, 'hello', 'up']);
    expect(await copied(hello, up)).toEqual(['hello', 'up']);
    const everything = { sequence: up?.sequence ?? 0, part: Number.MAX_SAFE_INTEGER };
    expect(await copied(none, everything)).toEqual(['panic', ...all, 'hello', 'up']);
    for (const text of ['AAAA', 'START']) {
      const terms = [{ kind: 'text', text, ignoreCase: false, not: true }] as const;
      await client.call('find', { scope: {}, terms, matchesOnly: true });
      await clock.advance(100);
      expect(await copied(panic, up)).toEqual(['panic', ...all, 'hello', 'up']);
    }
  });

  it('is read from its lines whole, whatever a filter leaves out of the log', async () => {
    await receive(1, start, 'AAAA', 'BBBB', end, 'tick');
    for (const text of ['AAAA', 'START']) {
      const terms = [{ kind: 'text', text, ignoreCase: false, not: true }] as const;
      await client.call('find', { scope: {}, terms, matchesOnly: true });
      await clock.advance(100);
      const [strip] = await rows();
      expect(strip?.dump).toMatchObject({ state: 'whole', lines: 2 });
      const all = [start, 'AAAA', 'BBBB', end].join('\n');
      expect(await ask(client.call('dumpLines', 1, strip?.sequence ?? -1))).toBe(`${all}\n`);
      const row = { sequence: strip?.sequence ?? -1, part: 0 };
      expect(await copy(row, row)).toBe(all);
    }
  });

  it('is not read from its lines when the first of them are gone', async () => {
    await receive(1, 'tick', start, 'AAAA');
    await client.call('clear');
    await receive(1, 'BBBB', end);
    const [strip] = await rows();
    expect(strip?.dump).toMatchObject({ state: 'whole' });
    expect(await ask(client.call('dumpLines', 1, strip?.sequence ?? -1))).toBeNull();
    expect(await ask(client.call('dumpLines', 1, 0))).toBeNull();
  });

  it('is folded again from the first of its lines that is there: also when its start is gone, or left out', async () => {
    await receive(1, start, 'AAAA', 'BBBB', end);
    await client.call('showDumpLines', 1, (await rows())[0]?.sequence ?? -1, true);
    const terms = [{ kind: 'text', text: 'START', ignoreCase: false, not: true }] as const;
    await client.call('find', { scope: {}, terms, matchesOnly: true });
    await clock.advance(100);
    expect(await texts()).toEqual(['whole 2 shown', 'BBBB', end]);
    await client.call('find', { scope: {}, terms: [], matchesOnly: false });
    await receive(2, 'hello');
    await receive(1, start, 'CCCC');
    await client.call('showDumpLines', 1, (await rows()).at(-1)?.sequence ?? -1, true);
    await client.call('clear');
    await receive(2, 'hello');
    await receive(1, 'DDDD', end);
    expect(await texts()).toEqual(['hello', 'whole 2 shown', end]);
    expect((await rows('hex')).map(({ dump }) => dump?.state)).toEqual([
      undefined,
      'whole',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('comes back folded when a clear is undone, and what comes after a clear in its middle is its rest', async () => {
    await receive(1, 'panic', start, 'AAAA');
    await client.call('clear');
    expect(await texts()).toEqual([]);
    await receive(1, 'BBBB', 'CCCC');
    expect(await texts()).toEqual(['receiving 3']);
    await client.call('undoClear');
    await receive(1, end, 'up');
    expect(await texts()).toEqual(['panic', 'whole 3', 'up']);
  });

  it('is unfinished when nothing comes any more, and a prompt after it is seen', async () => {
    await receive(1, start, 'AAAA');
    await clock.advance(5_000);
    worker.bench.record(1, 'received', encoder.encode('demo> '));
    expect(await texts()).toEqual(['unfinished 1', 'demo> ']);
  });
});

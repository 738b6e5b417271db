import { VirtualClock } from '@wirebench/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callLine } from '../../protocol/calls/testing/call-line.ts';
import { BenchClient } from '../../workbench/bench-client.ts';
import { BenchWorker } from './bench-worker.ts';

describe('undoing a clear', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let client: BenchClient;
  const rows = () => client.call('rows', { layout: 'text', anchor: { position: 0 }, count: 1_000 });
  const texts = async () => (await rows()).rows.map((row) => row.text);
  const say = (text: string) => client.call('notice', 'info', text, null);

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    const { page, bench } = callLine();
    worker = new BenchWorker(bench, { clock, openRecordingFile: () => Promise.reject(new Error('none')) });
    client = new BenchClient(() => undefined);
    client.attach(page);
  });
  afterEach(() => worker.bench.dispose());

  it('restores every line with its time, and keeps lines that arrived in between', async () => {
    await say('before');
    const { startedAt } = await rows();
    await client.call('clear');
    await clock.advance(30_000);
    await say('meanwhile');
    expect(await texts()).toEqual(['meanwhile']);
    expect(await client.call('undoClear')).toBe(true);
    expect(await texts()).toEqual(['before', 'meanwhile']);
    expect(worker.bench.status()).toMatchObject({ lines: 2, droppedLines: 0 });
    expect((await rows()).startedAt).toBe(startedAt);
  });

  it('says if lines can be restored, also after a second clear of a log that is empty by then', async () => {
    expect(await client.call('clear')).toBe(false);
    await say('before');
    expect(await client.call('clear')).toBe(true);
    expect(await client.call('clear')).toBe(true);
    expect(await client.call('undoClear')).toBe(true);
    expect(await texts()).toEqual(['before']);
    expect(await client.call('clear')).toBe(true);
    await clock.advance(60_000);
    expect(await client.call('clear')).toBe(false);
  });

  it('undoes two clears within a minute together, and only once', async () => {
    await say('one');
    await client.call('clear');
    await say('two');
    await client.call('clear');
    expect(await client.call('undoClear')).toBe(true);
    expect(await texts()).toEqual(['one', 'two']);
    expect(await client.call('undoClear')).toBe(false);
    expect(await texts()).toEqual(['one', 'two']);
  });

  it('cannot be done after a minute', async () => {
    await say('before');
    await client.call('clear');
    await clock.advance(60_000);
    expect(await client.call('undoClear')).toBe(false);
    expect(await texts()).toEqual([]);
  });
});

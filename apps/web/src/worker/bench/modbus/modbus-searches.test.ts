/** The search for devices through the line of calls, on the demo line with its three devices and their controller. */
import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { endSentence, type ModbusSearchOptions, type ModbusSearchReport } from '@wirebench/serial/modbus-search';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import { callLine } from '../../../protocol/calls/testing/call-line.ts';
import { BenchClient } from '../../../workbench/bench-client.ts';
import { BenchWorker } from '../bench-worker.ts';

const settings = { ...defaultPortSettings, baudRate: 19_200 };
const options: ModbusSearchOptions = {
  lines: [settings],
  units: { from: 1, to: 25 },
  limit: 100,
  registers: { from: 0, to: 15 },
  ignoresTraffic: false,
};

describe('search for Modbus devices on the demo line', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let client: BenchClient;
  let tick: BenchTick | undefined;
  let onTick: (tick: BenchTick) => void = () => undefined;

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    onTick = () => undefined;
    const { page, bench } = callLine();
    worker = new BenchWorker(bench, { clock, openRecordingFile: () => Promise.reject(new Error('none')) });
    client = new BenchClient((now) => {
      tick = now;
      onTick(now);
    });
    client.attach(page);
    await ended(client.call('connect', 1, { kind: 'demo', model: 'modbus-line' }, settings));
  });
  afterEach(async () => {
    const closing = worker.bench.dispose();
    await clock.advance(10_000);
    await closing;
  });

  /** Advances virtual time until a call has its answer. */
  async function ended<Answer>(call: Promise<Answer>): Promise<Answer> {
    let isOver = false;
    call
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    for (let turn = 0; turn < 20_000 && !isOver; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
      await clock.advance(100);
    }
    return call;
  }
  const search = (change: Partial<ModbusSearchOptions> = {}, ticket = 1) =>
    client.call('searchModbus', 1, { ...options, ...change }, ticket) as Promise<ModbusSearchReport>;
  const notices = () =>
    worker.bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 1_000, channels: ['notices'] })
      .rows.map(({ bytes }) => new TextDecoder().decode(bytes));

  it('notices the controller of the line before anything is sent', async () => {
    const report = await ended(search());
    expect(report.end).toBe('traffic');
    expect(report.traffic?.units).toEqual(expect.arrayContaining([7, 21]));
    expect(report.requests).toBe(0);
    expect(endSentence(report)).toMatch(/^Something else uses this line: \d+ frames came, of units 7, (12, )?21/);
  });

  it('finds the three devices, and their registers, beside it', async () => {
    const report = await ended(search({ ignoresTraffic: true }));
    expect(report).toMatchObject({ end: 'complete', damaged: [] });
    const whole = (last: number) => [{ from: 0, to: last }];
    expect(report.devices).toMatchObject([
      { unit: 7, exception: null, tables: [{ table: 'holding', ranges: whole(15) }] },
      {
        unit: 12,
        exception: 2,
        tables: [
          { table: 'coil', ranges: whole(15) },
          { table: 'discrete', ranges: whole(15) },
        ],
      },
      { unit: 21, exception: 2, tables: [{ table: 'input', ranges: whole(3) }] },
    ]);
    expect(report.devices[0]?.identification).toEqual(['Wirebench demo', 'pump drive', '1.0']);
    expect(notices().filter((text) => text.startsWith('Look for Modbus devices:'))).toHaveLength(2);
    expect(tick?.modbusSearches[1]).toBeNull();
  });

  it('reports its progress, and stops when the port is disconnected', async () => {
    const searching = search({ ignoresTraffic: true });
    for (let turn = 0; turn < 2_000 && tick?.modbusSearches[1]?.step !== 'units'; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
      await clock.advance(100);
    }
    expect(tick?.modbusSearches[1]).toMatchObject({ step: 'units', count: 1 });
    await ended(client.call('disconnect', 1));
    expect(await searching).toMatchObject({ end: 'stopped' });
    expect(tick?.status.ports[1].state).toBe('disconnected');
  });

  it('takes what a search hears at another rate for no sign that the port’s own rate is wrong', async () => {
    const advised = new Set<string | undefined>();
    onTick = ({ advice }) => void advised.add(advice[1].rate?.kind);
    const other = { ...settings, baudRate: 9_600 };
    // Frames at the port's own rate would show that it is right, so no time passes before the search.
    await ended(search());
    await ended(client.call('disconnect', 1));
    await client.call('connect', 1, { kind: 'demo', model: 'modbus-line' }, settings);
    advised.clear();
    // The controller of the line asks again 5 s after the last question, at the rate of the line.
    const report = await ended(
      search({ lines: [other], units: { from: 30, to: 30 }, limit: 8_000, ignoresTraffic: true }),
    );
    expect(report.end).toBe('complete');
    expect(worker.bench.status().ports[1].settings).toMatchObject({ baudRate: 19_200 });
    const { rows } = worker.bench.rows({
      layout: 'text',
      anchor: { position: 0 },
      count: 1_000,
      channels: ['received-1'],
    });
    expect(rows.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeGreaterThan(200);
    expect([...advised]).toEqual([undefined]);
  });

  it('says nothing of a search in the log that is refused before it begins', async () => {
    await ended(client.call('disconnect', 1));
    await expect(ended(search())).rejects.toThrow();
    expect(notices().filter((text) => text.startsWith('Look for Modbus devices:'))).toEqual([]);
  });

  it('is refused on a shared bench, which says why', async () => {
    worker.tap = { bytes: () => undefined, signed: () => undefined, changed: () => undefined };
    const sent = tick?.status.ports[1].sent;
    await expect(ended(search())).rejects.toThrow(/^This bench is shared/);
    expect(tick?.status.ports[1].sent).toBe(sent);
  });

  it('ends when the bench is shared in the middle', async () => {
    const searching = search({ ignoresTraffic: true });
    for (let turn = 0; turn < 2_000 && tick?.modbusSearches[1]?.step !== 'units'; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
      await clock.advance(100);
    }
    worker.tap = { bytes: () => undefined, signed: () => undefined, changed: () => undefined };
    expect((await ended(searching)).failure).toMatch(/^This bench is shared/);
  });
});

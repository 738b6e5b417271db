/** Polling of registers through the line of calls, on the demo line with its three devices and their controller. */
import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import type { PollChoice } from '@wirebench/serial/modbus-search';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import { callLine } from '../../../protocol/calls/testing/call-line.ts';
import { BenchClient } from '../../../workbench/bench-client.ts';
import { BenchWorker } from '../bench-worker.ts';

const settings = { ...defaultPortSettings, baudRate: 19_200 };
const choice: PollChoice = {
  wanted: [
    ...[0, 1, 2, 3].map((first) => ({ unit: 7, table: 'holding' as const, first, count: 1 })),
    { unit: 21, table: 'input', first: 0, count: 2 },
  ],
  every: 1_000,
  ignoresTraffic: false,
};

describe('polling on the demo line', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let client: BenchClient;
  let tick: BenchTick | undefined;

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    const { page, bench } = callLine();
    worker = new BenchWorker(bench, { clock, openRecordingFile: () => Promise.reject(new Error('none')) });
    client = new BenchClient((now) => {
      tick = now;
    });
    client.attach(page);
    await ended(client.call('connect', 1, { kind: 'demo', model: 'modbus-line' }, settings));
    await ended(client.call('setDecoder', 1, 'modbus'));
  });
  afterEach(async () => {
    await ended(client.call('pollModbus', 1, null));
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
    for (let turn = 0; turn < 2_000 && !isOver; turn++) {
      await pass(100);
    }
    return call;
  }

  /** Lets virtual time pass, and what follows from it happen. */
  async function pass(time: number): Promise<void> {
    for (let left = time; left > 0; left -= 50) {
      await new Promise((resolve) => setTimeout(resolve));
      await clock.advance(Math.min(50, left));
    }
  }

  const progress = () => tick?.modbusPolls[1] ?? null;

  /** Lets time pass until the poll is in a state. */
  async function until(state: string): Promise<void> {
    for (let turn = 0; turn < 200 && progress()?.state !== state; turn++) {
      await pass(100);
    }
    expect(progress()?.state).toBe(state);
  }

  /** Sent requests, with the word beside each. */
  const sent = async () => {
    const query = { layout: 'text', anchor: { position: 0 }, count: 500, channels: ['sent-1'] } as const;
    const { rows } = await ended(client.call('rows', query, { frames: { opened: null } }));
    return rows.map(({ text, frame }) => `${frame?.who} ${text} ${frame?.aside}`.trim());
  };

  it('rests while the controller of the line asks, and sends nothing', async () => {
    await pass(3_000);
    await ended(client.call('pollModbus', 1, choice));
    await until('resting');
    await pass(3_000);
    expect(await sent()).toEqual([]);
  });

  it('knows at once that another master asks when the decoder was chosen a moment ago, and does not ask', async () => {
    await pass(3_000);
    await ended(client.call('setDecoder', 1, null));
    await ended(client.call('setDecoder', 1, 'modbus'));
    await ended(client.call('pollModbus', 1, choice));
    await until('resting');
    await pass(6_000);
    expect(progress()?.state).toBe('resting');
    expect(await sent()).toEqual([]);
  });

  it('asks anyway when told so: one request for neighbours, and nothing is written', async () => {
    await pass(3_000);
    await ended(client.call('pollModbus', 1, { ...choice, ignoresTraffic: true }));
    await until('asking');
    await pass(6_000);
    expect(progress()).toMatchObject({ state: 'asking', outcomes: [{ kind: 'answer' }, { kind: 'answer' }] });
    expect((await sent()).slice(-2)).toEqual(['07 read 4 from 0 poll', '21 read input 2 from 0 poll']);
    const seen = await ended(client.call('seenRegisters', 1));
    expect(seen?.registers.filter(({ unit }) => unit === 7).map(({ address }) => address)).toEqual([0, 1, 2, 3]);
  });

  it('says which unit was silent, and which exception came, and asks on', async () => {
    const wanted = [
      { unit: 9, table: 'input', first: 0, count: 1 },
      { unit: 9, table: 'holding', first: 0, count: 1 },
      { unit: 21, table: 'input', first: 10, count: 2 },
      { unit: 7, table: 'holding', first: 0, count: 1 },
    ] as const;
    await ended(client.call('pollModbus', 1, { wanted, every: 1_000, ignoresTraffic: true }));
    await pass(8_000);
    // The silent unit is asked once in each round. Exception 2: illegal data address (V1.1b3, section 7).
    expect(progress()?.outcomes.map(({ read, kind, exception }) => [read.unit, kind, exception])).toEqual([
      [9, 'silent', null],
      [21, 'answer', 2],
      [7, 'answer', null],
    ]);
  });

  it('lets others send between rounds, and gives the port up to a search', async () => {
    await ended(client.call('pollModbus', 1, { ...choice, ignoresTraffic: true }));
    await until('asking');
    await ended(client.call('send', 1, Uint8Array.of(1, 2, 3)));
    await pass(2_000);
    expect(progress()?.state).toBe('asking');
    const report = await ended(
      client.call(
        'searchModbus',
        1,
        { lines: [settings], units: { from: 7, to: 7 }, limit: 100, registers: null, ignoresTraffic: true },
        1,
      ),
    );
    expect(report).toMatchObject({ end: 'complete', devices: [{ unit: 7 }] });
    expect(progress()).toBeNull();
  });

  it('gives the port up to other work in the middle of a round', async () => {
    const wanted = [{ unit: 9, table: 'input', first: 0, count: 1 }] as const;
    await ended(client.call('pollModbus', 1, { wanted, every: 1_000, ignoresTraffic: true }));
    for (let turn = 0; turn < 100 && !worker.bench.jobs.isTransferring(1); turn++) {
      await pass(50);
    }
    const hold = worker.bench.jobs.holdForTransfer(1, () => undefined);
    await pass(1_000);
    expect(progress()?.state).toBe('busy');
    hold.release(new Uint8Array());
    await until('asking');
  });

  it('ends with the port, and says so', async () => {
    await ended(client.call('pollModbus', 1, { ...choice, ignoresTraffic: true }));
    await until('asking');
    await ended(client.call('disconnect', 1));
    await pass(2_000);
    expect(progress()).toMatchObject({ state: 'ended', reason: 'Port 1 was closed.' });
    await expect(ended(client.call('pollModbus', 1, choice))).rejects.toThrow();
  });

  it('is refused on a shared bench, and ends when the bench is shared', async () => {
    await ended(client.call('pollModbus', 1, { ...choice, ignoresTraffic: true }));
    await until('asking');
    worker.tap = { bytes: () => undefined, signed: () => undefined, changed: () => undefined };
    await pass(2_000);
    expect(progress()?.reason).toMatch(/^This bench is shared/);
    await expect(ended(client.call('pollModbus', 1, choice))).rejects.toThrow(/^This bench is shared/);
  });
});

import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings, describePortSettings, type PortSettings } from '@wirebench/port';
import { firstUnlessLong, random, randomSeeds } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { searchModbus } from './modbus-search.ts';
import { type ModbusSearchOptions, planModbusSearch } from './search-plan.ts';
import { type BusFaults, type BusUnit, checked, ModbusBus } from './testing/modbus-bus.ts';

const at9600: PortSettings = { ...defaultPortSettings, baudRate: 9_600 };
const at19200: PortSettings = { ...defaultPortSettings, baudRate: 19_200, parity: 'even' };

const addresses = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const drive: BusUnit = {
  unit: 7,
  settings: at9600,
  tables: { 3: [...addresses(0, 9), ...addresses(20, 22)], 1: addresses(0, 3) },
  identification: ['ACME', 'PD-1', '2.4'],
};
const meter: BusUnit = { unit: 21, settings: at19200, tables: { 4: addresses(0, 3) }, delay: 12 };

const options: ModbusSearchOptions = {
  lines: [at9600],
  units: { from: 1, to: 30 },
  limit: 100,
  registers: null,
  ignoresTraffic: false,
};

async function search(units: readonly BusUnit[], change: Partial<ModbusSearchOptions> = {}, faults: BusFaults = {}) {
  const clock = new VirtualClock(1_000);
  const bus = new ModbusBus(clock, units, faults);
  const stop = new AbortController();
  const steps: string[] = [];
  const wanted = { ...options, ...change };
  const searching = searchModbus(
    {
      clock,
      signal: stop.signal,
      open: bus.open,
      onProgress: ({ step, unit }) => steps.push(`${step} ${unit}`),
    },
    wanted,
  );
  let isOver = false;
  void searching.finally(() => {
    isOver = true;
  });
  const end = async () => {
    while (!isOver) {
      await clock.advance(50);
    }
    return searching;
  };
  return { clock, bus, stop, steps, searching, end, time: () => clock.now() - 1_000, plan: planModbusSearch(wanted) };
}

const namesOf = (devices: readonly { readonly unit: number; readonly line: PortSettings }[]) =>
  devices.map(({ unit, line }) => `${unit} at ${describePortSettings(line)}`);

describe('search for Modbus devices', () => {
  it('finds units at each of the settings, by a read or by an exception', async () => {
    const run = await search([drive, meter], { lines: [at9600, at19200] });
    const { devices, end, requests, damaged } = await run.end();
    expect(end).toBe('complete');
    expect(namesOf(devices)).toEqual(['7 at 9600 8N1', '21 at 19200 8E1']);
    expect(devices.map(({ exception }) => exception)).toEqual([null, 1]);
    expect(devices[0]?.identification).toEqual(['ACME', 'PD-1', '2.4']);
    expect(devices.map(({ fastest }) => Math.round(fastest))).toEqual([5, 12]);
    expect(damaged).toEqual([]);
    expect(run.bus.openings).toEqual(['9600 8N1', '19200 8E1']);
    expect(requests).toBe(run.bus.requests.length);
  });

  it('sends nothing but requests for reading', async () => {
    const run = await search([drive, meter], { lines: [at9600, at19200], registers: { from: 0, to: 40 } });
    await run.end();
    const functions = new Set(run.bus.requests.map((hex) => Number.parseInt(hex.slice(2, 4), 16)));
    expect([...functions].sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 43]);
  });

  it('finds the registers by halving the blocks that are refused', async () => {
    const run = await search([drive], { registers: { from: 0, to: 200 } });
    const { devices } = await run.end();
    expect(devices[0]?.tables).toEqual([
      {
        table: 'holding',
        ranges: [
          { from: 0, to: 9 },
          { from: 20, to: 22 },
        ],
      },
      { table: 'coil', ranges: [{ from: 0, to: 3 }] },
    ]);
  });

  it('reads in shorter blocks from a device that refuses long ones', async () => {
    const short: BusUnit = { ...drive, tables: { 3: addresses(0, 99) }, longest: 10 };
    const run = await search([short], { registers: { from: 0, to: 99 } });
    const { devices } = await run.end();
    expect(devices[0]?.tables).toEqual([{ table: 'holding', ranges: [{ from: 0, to: 99 }] }]);
  });

  it.each(firstUnlessLong(randomSeeds(200), 12).map((seed) => [seed]))(
    'finds what a random line has within its plan: seed %i',
    async (seed) => {
      const source = random(seed);
      const map = () => addresses(0, 60).filter(() => source.below(3) > 0);
      const numbers = [...new Set(Array.from({ length: 5 }, () => 1 + source.below(30)))];
      const units = numbers.map(
        (unit): BusUnit => ({
          unit,
          settings: source.below(2) === 0 ? at9600 : at19200,
          tables: { ...(source.below(4) > 0 && { 3: map() }), 4: map(), 1: map() },
          delay: source.below(80),
        }),
      );
      const wanted = { lines: [at9600, at19200], registers: { from: 0, to: 60 } };
      const run = await search(units, wanted);
      const { devices, requests } = await run.end();
      const found = devices.map(({ unit, line, tables }) => ({
        unit,
        line: describePortSettings(line),
        tables: tables?.map(({ table, ranges }) => [table, ranges.flatMap(({ from, to }) => addresses(from, to))]),
      }));
      const there = [at9600, at19200].flatMap((settings) =>
        units
          .filter((unit) => unit.settings === settings)
          .toSorted((one, other) => one.unit - other.unit)
          .map(({ unit, tables }) => ({
            unit,
            line: describePortSettings(settings),
            tables: ([3, 4, 1] as const)
              .map((code) => [{ 3: 'holding', 4: 'input', 1: 'coil' }[code], tables[code] ?? []])
              .filter(([, list]) => list?.length !== 0),
          })),
      );
      expect(found).toEqual(there);
      expect(requests).toBeLessThanOrEqual(run.plan.units.requests + devices.length * run.plan.device.requests);
      expect(run.time()).toBeLessThanOrEqual(run.plan.units.time + devices.length * run.plan.device.time);
    },
  );

  it('says before that a silent line takes at most its plan', async () => {
    const run = await search([], { units: { from: 1, to: 247 }, lines: [at9600, at19200] });
    const { devices, requests } = await run.end();
    expect(devices).toEqual([]);
    expect(requests).toBe(2 * 247);
    expect(run.time()).toBeLessThanOrEqual(run.plan.units.time);
    // No more than twice as long as it takes: the rest is for answers that have to be asked for again.
    expect(run.plan.units.time).toBeLessThan(3 * run.time());
  });

  it('hears another master and sends nothing', async () => {
    const run = await search([drive]);
    await run.clock.advance(600);
    run.bus.say(checked([21, 4, 0, 0, 0, 4]));
    run.bus.say(checked([7, 3, 2, 0, 1]));
    const report = await run.end();
    expect(report.end).toBe('traffic');
    expect(report.traffic).toEqual({ bytes: 15, frames: 2, units: [7, 21] });
    expect(run.bus.requests).toEqual([]);
  });

  it('asks beside another master if the person wants it, and tells its frames from answers', async () => {
    const other = checked([3, 3, 0, 0, 0, 1]);
    const run = await search(
      [drive],
      { ignoresTraffic: true },
      {
        onRequest: (count, bus) => (count % 4 === 0 ? bus.say(other) : undefined),
      },
    );
    run.bus.say(other);
    const { devices, damaged, foreign, traffic } = await run.end();
    expect(traffic?.frames).toBe(1);
    expect(namesOf(devices)).toEqual(['7 at 9600 8N1']);
    expect(damaged).toEqual([]);
    expect(foreign).toBeGreaterThan(5);
  });

  it('names a unit at which only damaged answers come, as those of two devices', async () => {
    const clash = (frame: Uint8Array) => frame.map((byte, at) => (at > 1 ? byte ^ 0x55 : byte));
    const run = await search([drive, { ...drive, unit: 9, damage: clash }]);
    const { devices, damaged } = await run.end();
    expect(namesOf(devices)).toEqual(['7 at 9600 8N1']);
    expect(damaged).toEqual([{ unit: 9, line: at9600, tries: 3 }]);
  });

  it('tells two devices with one unit by two answers to one question', async () => {
    const run = await search([drive, { ...drive, delay: 60 }, { ...meter, settings: at9600 }]);
    const { devices } = await run.end();
    expect(devices.map(({ unit, isTwice }) => [unit, isTwice])).toEqual([
      [7, true],
      [21, false],
    ]);
  });

  it('finds a unit whose first answer came damaged', async () => {
    const first = (frame: Uint8Array, count: number) => (count === 0 ? frame.slice(0, 4) : frame);
    const run = await search([{ ...drive, damage: first }]);
    const { devices, damaged } = await run.end();
    expect(devices.map(({ unit, damaged: count }) => [unit, count])).toEqual([[7, 1]]);
    expect(damaged).toEqual([]);
  });

  it('takes noise for no device', async () => {
    const source = random('noise');
    const run = await search(
      [drive],
      {},
      {
        onRequest: (count, bus) =>
          count % 5 === 0 ? bus.say(Uint8Array.from({ length: 6 }, () => source.below(256))) : undefined,
      },
    );
    const { devices, damaged } = await run.end();
    expect(namesOf(devices)).toEqual(['7 at 9600 8N1']);
    expect(damaged.length).toBeLessThan(3);
  });

  it('names settings at which everything comes damaged, and no unit of them', async () => {
    const run = await search(
      [drive],
      { lines: [at9600, at19200] },
      {
        onRequest: (_, bus) => (bus.openings.length === 2 ? bus.say(Uint8Array.of(1, 2, 3)) : undefined),
      },
    );
    const { devices, damaged, noisy } = await run.end();
    expect(namesOf(devices)).toEqual(['7 at 9600 8N1']);
    expect([damaged, noisy]).toEqual([[], [at19200]]);
    expect(run.bus.requests.length).toBeLessThan(2 * 30 + 5);
  });

  it('asks a late unit again, with more time, and leaves its registers', async () => {
    const run = await search([{ ...drive, delay: 260 }], { registers: { from: 0, to: 9 } });
    const { devices } = await run.end();
    expect(namesOf(devices)).toEqual(['7 at 9600 8N1']);
    expect(devices[0]?.fastest).toBeCloseTo(260, -1);
    expect(devices[0]?.tables).toBeNull();
  });

  it('hears its own requests on an adapter of two wires and takes none for an answer', async () => {
    const run = await search([drive], { registers: { from: 0, to: 30 } }, { echoes: true });
    const report = await run.end();
    expect(report.hasEcho).toBe(true);
    expect(namesOf(report.devices)).toEqual(['7 at 9600 8N1']);
    expect(report.devices[0]?.fastest).toBeCloseTo(5, 0);
    expect(report.damaged).toEqual([]);
    expect(report.foreign).toBe(0);
  });

  it('takes the refusal of a gateway for no device', async () => {
    const run = await search([
      { ...drive, exception: 11 },
      { ...drive, unit: 8, exception: 2 },
    ]);
    const { devices } = await run.end();
    expect(devices.map(({ unit, exception }) => [unit, exception])).toEqual([[8, 2]]);
  });

  it('leaves out a table about which a device says nothing', async () => {
    const run = await search([{ ...drive, mute: [4, 43] }], { registers: { from: 0, to: 40 } });
    const { devices } = await run.end();
    expect(devices.map(({ isGone, tables }) => [isGone, tables?.map(({ table }) => table)])).toEqual([
      [false, ['holding', 'coil']],
    ]);
  });

  it('says that a device has gone in the middle of its registers', async () => {
    const mute: number[] = [];
    const run = await search(
      [{ ...drive, mute }],
      { registers: { from: 0, to: 40 } },
      {
        onRequest: (count) => (count === 50 ? mute.push(1, 2, 3, 4) : undefined),
      },
    );
    const { devices } = await run.end();
    expect(devices.map(({ isGone, tables }) => [isGone, tables])).toEqual([[true, null]]);
  });

  it('stops at once and keeps what it found', async () => {
    const run = await search([drive], { units: { from: 1, to: 247 } });
    await run.clock.advance(4_000);
    const sent = run.bus.requests.length;
    run.stop.abort();
    const report = await run.searching;
    expect(report.end).toBe('stopped');
    expect(namesOf(report.devices)).toEqual(['7 at 9600 8N1']);
    await run.clock.advance(5_000);
    expect(run.bus.requests).toHaveLength(sent);
    expect(sent).toBeLessThan(40);
  });

  it('ends with the failure when the cable is pulled, and keeps what it found', async () => {
    const run = await search(
      [drive],
      {},
      {
        onRequest: (count, bus) => {
          bus.isPulled = count > 12;
        },
      },
    );
    const report = await run.end();
    expect(report).toMatchObject({ end: 'failed', failure: 'The device has been lost.' });
    expect(namesOf(report.devices)).toEqual(['7 at 9600 8N1']);
  });

  it.each<[string, Partial<ModbusSearchOptions>]>([
    ['unit 0', { units: { from: 0, to: 10 } }],
    ['unit 248', { units: { from: 240, to: 248 } }],
    ['units backwards', { units: { from: 9, to: 8 } }],
    ['no settings', { lines: [] }],
    ['too many registers', { registers: { from: 0, to: 5_000 } }],
    ['registers beyond the last address', { registers: { from: 65_500, to: 65_536 } }],
    ['no time for an answer', { limit: 0 }],
  ])('refuses %s', (_, change) => {
    expect(() => planModbusSearch({ ...options, ...change })).toThrow(RangeError);
  });
});

import { defaultPortSettings, describePortSettings, type PortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { notices, stateOf, testRig } from '../testing/test-rig.ts';
import type { ModbusSearchReport } from './findings.ts';
import type { ModbusSearchOptions } from './search-plan.ts';
import { searchModbusPort } from './search-port.ts';
import { devicesCsv, endSentence, planSentences } from './search-words.ts';
import { answerOf, type BusUnit } from './testing/modbus-bus.ts';

const own: PortSettings = { ...defaultPortSettings, baudRate: 9_600 };
const other: PortSettings = { ...own, baudRate: 19_200, parity: 'even' };
const drive: BusUnit = { unit: 3, settings: other, tables: { 3: [0, 1, 2] } };

const options: ModbusSearchOptions = {
  lines: [own, other],
  units: { from: 1, to: 5 },
  limit: 100,
  registers: { from: 0, to: 9 },
  ignoresTraffic: false,
};

async function rig({ units = [drive], refusal = (): string | null => null } = {}) {
  const test = testRig();
  const { bench, clock } = test;
  const device = new FakeSerialPort();
  device.onWrite = (bytes) => {
    const opened = device.openedWith.at(-1);
    for (const unit of units) {
      const isHeard = unit.settings.baudRate === opened?.baudRate && unit.settings.parity === opened?.parity;
      const answer = isHeard ? answerOf(unit, bytes) : null;
      if (answer !== null) {
        clock.schedule(12, () => device.receive(answer));
      }
    }
  };
  await bench.connect(1, device, own);
  const stop = new AbortController();
  const begin = (change: Partial<ModbusSearchOptions> = {}) => {
    const searching = searchModbusPort({
      bench,
      clock,
      port: 1,
      options: { ...options, ...change },
      signal: stop.signal,
      refusal,
    });
    let isOver = false;
    searching
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    return {
      searching,
      end: async (): Promise<ModbusSearchReport> => {
        for (let times = 0; times < 10_000 && !isOver; times++) {
          await clock.advance(20);
        }
        return searching;
      },
    };
  };
  const settings = () => {
    const now = bench.status().ports[1].settings;
    return now === null ? '' : describePortSettings(now);
  };
  return { ...test, device, stop, begin, settings };
}

const linesOf = (bench: Awaited<ReturnType<typeof rig>>['bench'], direction: 'sent' | 'received') =>
  bench
    .rows({ layout: 'text', anchor: { position: 0 }, count: 1_000 })
    .rows.filter((row) => row.direction === direction)
    .map(({ bytes }) => Buffer.from(bytes).toString('hex'));

describe('search for Modbus devices on a port', () => {
  it('opens the port at each setting, shows all frames in the log, and restores its settings', async () => {
    const { bench, device, begin, settings } = await rig();
    const { devices, end, requests } = await begin().end();
    expect(end).toBe('complete');
    expect(devices.map(({ unit, tables }) => [unit, tables?.[0]?.ranges])).toEqual([[3, [{ from: 0, to: 2 }]]]);
    expect(device.openedWith.map(({ baudRate, parity }) => `${baudRate} ${parity}`)).toEqual([
      '9600 none',
      '19200 even',
      '9600 none',
    ]);
    expect(settings()).toBe('9600 8N1');
    expect(stateOf(bench)).toBe('connected');
    expect(linesOf(bench, 'sent')).toHaveLength(requests);
    expect(linesOf(bench, 'sent')[1]).toBe('0203000000018439');
    expect(linesOf(bench, 'received').join('')).toContain('03030200');
  });

  it('names a unit whose answers are nothing but errors of the line, as those of another parity', async () => {
    const { device, begin } = await rig();
    device.onWrite = (bytes) => {
      if (bytes[0] === 4) {
        void device.fail('ParityError');
      }
    };
    const { devices, damaged, end } = await begin({ lines: [own] }).end();
    expect(end).toBe('complete');
    expect(devices).toEqual([]);
    expect(damaged).toEqual([{ unit: 4, line: own, tries: 3 }]);
  });

  it('finds nothing on a silent line, and says how much was sent', async () => {
    const { device, begin } = await rig({ units: [] });
    const report = await begin().end();
    expect(report).toMatchObject({ end: 'complete', devices: [], damaged: [], noisy: [], requests: 10 });
    expect(device.writes).toHaveLength(10);
    expect(endSentence(report)).toBe('No device answered. 10 requests sent.');
  });

  it('refuses what others send until it ends', async () => {
    const { bench, clock, begin } = await rig();
    const { end } = begin();
    await clock.advance(1_700);
    await expect(bench.send(1, Uint8Array.of(65))).rejects.toMatchObject({ code: 'send-while-modbus-search' });
    await end();
    await bench.send(1, Uint8Array.of(65));
  });

  it('restores the settings when it is stopped at other ones', async () => {
    const { clock, stop, begin, settings, device } = await rig();
    const { searching, end } = begin();
    for (let times = 0; times < 1_000 && settings() === '9600 8N1'; times++) {
      await clock.advance(20);
    }
    await clock.advance(300);
    const sent = device.writes.length;
    stop.abort();
    const report = await end();
    expect(report.end).toBe('stopped');
    expect(await searching).toBe(report);
    expect(device.writes).toHaveLength(sent);
    expect(settings()).toBe('9600 8N1');
  });

  it('restores the settings when the port refuses other ones', async () => {
    const { bench, device, begin, settings } = await rig();
    device.refusedRates.add(19_200);
    const { end, failure } = await begin().end();
    expect(end).toBe('failed');
    expect(failure).toMatch(/Port 1/);
    expect(stateOf(bench)).toBe('connected');
    expect(settings()).toBe('9600 8N1');
  });

  it('opens an unplugged device with its own settings when it comes back', async () => {
    const { bench, clock, device, begin, settings } = await rig();
    const { end } = begin();
    for (let times = 0; times < 1_000 && settings() === '9600 8N1'; times++) {
      await clock.advance(20);
    }
    await clock.advance(200);
    await device.unplug();
    const report = await end();
    expect(report).toMatchObject({ end: 'failed', failure: 'Port 1 was closed or unplugged.' });
    expect(stateOf(bench)).toBe('reconnecting');
    expect(settings()).toBe('9600 8N1');
    device.connected = true;
    bench.deviceAppeared(device);
    await clock.advance(2_000);
    expect(stateOf(bench)).toBe('connected');
    expect(device.openedWith.at(-1)?.baudRate).toBe(9_600);
  });

  it('does not open a port that was closed in the middle', async () => {
    const { bench, clock, begin, settings } = await rig();
    const { end } = begin();
    for (let times = 0; times < 1_000 && settings() === '9600 8N1'; times++) {
      await clock.advance(20);
    }
    await clock.advance(200);
    await bench.disconnect(1);
    expect((await end()).end).toBe('failed');
    await clock.advance(1_000);
    expect(stateOf(bench)).toBe('disconnected');
  });

  it('sends nothing on a shared port, and stops as soon as it is shared', async () => {
    let sentence: string | null = 'Port 1 is shared.';
    const { clock, device, begin } = await rig({ refusal: () => sentence });
    await expect(begin().searching).rejects.toThrow('Port 1 is shared.');
    expect(device.writes).toEqual([]);
    sentence = null;
    const { end } = begin();
    await clock.advance(1_700);
    const sent = device.writes.length;
    expect(sent).toBeGreaterThan(0);
    sentence = 'Port 1 is shared.';
    expect(await end()).toMatchObject({ end: 'failed', failure: 'Port 1 is shared.' });
    expect(device.writes.length).toBe(sent);
  });

  it('is refused on a closed port', async () => {
    const { bench, begin } = await rig();
    await bench.disconnect(1);
    await expect(begin().searching).rejects.toMatchObject({ code: 'not-connected' });
  });

  it('says in the log at which settings it asks', async () => {
    const { bench, begin } = await rig();
    await begin().end();
    expect(notices(bench).filter((text) => /19200 8E1/.test(text))).not.toEqual([]);
  });
});

describe('words of a search', () => {
  it('say before what is sent, how often and for how long', () => {
    expect(planSentences({ ...options, units: { from: 1, to: 247 }, lines: [own], registers: null })).toEqual([
      'Asks units 1 to 247 for one holding register (function 3), at 9600 8N1: at most 279 requests, 1 min 12 s.',
      'Then reads of each device its identification (function 43): at most 40 requests, 45 s for each.',
      'Nothing is written.',
    ]);
  });

  it('are a table that no spreadsheet calculates', () => {
    const device = {
      unit: 3,
      line: other,
      exception: 2,
      fastest: 4.2,
      slowest: 17.6,
      identification: ['=1+1', 'a,b'],
      tables: [
        {
          table: 'coil' as const,
          ranges: [
            { from: 0, to: 3 },
            { from: 9, to: 9 },
          ],
        },
      ],
      damaged: 1,
      isTwice: true,
      isGone: false,
    };
    const csv = devicesCsv({ devices: [device], damaged: [{ unit: 9, line: own, tries: 3 }] }, 100);
    expect(csv.split('\r\n')).toEqual([
      'unit,settings,answered,fastest ms,slowest ms,identification,holding registers,input registers,coils,discrete inputs,remarks',
      `3,19200 8E1,exception 2: illegal data address,4,18,"'=1+1, a,b",,,"0–3, 9",,Two devices have this unit: two answers came to one question. 1 answer came damaged.`,
      '9,9600 8N1,damaged,,,,,,,,"Unit 9, 9600 8N1: 3 answers came, all damaged. Two devices may have this unit, or the line has faults."',
      '',
    ]);
  });
});

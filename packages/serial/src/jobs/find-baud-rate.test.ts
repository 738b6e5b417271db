import { ChattyBoard, demoUsbIds, SimulatedSerial } from '@wirebench/devices';
import { baudRates } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { connected, notices, testRig } from '../testing/test-rig.ts';
import { baudReasonText, scoreBaud } from './baud-score.ts';
import { type BaudFinding, usualBaudRates } from './find-baud-rate.ts';
import type { FindBaudOptions } from './port-jobs.ts';

/** Searches the rate of a board that prints sensor readings. */
async function find(baudRate: number, options: FindBaudOptions = {}) {
  const test = testRig();
  const board = new ChattyBoard({ baudRate, sensors: true });
  const { port } = new SimulatedSerial().plugIn({ device: board, clock: test.clock, ...demoUsbIds });
  if (port === null) {
    throw new Error('plugged in');
  }
  await test.clock.advance(5_000);
  const states = new Set<string>();
  const tried: number[] = [];
  let finding: BaudFinding | null = null;
  const done = test.bench.jobs
    .findBaudRate(1, port, {
      ...options,
      onTry: (rate) => {
        tried.push(rate);
        states.add(board.state);
      },
    })
    .then((found) => {
      finding = found;
    });
  // A board that was reset would need a quarter of a second to start.
  for (let tenth = 0; tenth < 600 && finding === null; tenth++) {
    await test.clock.advance(100);
    states.add(board.state);
  }
  await done;
  return { ...test, port, tried, states: [...states], finding: finding as BaudFinding | null };
}

describe('finding the baud rate', () => {
  it.each([...baudRates, 74_880, 1_000_000])(
    'finds %i baud of a board that prints now and then, without resetting it',
    async (rate) => {
      const rates = [...usualBaudRates, ...(usualBaudRates.includes(rate) ? [] : [rate])];
      const { finding, states, tried } = await find(rate, { rates });
      expect(finding?.baudRate).toBe(rate);
      expect(finding?.ranking[0]?.reasons).toContainEqual({ code: 'known-line', name: 'ESP-IDF log' });
      expect(finding?.silent).toBe(false);
      expect(states).toEqual(['running']);
      expect(tried.at(-1)).toBe(rate);
    },
  );

  it('tries the most usual rates first, each once, and all that are offered', () => {
    expect(usualBaudRates.slice(0, 2)).toEqual([115_200, 9_600]);
    expect([...usualBaudRates].sort((one, other) => one - other)).toEqual(
      [...baudRates, 74_880].sort((one, other) => one - other),
    );
  });

  it('keeps the first bytes of each rate for display', async () => {
    const { finding } = await find(9_600, { rates: [9_600], listen: 10_000 });
    const [best] = finding?.ranking ?? [];
    expect(best?.sample.length).toBe(120);
    expect(best?.bytes).toBeGreaterThan(120);
    expect(new TextDecoder().decode(best?.sample)).toContain('temperature:');
  });

  it('ranks no wrong rate as right', async () => {
    const { finding } = await find(38_400, { rates: [9_600, 19_200, 57_600, 115_200, 230_400] });
    expect(finding?.baudRate).toBeNull();
    expect(finding?.ranking).toHaveLength(5);
    expect(finding?.ranking[0]?.score).toBeLessThan(0.5);
  });

  it('reports that nothing came', async () => {
    const test = testRig();
    const finding = test.bench.jobs.findBaudRate(1, new FakeSerialPort(), { rates: [9_600, 115_200], listen: 500 });
    await test.clock.advance(1_000);
    expect(await finding).toMatchObject({ baudRate: null, silent: true });
    expect((await finding).ranking.map(({ reasons }) => reasons.map(baudReasonText))).toEqual([
      ['Nothing received at this rate'],
      ['Nothing received at this rate'],
    ]);
    expect(test.clock.pending).toBe(0);
  });

  it('puts the lines back at once each time, and leaves the port closed', async () => {
    const test = testRig();
    const device = new FakeSerialPort();
    const lines = { dtr: false, rts: true };
    const finding = test.bench.jobs.findBaudRate(1, device, { rates: [9_600, 115_200], listen: 100, lines });
    await test.clock.advance(1_000);
    await finding;
    const trial = (rate: number) => [`open ${rate} none 65536`, 'lines - RTS', 'close'];
    expect(device.calls).toEqual([...trial(9_600), ...trial(115_200)]);
    expect(device.openedWith.map(({ baudRate }) => baudRate)).toEqual([9_600, 115_200]);
    expect(device.isOpen).toBe(false);
  });

  it('stops when it is cancelled, and leaves the port closed', async () => {
    const test = testRig();
    const device = new FakeSerialPort();
    const abort = new AbortController();
    const finding = test.bench.jobs.findBaudRate(1, device, { signal: abort.signal });
    finding.catch(() => 'looked at below');
    await test.clock.advance(3_000);
    abort.abort(new Error('enough'));
    await test.clock.settle();
    await expect(finding).rejects.toThrow('enough');
    expect(device.isOpen).toBe(false);
    expect(test.clock.pending).toBe(0);
    await connected(test, 1, device);
  });

  it('locks the device and the port while it runs', async () => {
    const test = testRig();
    const device = new FakeSerialPort();
    const finding = test.bench.jobs.findBaudRate(1, device, { rates: [9_600], listen: 100 });
    await expect(connected(test, 2, device)).rejects.toMatchObject({ code: 'open-here' });
    await expect(test.bench.jobs.findBaudRate(1, new FakeSerialPort())).rejects.toMatchObject({
      code: 'already-finding',
    });
    await test.clock.advance(100);
    await finding;
    await connected(test, 2, device);
    await expect(test.bench.jobs.findBaudRate(1, device)).rejects.toMatchObject({ code: 'open-here' });
    await expect(test.bench.jobs.findBaudRate(2, new FakeSerialPort())).rejects.toMatchObject({
      code: 'already-connected',
    });
  });

  it('ends with the error of the port when it cannot be opened, or vanishes', async () => {
    const test = testRig();
    const busy = new FakeSerialPort();
    busy.openError = new DOMException('Failed to open serial port.', 'NetworkError');
    const refused = expect(test.bench.jobs.findBaudRate(1, busy)).rejects.toMatchObject({ code: 'busy' });
    await test.clock.advance(1_000);
    await refused;
    expect(notices(test.bench).at(-1)).toContain('Error connecting to Port 1: the board could not be opened.');
    const device = new FakeSerialPort();
    const finding = test.bench.jobs.findBaudRate(1, device);
    finding.catch(() => 'looked at below');
    await test.clock.advance(100);
    await device.unplug();
    await test.clock.settle();
    await expect(finding).rejects.toMatchObject({ code: 'device-gone' });
    expect(test.clock.pending).toBe(0);
  });

  it('ends with the bench', async () => {
    const test = testRig();
    const device = new FakeSerialPort();
    const finding = test.bench.jobs.findBaudRate(1, device);
    finding.catch(() => 'looked at below');
    await test.clock.settle();
    await test.bench.dispose();
    await expect(finding).rejects.toThrow();
    expect(device.isOpen).toBe(false);
    expect(test.clock.pending).toBe(0);
  });

  it('continues through errors of the line, and counts them', async () => {
    const test = testRig();
    const device = new FakeSerialPort();
    const finding = test.bench.jobs.findBaudRate(1, device, { rates: [9_600], listen: 1_000 });
    await test.clock.settle();
    device.receive('a line of text that is long enough\n');
    await device.fail('FramingError');
    await test.clock.settle();
    await device.fail('BreakError');
    await test.clock.settle();
    device.receive('and another one\n');
    await test.clock.advance(1_000);
    expect((await finding).ranking[0]).toMatchObject({
      bytes: 51,
      reasons: expect.arrayContaining([
        { code: 'framing-errors', count: 1 },
        { code: 'breaks', count: 1 },
      ]),
    });
  });
});

describe('score of a sample', () => {
  const clean = { framing: 0, breaks: 0 };
  const log = utf8('I (12) main: ready\r\nW (13) wifi: 21.5 °C\r\n');

  it('is between 0 and 1 for any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.nat({ max: 300 }),
        fc.nat({ max: 300 }),
        (bytes, framing, breaks) => {
          const { score, reasons } = scoreBaud({ bytes, framing, breaks });
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(reasons.map(baudReasonText).join()).not.toMatch(/NaN|undefined/);
        },
      ),
    );
  });

  it('is high for text in lines, higher for lines that are known, low for rubbish and nothing for silence', () => {
    const known = scoreBaud({ bytes: log, ...clean });
    const text = scoreBaud({ bytes: utf8('some words in a line\nand some more of them\n'), ...clean });
    const rubbish = scoreBaud({ bytes: Uint8Array.from({ length: 200 }, (_, index) => (index * 37) % 256), ...clean });
    expect(known.score).toBeGreaterThan(0.95);
    expect(text.score).toBeGreaterThan(0.85);
    expect(text.score).toBeLessThan(known.score);
    expect(rubbish.score).toBeLessThan(0.1);
    expect(scoreBaud({ bytes: new Uint8Array(), ...clean })).toEqual({ score: 0, reasons: [{ code: 'silent' }] });
  });

  it('is less certain for few bytes, and for bytes between errors', () => {
    const whole = scoreBaud({ bytes: log, ...clean }).score;
    expect(scoreBaud({ bytes: log.subarray(0, 6), ...clean }).score).toBeLessThan(whole / 2);
    expect(scoreBaud({ bytes: log, framing: 20, breaks: 0 }).score).toBeLessThan(whole / 2);
  });

  it.each([
    ['ESP boot log', 'ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET)'],
    ['ESP boot log', ' ets Jan  8 2013,rst cause:2, boot mode:(3,6)\r\n'],
    ['ESP-IDF log', '\x1b[0;32mI (24) boot: ESP-IDF\x1b[0m\r\n'],
    ['Zephyr log', '*** Booting Zephyr OS build v3.7.0 ***\r\n'],
    ['Zephyr log', '[00:00:01.250,000] <inf> main: started\r\n'],
    ['U-Boot', '\r\nU-Boot 2024.01 (Jan 08 2024)\r\n'],
    ['Linux kernel log', '[    0.000000] Booting Linux on physical CPU 0x0\r\n'],
    ['NMEA sentence', '$GNGGA,141207.00,4739.61827,N,00917.40312,E,1,07,0.9,403.8,M,,*43\r\n'],
  ])('recognises a line of the kind %s', (name, line) => {
    expect(scoreBaud({ bytes: utf8(line), ...clean }).reasons).toContainEqual({ code: 'known-line', name });
  });
});

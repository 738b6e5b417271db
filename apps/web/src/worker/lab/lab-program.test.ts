/**
 * Tests the program in RAM on the simulated boards, whose interpreters run its committed bytes: instruments,
 * captures, and faults.
 */
import { VirtualClock } from '@wirebench/clock';
import { decodeI2c, waveOf } from '@wirebench/lab/probe';
import { lineText } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallClient } from '../../protocol/calls/call-client.ts';
import { askOn, passOn } from '../../protocol/calls/testing/ask-on.ts';
import { PortLines } from '../../protocol/calls/testing/port-lines.ts';
import { type CaptureOrder, type LabApi, type LabCapture, type LabTick, labPort } from '../../protocol/lab-protocol.ts';
import { BenchWorker } from '../bench/bench-worker.ts';
import { LabWorker } from './lab-worker.ts';

const boards = {
  esp32: { model: 'esp32-lab', bus: { sda: 21, scl: 22, clock: 100_000 }, free: 25 },
  esp32c3: { model: 'esp32c3-lab', bus: { sda: 5, scl: 6, clock: 100_000 }, free: 10 },
} as const;

describe('the program in RAM', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let lab: CallClient<LabApi, LabTick>;
  let tick: LabTick;
  const lines = new PortLines();

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    const [benchLine, labLine] = [lines.open(), lines.open()];
    worker = new BenchWorker(benchLine.worker, {
      clock,
      openRecordingFile: () => Promise.reject(new Error('not here')),
    });
    new LabWorker(labLine.worker, { clock, devices: worker.devices, bench: worker.bench });
    lab = new CallClient((next) => {
      tick = next;
    });
    lab.attach(labLine.page);
  });
  afterEach(async () => {
    await ask(lab.call('leave'));
    lines.close();
    await worker.bench.dispose();
  });

  const ask = <Answer>(call: Promise<Answer>) => askOn(clock, call, { stride: 5, pace: 'turn' });
  const connect = (board: keyof typeof boards = 'esp32') =>
    ask(lab.call('connect', { kind: 'demo', model: boards[board].model }, { baudRate: 921_600, byHand: false }));
  const load = () => ask(lab.call('loadProgram'));
  const logged = () =>
    worker.bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 400 })
      .rows.map(({ direction, bytes }) => `${direction} ${lineText(bytes)}`);
  const settle = (time = 200) => passOn(clock, time, 'turn');
  /** Returns the I2C items of a capture as readable texts. */
  const read = ({ pins, runs, samplePeriod }: LabCapture, { sda, scl }: { sda: number; scl: number }) => {
    const wave = (pin: number) => waveOf(runs, pins.indexOf(pin), samplePeriod);
    return decodeI2c(wave(scl), wave(sda)).flatMap((item) => {
      switch (item.kind) {
        case 'address':
          return [`${item.direction} ${item.address.toString(16)}${item.isAcknowledged ? '' : ' nack'}`];
        case 'data':
          return [item.value.toString(16)];
        case 'stretch':
          return [];
        default:
          return [item.kind];
      }
    });
  };

  describe.each(['esp32', 'esp32c3'] as const)('on the demo %s', (chip) => {
    const { bus, free } = boards[chip];

    it('scans, transfers and shows levels as the ROM did, and ends with the board', async () => {
      await connect(chip);
      await ask(lab.call('openI2c', bus));
      expect(await ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
      await load();
      await settle();
      expect(tick.program).toMatchObject({ version: 1 });
      expect(tick.program?.longestCapture).toBeGreaterThan(10_000);
      expect(tick.i2c).toEqual(bus);
      const found = await ask(lab.call('scan'));
      expect(found).toEqual([0x3c, 0x48, 0x50, 0x68, 0x76]);
      // More bytes than a transfer through the ROM can have.
      expect(await ask(lab.call('transfer', 0x50, Uint8Array.of(0, 0), 200))).toHaveLength(200);
      await expect(ask(lab.call('transfer', 0x10, Uint8Array.of(1), 0))).rejects.toThrow('0x10: no acknowledge.');
      await ask(lab.call('setPin', free, { kind: 'output', high: true, openDrain: false, pull: 'none' }));
      await settle();
      expect(((tick.levels?.[0] ?? 0) >>> free) & 1).toBe(1);
      await ask(lab.call('leave'));
      await settle();
      expect(tick).toMatchObject({ open: false, lost: null, program: null });
      expect(logged().some((row) => row.includes('The program in RAM runs, version 1'))).toBe(true);
    });

    it('captures the transfer that the bench makes next, and answers it as always', async () => {
      await connect(chip);
      await ask(lab.call('openI2c', bus));
      await load();
      const capturing = lab.call('captureTransfer', []);
      const answer = ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1));
      const capture = await ask(capturing);
      expect(await answer).toEqual(Uint8Array.of(0x60));
      expect(capture).toMatchObject({ pins: [bus.sda, bus.scl], trigger: 0, bus });
      expect(read(capture, bus)).toEqual(['start', 'write 76', 'd0', 'repeated-start', 'read 76', '60', 'stop']);
      // The next transfer is not captured.
      expect(await ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
      await settle();
      expect(tick.capturing).toBeNull();
    });
  });

  it('captures the transfer that is meant while a device is read all the time', async () => {
    const { bus } = boards.esp32;
    await connect();
    await ask(lab.call('openI2c', bus));
    await load();
    const measured = { address: 0x76, write: Uint8Array.of(0xf7), read: 8, delay: 0 };
    await ask(lab.call('repeat', { address: 0x76, transfers: [measured], interval: 50 }));
    await settle();
    const meant = { address: 0x68, write: Uint8Array.of(0x75), read: 1 };
    const capturing = lab.call('captureTransfer', [], meant);
    await settle();
    const transfer = lab.call('transfer', meant.address, meant.write, meant.read);
    expect(read(await ask(capturing), bus)).toContain('write 68');
    expect(await ask(transfer)).toEqual(Uint8Array.of(0x68));
  });

  it('captures a transfer that is not acknowledged', async () => {
    const { bus } = boards.esp32;
    await connect();
    await ask(lab.call('openI2c', bus));
    await load();
    const capturing = lab.call('captureTransfer', [bus.scl]);
    const transfer = ask(lab.call('transfer', 0x11, Uint8Array.of(1), 0)).catch((error: Error) => error.message);
    expect(read(await ask(capturing), bus)).toEqual(['start', 'write 11 nack', 'stop']);
    expect(await transfer).toBe('0x11: no acknowledge.');
  });

  const order: CaptureOrder = {
    ...{ pins: [25, 26], samples: 1_000, before: 100, rate: 100_000 },
    trigger: { kind: 'edge', pin: 25, high: true },
  };

  it('measures its rate, and keeps what was before the trigger', async () => {
    await connect();
    await ask(lab.call('setPin', 25, { kind: 'pwm', frequency: 1_000, duty: 0.25 }));
    await load();
    const capture = await ask(lab.call('capture', order));
    expect(capture).toMatchObject({ samples: 1_000, trigger: 100 });
    expect(Math.abs(capture.samplePeriod / 10_000 - 1)).toBeLessThan(0.02);
    const { edges } = waveOf(capture.runs, 0, capture.samplePeriod);
    const nearest = Math.min(...edges.map((edge) => Math.abs(edge - 100 * capture.samplePeriod)));
    expect(nearest).toBeLessThan(2 * capture.samplePeriod);
    const periods = edges.slice(2).map((edge, index) => edge - (edges[index] ?? 0));
    expect(periods.every((period) => Math.abs(period - 1e6) < 30_000)).toBe(true);
  });

  it('is cancelled while it waits for a trigger, and the bench goes on', async () => {
    await connect();
    await load();
    const capturing = lab.call('capture', { ...order, rate: null });
    const ended = capturing.catch((error: { code: string }) => error.code);
    await settle();
    expect(tick.capturing).toBe('trigger');
    await expect(ask(lab.call('capture', order))).rejects.toMatchObject({ code: 'refused' });
    await ask(lab.call('cancelProgram'));
    expect(await ask(ended)).toBe('cancelled');
    await ask(lab.call('openI2c', boards.esp32.bus));
    expect(await ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
  });

  it('is left while a capture waits for a trigger that never comes', async () => {
    await connect();
    await load();
    const ended = lab.call('capture', order).catch((error: { code: string }) => error.code);
    await settle();
    await ask(lab.call('leave'));
    expect(await ask(ended)).toMatch(/cancelled|left/);
    await settle();
    expect(tick).toMatchObject({ open: false, capturing: null });
  });

  it('ends a capture with the board, when its plug is pulled', async () => {
    await connect();
    await load();
    const ended = lab.call('capture', order).catch((error: { code: string }) => error.code);
    await settle();
    worker.devices.plugDemo(labPort, false);
    expect(await ask(ended)).toBe('unplugged');
  });

  it.each([
    ['no pins', { pins: [] }],
    ['pins of both input registers', { pins: [25, 33] }],
    ['too many samples', { samples: 10_000_000 }],
    ['all samples before the trigger', { before: 1_000 }],
  ])('refuses a capture with %s', async (_name, wrong) => {
    await connect();
    await load();
    await expect(ask(lab.call('capture', { ...order, ...wrong }))).rejects.toMatchObject({ code: 'refused' });
    expect(await ask(lab.call('capture', { ...order, trigger: { kind: 'immediate' } }))).toMatchObject({
      samples: 1_000,
    });
  });

  it('says that a capture needs the program', async () => {
    await connect();
    await expect(ask(lab.call('capture', order))).rejects.toMatchObject({ code: 'refused' });
    await expect(ask(lab.call('captureTransfer', []))).rejects.toMatchObject({ code: 'refused' });
  });

  it('is loaded once, however often it is asked for', async () => {
    await connect();
    await Promise.all([load(), load()]);
    await load();
    expect(logged().filter((row) => row.includes('The program in RAM runs'))).toHaveLength(1);
  });

  it('continues with the ROM or the program when loading is cancelled, at any moment', async () => {
    for (const delay of [0, 3, 9, 15, 21, 40]) {
      await connect();
      const loading = lab.call('loadProgram').then(
        () => 'loaded',
        (error: { code: string }) => error.code,
      );
      await clock.advance(delay);
      await lab.call('cancelProgram').catch(() => undefined);
      const outcome = await ask(loading);
      await settle(1_500);
      expect(outcome).toMatch(/^(loaded|cancelled)$/);
      expect(tick).toMatchObject({ open: true, lost: null, loading: false });
      expect(tick.program === null).toBe(outcome === 'cancelled');
      await ask(lab.call('openI2c', boards.esp32.bus));
      expect(await ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
      await ask(lab.call('leave'));
    }
  });

  it('says so when the board is unplugged while it is being loaded', async () => {
    await connect();
    const loading = lab.call('loadProgram').catch((error: { code: string }) => error.code);
    await clock.advance(5);
    worker.devices.plugDemo(labPort, false);
    expect(await ask(loading)).toMatch(/^(unplugged|left)$/);
    await settle(3_000);
    expect(tick).toMatchObject({ open: false, loading: false, program: null });
  });

  /** Connects the input of UART1 to this pin instead of the bridge's own (GPIO_FUNC17_IN_SEL). */
  const listenTo = (gpio: number) => ask(lab.call('writeWord', 0x3ff4_4174, gpio | 0x80, 0xffff_ffff));
  const received = () =>
    worker.bench
      .rows({ layout: 'hex', anchor: { position: 0 }, count: 2_000 })
      .rows.filter(({ port, direction }) => port === 2 && direction === 'received')
      .reduce((sum, { bytes }) => sum + bytes.length, 0);

  it('bridges both ways at once at 921,600 baud, while a sensor is read', async () => {
    await connect();
    await load();
    await ask(lab.call('setBaudRate', 1_500_000));
    await ask(lab.call('openUart', { tx: 17, rx: 16, baudRate: 921_600 }));
    await listenTo(17);
    expect(logged()).toContain('sent UART on TX 17 RX 16, 921600 baud 8N1, full duplex');
    const sending = ask(lab.call('sendUart', new Uint8Array(6_000).fill(0x55)));
    await ask(lab.call('openI2c', boards.esp32.bus));
    expect(await ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
    await sending;
    await settle();
    expect(received()).toBe(6_000);
    expect(tick.uartLosses).toBe(0);
    await ask(lab.call('closeUart'));
    await settle();
    expect(tick.owned.filter(({ owner }) => owner === 'uart')).toEqual([]);
  });

  it('says that bytes of the bridge were lost: by the ROM, and where the link is too slow', async () => {
    await connect();
    // Five bits low, five bits high: one character after the other, without a pause.
    await ask(lab.call('setPin', 25, { kind: 'pwm', frequency: 11_520, duty: 0.5 }));
    await ask(lab.call('openUart', { tx: 17, rx: 16, baudRate: 115_200 }));
    await listenTo(25);
    await settle(500);
    expect(tick.uartLosses).toBeGreaterThan(0);
    const lost = (why: string) => logged().filter((row) => row.includes(`UART: bytes were lost: ${why}`));
    expect(lost('they came faster')).toHaveLength(1);
    await load();
    await ask(lab.call('setBaudRate', 115_200));
    await ask(lab.call('setPin', 25, { kind: 'pwm', frequency: 92_160, duty: 0.5 }));
    await ask(lab.call('openUart', { tx: 17, rx: 16, baudRate: 921_600 }));
    await settle();
    expect(tick.uartLosses).toBe(0);
    await listenTo(25);
    await settle(400);
    expect(tick.uartLosses).toBeGreaterThan(0);
    expect(lost('the link to the board is slower')).not.toHaveLength(0);
    await ask(lab.call('closeUart'));
  });

  it('takes a bridge over that was open before, and samples voltages as before', async () => {
    await connect();
    await ask(lab.call('openUart', { tx: 17, rx: 16, baudRate: 115_200 }));
    await ask(lab.call('setPin', 34, { kind: 'adc' }));
    await settle();
    const before = tick.samples.at(-1)?.raw ?? 0;
    await load();
    const seen: number[] = [];
    for (let look = 0; look < 40; look++) {
      await settle(25);
      seen.push(...tick.samples.filter(({ gpio }) => gpio === 34).map(({ raw }) => raw));
    }
    expect(seen.length).toBeGreaterThan(20);
    expect(Math.abs((seen.at(-1) ?? 0) - before)).toBeLessThan(100);
    await ask(lab.call('sendUart', Uint8Array.of(1, 2, 3)));
    await ask(lab.call('releasePin', 34));
    await settle(500);
    expect(tick.samples).toEqual([]);
    expect(tick.open).toBe(true);
  });

  it('changes the rate of the link while it runs', async () => {
    await connect();
    await load();
    await ask(lab.call('setBaudRate', 460_800));
    await ask(lab.call('openI2c', boards.esp32.bus));
    expect(await ask(lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1))).toEqual(Uint8Array.of(0x60));
    expect(tick.baudRate).toBe(460_800);
  });
});

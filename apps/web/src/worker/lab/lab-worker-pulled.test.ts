/**
 * Tests pulling the cable while an instrument works: pending calls are answered, the work ends, and the same board
 * opens again.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nothingOpen } from '../../protocol/lab-protocol.ts';
import { LabWorkerRig } from './testing/lab-worker-rig.ts';

type Lab = LabWorkerRig['lab'];

const bus = { sda: 21, scl: 22, clock: 100_000 };
const output = { kind: 'output', high: true, openDrain: false, pull: 'none' } as const;
const spi = { clk: 18, mosi: 23, miso: 19, cs: 5, mode: 0, clock: 1_000_000 } as const;
const uart = { tx: 25, rx: 32, baudRate: 9_600 };
const row = { address: 0x3c, write: new Uint8Array(17), read: 0, delay: 0 };
const never = { kind: 'edge', pin: 27, high: true } as const;
/** Time within which the user must learn of the loss, in milliseconds. */
const known = 3_000;

interface Instrument {
  readonly name: string;
  /** Calls that open what the work needs. */
  readonly opened: readonly ((lab: Lab) => Promise<unknown>)[];
  /** Work during which the cable is pulled. */
  readonly work: (lab: Lab) => Promise<unknown>;
}

const openBus = (lab: Lab) => lab.call('openI2c', bus);
const loaded = (lab: Lab) => lab.call('loadProgram');

const instruments: readonly Instrument[] = [
  {
    name: 'a pin is set',
    opened: [(lab) => lab.call('setPin', 26, output)],
    work: (lab) => lab.call('setPin', 27, output),
  },
  {
    name: 'PWM is changed',
    opened: [],
    work: (lab) => lab.call('setPin', 26, { kind: 'pwm', frequency: 1_000, duty: 0.5 }),
  },
  { name: 'a bus is looked for', opened: [], work: (lab) => lab.call('findBuses') },
  { name: 'a bus is scanned', opened: [openBus], work: (lab) => lab.call('scan') },
  { name: 'a bus is scanned by the program', opened: [openBus, loaded], work: (lab) => lab.call('scan') },
  {
    name: 'a register of a device is read',
    opened: [openBus],
    work: (lab) => lab.call('transfer', 0x76, Uint8Array.of(0xd0), 1),
  },
  {
    name: 'a voltage is sampled',
    opened: [(lab) => lab.call('setPin', 34, { kind: 'adc' })],
    work: (lab) => lab.call('setPin', 35, { kind: 'adc' }),
  },
  {
    name: 'SPI exchanges',
    opened: [(lab) => lab.call('openSpi', spi)],
    work: (lab) => lab.call('exchange', new Uint8Array(64)),
  },
  {
    name: 'the UART bridge sends',
    opened: [(lab) => lab.call('openUart', uart)],
    work: (lab) => lab.call('sendUart', new Uint8Array(2_000)),
  },
  {
    name: 'the UART bridge of the program sends',
    opened: [loaded, (lab) => lab.call('openUart', uart)],
    work: (lab) => lab.call('sendUart', new Uint8Array(20_000)),
  },
  {
    name: 'edges are counted',
    opened: [(lab) => lab.call('openCounter', { pin: 25, edges: 'both' })],
    work: (lab) => lab.call('resetCounter'),
  },
  {
    name: 'a capture waits for its trigger',
    opened: [loaded],
    work: (lab) => lab.call('capture', { pins: [26, 27], samples: 1_000, before: 0, rate: null, trigger: never }),
  },
  {
    name: 'a capture waits for a transfer',
    opened: [openBus, loaded],
    work: (lab) => lab.call('captureTransfer', []),
  },
  {
    name: 'registers are read',
    opened: [],
    work: (lab) =>
      lab.call(
        'readWords',
        Array.from({ length: 200 }, () => 0x3ff4_4020),
      ),
  },
  {
    name: 'a display is written to',
    opened: [openBus],
    work: (lab) =>
      lab.call(
        'transferAll',
        Array.from({ length: 33 }, () => row),
        'Display',
      ),
  },
];

describe.each(instruments)('the cable is pulled while $name', ({ opened, work }) => {
  let rig: LabWorkerRig;
  let board: ReturnType<LabWorkerRig['plugIn']>;

  beforeEach(() => {
    rig = new LabWorkerRig();
    board = rig.plugIn();
  });
  afterEach(() => rig.dispose());

  it.each([0, 1, 10])('%d ms after it began', async (wait) => {
    const { lab, clock } = rig;
    const { mac } = await rig.connect(board.source());
    for (const open of opened) {
      await rig.ask(open(lab));
    }
    const outcome = work(lab).then(
      () => null,
      (error: unknown) => error,
    );
    await rig.settle(wait);
    board.plugged.unplug();
    const pulled = clock.now();
    const failure = await rig.ask(outcome);
    while (rig.tick.lost === null && clock.now() - pulled < known) {
      await rig.settle(5);
    }
    expect(clock.now() - pulled).toBeLessThan(known);
    if (failure !== null) {
      expect(failure).toMatchObject({ code: expect.stringMatching(/^(unplugged|left|outcome-unknown)$/) });
      expect(failure).toMatchObject({ detail: { remedy: expect.stringMatching(/\.$/) } });
    }
    expect(rig.tick.lost).toMatchObject({ code: 'unplugged', message: 'The board was unplugged.' });
    const { lost: _lost, step, open, flash, ...session } = rig.tick;
    expect({ step, open, flash }).toEqual({ step: null, open: false, flash: null });
    expect(session).toEqual(nothingOpen);
    const lines = rig.logged().length;
    await rig.settle(5_000);
    expect(rig.logged()).toHaveLength(lines);
    expect(rig.logged().filter((line) => line.includes('may still drive its pins'))).toHaveLength(1);
    board.plugged.replug();
    await rig.settle(100);
    expect(await rig.connect({ kind: 'same' }, { mac })).toMatchObject({ mac });
    await rig.settle();
    expect(rig.tick).toMatchObject({ open: true, lost: null });
  });
});

/**
 * A fault during each instrument's work, on the virtual clock. The answer is dropped, split, late or followed by
 * garbage, the command is lost, the ROM hangs, the supply breaks down, or the cable is pulled. The work ends at most
 * 3 s later than without the fault, with the same values or a coded error. The board can be left, and nothing
 * forbidden is sent. Faults occur in the middle of the work, and the cable is also pulled at the last command, where
 * an instrument cleans up. `npm run test:long` tries every fault at more places.
 */
import { type EspFaultKind, type LabBreadboard, labBreadboard } from '@wirebench/devices';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { adcSample, adcUp } from './instruments/adc.ts';
import { beginPeriod, countEdges, edgeCount, periodRanges, stopCounting, takePeriod } from './instruments/edges.ts';
import { i2cTransfer, i2cUp } from './instruments/i2c.ts';
import { findBuses, i2cRecover } from './instruments/i2c-lines.ts';
import { scan } from './instruments/i2c-scan.ts';
import { inputPin, outputPin, releasePin, watchPins } from './instruments/pins.ts';
import { pwmOn } from './instruments/pwm.ts';
import { readRegisters, writeRegister } from './instruments/registers.ts';
import { spiTransfer, spiUp } from './instruments/spi.ts';
import { receiveWaiting, sendThrough, uartUp } from './instruments/uart-bridge.ts';
import type { Lab } from './lab.ts';
import { LabError } from './lab-failure.ts';
import { LabRig } from './testing/lab-rig.ts';

const timeout = isLong ? 1_200_000 : 240_000;
/** Maximum milliseconds from a fault to a defined end. */
const ALLOWANCE = 3_000;
const clock = 100_000;
const [writeReg, readReg] = [0x09, 0x0a];

interface Instrument {
  /** True: the instrument returns the same value each time. */
  readonly isExact: boolean;
  use(lab: Lab, board: LabBreadboard): Promise<unknown>;
}

const chips = ['esp32', 'esp32c3'] as const;
const spare = { esp32: [18, 23, 19, 25], esp32c3: [1, 3, 10, 0] } as const;
const ram = { esp32: 0x3ffb_0000, esp32c3: 0x3fca_0000 } as const;

const instruments: Readonly<Record<string, Instrument>> = {
  pins: {
    isExact: false,
    async use(lab, { pins }) {
      await lab.run(outputPin(lab.chip, pins.led, { high: true }));
      await lab.run(inputPin(lab.chip, pins.button, 'up'));
      await lab.run(watchPins(lab.chip));
      await lab.run(releasePin(lab.chip, pins.led));
    },
  },
  'an I2C scan': {
    isExact: true,
    async use(lab, { pins: { sda, scl } }) {
      await lab.run(i2cUp(lab.chip, { sda, scl, clock }));
      return scan(lab, { clock });
    },
  },
  'an I2C transfer': {
    isExact: true,
    async use(lab, { pins: { sda, scl } }) {
      await lab.run(i2cUp(lab.chip, { sda, scl, clock }));
      return lab.run(i2cTransfer(lab.chip, { address: 0x76, write: Uint8Array.of(0xd0), read: 1, clock }));
    },
  },
  'Find my I2C': {
    isExact: true,
    use: (lab, { pins: { sda, scl, led } }) => findBuses(lab, { pins: [sda, scl, led] }),
  },
  'an I2C recovery': {
    isExact: true,
    use: (lab, { pins }) => lab.run(i2cRecover(lab.chip, pins)),
  },
  ADC: {
    isExact: false,
    async use(lab, { pins: { potentiometer } }) {
      await lab.run(adcUp(lab.chip, potentiometer));
      await lab.run(adcSample(lab.chip, potentiometer));
      await lab.run(adcSample(lab.chip, potentiometer));
    },
  },
  PWM: {
    isExact: false,
    async use(lab, { pins }) {
      await lab.run(pwmOn(lab.chip, { pin: pins.led, frequency: 1_000, duty: 0.5 }));
      await lab.run(watchPins(lab.chip));
    },
  },
  SPI: {
    isExact: true,
    async use(lab) {
      const [clk, mosi, miso, cs] = spare[lab.chip.name];
      await lab.run(spiUp(lab.chip, { clk, mosi, miso, cs }));
      return lab.run(spiTransfer(lab.chip, { bytes: Uint8Array.of(0x9f, 0, 0, 0), mode: 0, clock: 1_000_000 }));
    },
  },
  'the UART bridge': {
    isExact: false,
    async use(lab, { pins: { gnss } }) {
      await lab.run(uartUp(lab.chip, { tx: spare[lab.chip.name][1], rx: gnss, baudRate: 9_600 }));
      await sendThrough(lab, Uint8Array.of(1, 2, 3));
      await receiveWaiting(lab);
    },
  },
  edges: {
    isExact: false,
    async use(lab, { pins: { button } }) {
      if (lab.chip.name === 'esp32') {
        const [range] = periodRanges;
        await lab.run(countEdges(lab.chip, { pin: button, edges: 'both', isShared: false }));
        await lab.run(edgeCount(lab.chip));
        await lab.run(beginPeriod(lab.chip, button, range));
        await lab.run(takePeriod(lab.chip, range));
        await lab.run(stopCounting(lab.chip));
      } else {
        await lab.run(watchPins(lab.chip));
      }
    },
  },
  'raw registers': {
    isExact: true,
    async use(lab) {
      const at = ram[lab.chip.name];
      await lab.run(writeRegister(at, 0x1234_5678, 0xffff_ffff));
      return lab.run(readRegisters(lab.chip, [at, at + 4]));
    },
  },
};

const kinds: readonly EspFaultKind[] = [
  'drop-answer',
  'drop-command',
  'split-answer',
  'late-answer',
  'garbage',
  'error-answer',
  'hang',
  'brown-out',
  'unplug',
];

interface Course {
  /** Value of the instrument, or the code of its failure. */
  readonly value: unknown;
  readonly code: string | null;
  readonly took: number;
  /** Numbers of READ_REG and WRITE_REG commands when the lab was open, and at the end. */
  readonly counts: readonly (readonly [op: number, opened: number, ended: number])[];
}

async function course(
  chip: (typeof chips)[number],
  { use }: Instrument,
  fault?: { readonly at: 'write-reg' | 'read-reg'; readonly kind: EspFaultKind; readonly nth: number },
): Promise<Course> {
  const board = labBreadboard(chip);
  const rig = new LabRig({ chip, breadboard: board, ...(fault && { faults: [fault] }) });
  const lab = await rig.open();
  const countOf = (op: number) => rig.device.commands.get(op) ?? 0;
  const opened = [writeReg, readReg].map(countOf);
  const since = rig.clock.now();
  const outcome = await rig.run(
    use(lab, board).then(
      (value) => ({ value, code: null }),
      (error: unknown) => {
        if (!(error instanceof LabError)) {
          throw error;
        }
        return { value: null, code: error.code };
      },
    ),
  );
  const took = rig.clock.now() - since;
  const counts = [writeReg, readReg].map((op, index) => [op, opened[index] ?? 0, countOf(op)] as const);
  const leaving = rig.clock.now();
  await rig.run(lab.leave());
  expect(rig.clock.now() - leaving).toBeLessThanOrEqual(ALLOWANCE);
  await rig.clock.advance(2_000);
  expect(rig.problems()).toEqual([]);
  if (rig.unpluggedAt === null) {
    expect(rig.port.readable).toBeNull();
    expect(rig.device.state).toBe('running');
  }
  return { ...outcome, took, counts };
}

describe.each(chips)('on %s', (chip) => {
  it.each(Object.keys(instruments))('a fault during %s ends in a known state', { timeout }, async (name) => {
    const instrument = instruments[name];
    if (instrument === undefined) {
      throw new Error('There is no such instrument.');
    }
    const calm = await course(chip, instrument);
    expect(calm.code).toBeNull();
    for (const [op, opened, ended] of calm.counts) {
      const at = op === writeReg ? 'write-reg' : 'read-reg';
      const middle = Math.ceil((opened + ended) / 2);
      for (const nth of new Set(isLong ? [opened + 1, middle, ended] : [middle, ended])) {
        const tried = isLong || nth === middle ? kinds : (['unplug'] as const);
        for (const kind of nth > opened && nth <= ended ? tried : []) {
          const { value, code, took } = await course(chip, instrument, { at, kind, nth });
          const where = `${kind} at ${at} ${nth}`;
          expect(took - calm.took, where).toBeLessThanOrEqual(ALLOWANCE);
          if (code === null && instrument.isExact) {
            expect(value, where).toEqual(calm.value);
          }
          if (kind === 'unplug') {
            expect(code, where).toBe('unplugged');
          }
        }
      }
    }
  });
});

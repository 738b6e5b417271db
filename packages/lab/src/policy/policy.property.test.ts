/**
 * No request ever puts a forbidden access into a frame. The forbidden accesses are listed here a second time, by
 * hand.
 */
import { isLong } from '@wirebench/test-input';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LabChip } from '../chips/lab-chip.ts';
import { labChip } from '../chips/lab-chips.ts';
import { adcUp } from '../instruments/adc.ts';
import { beginPeriod, type CountedEdges, countEdges, periodRanges, stopCounting } from '../instruments/edges.ts';
import { i2cTransfer, i2cUp } from '../instruments/i2c.ts';
import { i2cRecover } from '../instruments/i2c-lines.ts';
import { inputPin, outputPin, readPin, releasePin } from '../instruments/pins.ts';
import { pwmOn } from '../instruments/pwm.ts';
import { readRegisters, writeRegister } from '../instruments/registers.ts';
import { type SpiMode, spiTransfer, spiUp } from '../instruments/spi.ts';
import { uartUp } from '../instruments/uart-bridge.ts';
import { LabError } from '../lab-failure.ts';
import type { Macro } from '../macro.ts';
import { wireSteps } from '../runner/wire-steps.ts';
import { setLevel } from '../testing/instruments.ts';
import { policyOf } from './policy.ts';

/** Number of random requests; `npm run test:long` tries ten times as many. */
const RUNS = isLong ? 100_000 : 10_000;
/** Timeout of a test that hangs, long enough for a busy machine. */
const TIMEOUT = isLong ? 1_200_000 : 240_000;

interface Forbidden {
  readonly areas: readonly (readonly [first: number, last: number])[];
  readonly locked: readonly number[];
  readonly gpio: number;
  readonly pinConfig: number;
  readonly inputSelect: number;
  readonly outputSelect: number;
  readonly inputs: readonly number[];
  readonly ioMux: readonly number[];
  readonly gates: { readonly enable: number; readonly reset: number; readonly known: number };
}

const forbidden = {
  esp32: {
    // UART0, the flash controllers and eFuse, each with its alias; RTC control; the ROM's memory and the ROM.
    areas: [
      [0x0000_0000, 0x3fef_ffff],
      [0x3ff4_0000, 0x3ff4_3fff],
      [0x6000_0000, 0x6000_3fff],
      [0x3ff5_a000, 0x3ff5_afff],
      [0x6001_a000, 0x6001_afff],
      [0x3ff4_8000, 0x3ff4_83ff],
      [0x3ffa_e000, 0x3ffa_ffff],
      [0x3ffc_0000, 0x4000_0fff],
      [0x4000_1004, 0x5fff_ffff],
      [0x6002_0000, 0xffff_ffff],
    ],
    locked: [1, 3, 6, 7, 8, 9, 10, 11],
    gpio: 0x3ff4_4000,
    pinConfig: 0x88,
    inputSelect: 0x130,
    outputSelect: 0x530,
    inputs: [0, 1, 2, 3, 4, 5, 6, 7, 14, 15, 16],
    ioMux: [0x88, 0x84, 0x60, 0x64, 0x68, 0x54, 0x58, 0x5c].map((offset) => 0x3ff4_9000 + offset),
    gates: { enable: 0x3ff0_00c0, reset: 0x3ff0_00c4, known: 0x0100_0ee0 },
  },
  esp32c3: {
    areas: [
      [0x0000_0000, 0x3fc8_ffff],
      [0x3fcc_0000, 0x4000_0fff],
      [0x4000_1004, 0x5fff_ffff],
      [0x6000_0000, 0x6000_3fff],
      [0x6000_8000, 0x6000_8fff],
      [0x6004_3000, 0x6004_3fff],
      [0x600d_0000, 0xffff_ffff],
    ],
    locked: [11, 12, 13, 14, 15, 16, 17, 20, 21],
    gpio: 0x6000_4000,
    pinConfig: 0x74,
    inputSelect: 0x154,
    outputSelect: 0x554,
    inputs: [0, 1, 2, 3, 4, 5, 6, 7, 8],
    ioMux: [11, 12, 13, 14, 15, 16, 17, 20, 21].map((pin) => 0x6000_9004 + 4 * pin),
    gates: { enable: 0x600c_0010, reset: 0x600c_0018, known: 0x1100_0ae0 },
  },
} satisfies Record<string, Forbidden>;

const MASKED = [0x04, 0x20];
const SET_OR_CLEAR = [0x08, 0x0c, 0x24, 0x28];

/** Returns the fault of a write that would be sent; null for an allowed write. */
function faultOf(rules: Forbidden, [address = 0, value = 0, mask = 0]: readonly number[]): string | null {
  const { gpio, pinConfig, inputSelect, outputSelect, locked, gates } = rules;
  const lockedBits = locked.reduce((bits, pin) => bits | (1 << pin), 0);
  const at = address - gpio;
  const written = value & mask;
  if (address % 4 !== 0 || rules.areas.some(([first, last]) => address >= first && address <= last)) {
    return 'area';
  }
  if (MASKED.includes(at) && (mask & lockedBits) !== 0) {
    return 'mask';
  }
  if (SET_OR_CLEAR.includes(at) && (mask !== 0xffff_ffff || (written & lockedBits) !== 0)) {
    return 'bit';
  }
  const isOwn = locked.some((pin) => at === pinConfig + 4 * pin || at === outputSelect + 4 * pin);
  if (isOwn || rules.ioMux.includes(address) || rules.inputs.some((signal) => at === inputSelect + 4 * signal)) {
    return 'pin';
  }
  if (address === gates.enable && ((mask & ~gates.known) !== 0 || (mask & ~value & 0x0100_0000) !== 0)) {
    return 'gate';
  }
  return address === gates.reset && (mask & ~(gates.known & ~0x0100_0000)) !== 0 ? 'reset' : null;
}

const word = fc.oneof(
  fc.constantFrom(0, 1, 0xffff_ffff, 0x40, 0x80, 1 << 3, 1 << 6, 1 << 20),
  fc.integer({ min: 0, max: 31 }).map((bit) => 2 ** bit),
  fc.integer({ min: 0, max: 0xffff_ffff }),
);
const blocks = [
  0x3ff0_0000, 0x3ff4_0000, 0x3ff4_2000, 0x3ff4_4000, 0x3ff4_8000, 0x3ff4_8400, 0x3ff4_8800, 0x3ff4_9000, 0x3ff5_0000,
  0x3ff5_3000, 0x3ff5_6000, 0x3ff5_7000, 0x3ff5_9000, 0x3ff5_a000, 0x3ff6_4000, 0x3ffb_0000, 0x3fca_0000, 0x6000_0000,
  0x6000_2000, 0x6000_4000, 0x6000_8000, 0x6000_8800, 0x6000_9000, 0x6001_0000, 0x6001_3000, 0x6001_9000, 0x6002_4000,
  0x6004_0000, 0x600c_0000, 0x4000_1000,
];
const address = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...blocks), fc.integer({ min: 0, max: 0x180 }))
      .map(([at, index]) => at + 4 * index),
  },
  { weight: 1, arbitrary: word },
);
const pin = fc.integer({ min: -1, max: 45 });
const edges: readonly CountedEdges[] = ['rising', 'falling', 'both'];

/** One request for every instrument, as a function of the chip. */
const request: fc.Arbitrary<(chip: LabChip) => Macro<unknown>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(address, word, word).map(
      ([at, value, mask]) =>
        () =>
          writeRegister(at, value, mask),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.array(address, { maxLength: 4 }).map((all) => (chip: LabChip) => readRegisters(chip, all)),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({
        which: fc.nat(15),
        a: pin,
        b: pin,
        c: pin,
        d: pin,
        flag: fc.boolean(),
        number: fc.integer({ min: 1, max: 500_000 }),
        bytes: fc.uint8Array({ maxLength: 40 }),
      })
      .map(({ which, a, b, c, d, flag, number, bytes }) => (chip: LabChip): Macro<unknown> => {
        const makers: (() => Macro<unknown>)[] = [
          () => inputPin(chip, a, flag ? 'up' : 'down'),
          () => outputPin(chip, a, { high: flag, openDrain: !flag, pull: 'up' }),
          () => setLevel(chip, a, flag),
          () => releasePin(chip, a),
          () => readPin(chip, a),
          () => i2cUp(chip, { sda: a, scl: b, clock: number }),
          // Covers every JKit of a chip: whatever it describes becomes `ChipTransfer`s and nothing else.
          () =>
            i2cTransfer(chip, { address: flag ? a : number % 256, write: bytes, read: Math.max(0, c), clock: number }),
          () => i2cRecover(chip, { sda: a, scl: b }),
          () => adcUp(chip, a),
          () => pwmOn(chip, { pin: a, frequency: number, duty: flag ? 0.5 : 1 }),
          () => spiUp(chip, { clk: a, mosi: b, miso: c, cs: d }),
          () =>
            spiTransfer(chip, {
              bytes: flag ? bytes : new Uint8Array(Math.max(0, a)),
              clock: number,
              mode: (Math.abs(b) % 4) as SpiMode,
            }),
          () => uartUp(chip, { tx: a, rx: b, baudRate: number }),
          () => countEdges(chip, { pin: a, edges: edges[number % edges.length] ?? 'both', isShared: flag }),
          () => beginPeriod(chip, a, periodRanges[number % periodRanges.length] ?? { divisor: 1, gate: 1 }),
          () => stopCounting(chip),
        ];
        return (makers[which] ?? makers[0])?.() as Macro<unknown>;
      }),
  },
);

it(`never turns anything forbidden into a frame, in ${RUNS} requests of all kinds`, { timeout: TIMEOUT }, () => {
  const chips = (['esp32', 'esp32c3'] as const).map((name) => {
    const chip = labChip(name);
    return { chip, policy: policyOf(chip), rules: forbidden[name] };
  });
  const count = { sent: 0, refused: 0 };
  fc.assert(
    fc.property(request, fc.nat(1), (ask, which) => {
      const { chip, policy, rules } = chips[which] as (typeof chips)[number];
      let steps: ReturnType<typeof wireSteps>;
      try {
        steps = wireSteps(ask(chip).steps, policy, chip.limits);
      } catch (error) {
        if (!(error instanceof LabError) || error.code !== 'refused') {
          throw error;
        }
        count.refused++;
        return;
      }
      count.sent++;
      for (const {
        request: { frame, op },
      } of steps.flatMap((step) => (step.kind === 'requests' ? step.requests : [step.request]))) {
        const words = wordsOf(frame);
        for (let at = 0; op === 9 && at + 4 <= words.length; at += 4) {
          const entry = words.slice(at, at + 4);
          const fault = faultOf(rules, entry);
          if (fault !== null) {
            throw new Error(`${fault}: ${entry.map((part) => part.toString(16)).join(' ')}`);
          }
        }
        if (op === 10) {
          expect(rules.areas.some(([first, last]) => (words[0] ?? 0) >= first && (words[0] ?? 0) <= last)).toBe(false);
        }
      }
    }),
    { numRuns: RUNS },
  );
  // Some requests must pass and some must be refused, or the property would prove nothing.
  expect(count.sent).toBeGreaterThan(RUNS / 10);
  expect(count.refused).toBeGreaterThan(RUNS / 10);
});

/** Removes a frame's escapes and returns its data as words. */
function wordsOf(frame: Uint8Array): number[] {
  const bytes: number[] = [];
  for (let at = 1; at < frame.length - 1; at++) {
    const byte = frame[at] ?? 0;
    bytes.push(byte === 0xdb ? (frame[++at] === 0xdc ? 0xc0 : 0xdb) : byte);
  }
  const data = Buffer.from(bytes.slice(8));
  return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(4 * index));
}

/** The wires of an I2C bus as plain pins: frees a blocked bus, and finds the pins that carry a bus. */
import type { LabChip } from '../chips/lab-chip.ts';
import type { Lab, RunOptions } from '../lab.ts';
import { entry, type Macro, type RegisterEntry, wordAt } from '../macro.ts';
import { type I2cPins, i2cUp } from './i2c.ts';
import { scan } from './i2c-scan.ts';
import { isHigh, pinRule, watchPins } from './pins.ts';
import { bankOf, bitOf, distinctPins, inputEntries, levelEntry, outputEntries, releaseEntries } from './routing.ts';

export interface I2cRecovery {
  /** Levels after the stop condition: both true on a free bus. */
  readonly sda: boolean;
  readonly scl: boolean;
}

/**
 * Half a clock period of the recovery, in microseconds. Whatever unit the ROM uses for delays, the clock is at most
 * 100 kHz.
 */
const HALF_CLOCK = 10;
/** A device that holds SDA low waits for the rest of a byte and its acknowledge bit (UM10204, section 3.1.16). */
const CLOCKS = 9;

/**
 * Sends nine clocks and a stop by setting the pins. Afterwards the pins are plain open drains until `i2cUp`
 * reconnects them to the controller.
 *
 * @throws LabError `refused` for pins that cannot be used.
 */
export function i2cRecover(chip: LabChip, { sda, scl }: I2cPins): Macro<I2cRecovery> {
  distinctPins([sda, scl]);
  const released = { high: true, openDrain: true, pull: 'up' } as const;
  const level = (pin: number, high: boolean): RegisterEntry => ({
    ...levelEntry(chip, pin, high),
    delay: HALF_CLOCK,
  });
  const clocks = Array.from({ length: CLOCKS }, () => [level(scl, false), level(scl, true)]).flat();
  const stop = [level(scl, false), level(sda, false), level(scl, true), level(sda, true)];
  const banks = [bankOf(chip, sda), bankOf(chip, scl)];
  return {
    title: `I2C: free the bus at GPIO ${sda} and ${scl}`,
    steps: [
      {
        kind: 'write',
        entries: [...outputEntries(chip, sda, released), ...outputEntries(chip, scl, released), ...clocks, ...stop],
      },
      { kind: 'read', addresses: banks.map(({ input }) => input) },
    ],
    repeatable: true,
    value: (words) => ({
      sda: (wordAt(words, 0) & bitOf(chip, sda)) !== 0,
      scl: (wordAt(words, 1) & bitOf(chip, scl)) !== 0,
    }),
  };
}

export interface FindBusesOptions {
  /** Pins to try; defaults to all that may be used without a warning. */
  readonly pins?: readonly number[];
  readonly onStep?: (step: FindBusesStep) => void;
  readonly signal?: AbortSignal;
}

type FindBusesStep =
  | { readonly kind: 'pulled-up'; readonly pins: readonly number[] }
  | { readonly kind: 'trying'; readonly sda: number; readonly scl: number }
  | { readonly kind: 'found'; readonly sda: number; readonly scl: number; readonly addresses: readonly number[] };

interface FoundBus extends I2cPins {
  readonly addresses: readonly number[];
}

export interface FoundBuses {
  /** Pins that stay high although the chip's pull-down is on. */
  readonly pulledUp: readonly number[];
  readonly buses: readonly FoundBus[];
}

/** Hz. Slow enough for any device and any wire. */
const SEARCH_CLOCK = 100_000;
/** Time for a pull-down of about 45 kΩ to discharge a wire, in microseconds. */
const SETTLE = 500;

/** Returns the pins that can carry a bus and need no warning. */
export function busCandidates(chip: LabChip): number[] {
  return chip.pins.filter(({ gpio, pulls }) => pulls && pinRule(chip, gpio).kind === 'free').map(({ gpio }) => gpio);
}

/**
 * Finds the pins that carry an I2C bus. It takes the pins with an external pull-up and scans each pair in both
 * orders. Once a pair has devices, the search skips its pins. All pins are released at the end, also after a failure.
 *
 * @throws LabError for the same reasons as `lab.run`. If the release fails, its error replaces the result or the
 * earlier error, because the pins then keep the settings of the search.
 */
export async function findBuses(lab: Lab, options: FindBusesOptions = {}): Promise<FoundBuses> {
  const { pins = busCandidates(lab.chip), onStep, signal } = options;
  const how = signal ? { signal } : {};
  try {
    const pulledUp = await findPulledUp(lab, pins, how);
    onStep?.({ kind: 'pulled-up', pins: pulledUp });
    const buses: FoundBus[] = [];
    for (const [sda, scl] of orderedPairs(pulledUp)) {
      if (buses.some((bus) => [bus.sda, bus.scl].some((pin) => pin === sda || pin === scl))) {
        continue;
      }
      onStep?.({ kind: 'trying', sda, scl });
      await lab.run(i2cUp(lab.chip, { sda, scl, clock: SEARCH_CLOCK }), how);
      const { found } = await scan(lab, { clock: SEARCH_CLOCK, ...how });
      if (found.length > 0) {
        buses.push({ sda, scl, addresses: found });
        onStep?.({ kind: 'found', sda, scl, addresses: found });
      }
      await lab.run(releaseAll(lab.chip, [sda, scl]), how);
    }
    return { pulledUp, buses };
  } finally {
    await lab.run(releaseAll(lab.chip, pins));
  }
}

async function findPulledUp(lab: Lab, pins: readonly number[], how: RunOptions): Promise<number[]> {
  const { chip } = lab;
  const levels = await lab.run(pullDownAndRead(chip, pins), how);
  return pins.filter((pin) => isHigh(chip, levels, pin));
}

/** Makes every pin an input with the chip's pull-down, then reads all levels. */
function pullDownAndRead(chip: LabChip, pins: readonly number[]) {
  const watch = watchPins(chip);
  const entries = pins.flatMap((pin) => inputEntries(chip, pin, 'down'));
  const [bank] = chip.gpio.banks;
  // A write that changes nothing, after a delay in which the wires settle.
  const wait = bank === undefined ? [] : [entry(bank.outSet, 0, { delay: SETTLE })];
  return {
    ...watch,
    title: `I2C: which of ${pins.length} pins are pulled up`,
    steps: [{ kind: 'write' as const, entries: [...entries, ...wait] }, ...watch.steps],
  };
}

function releaseAll(chip: LabChip, pins: readonly number[]): Macro<void> {
  return {
    title: `GPIO: release ${pins.length} pins`,
    steps: [{ kind: 'write', entries: pins.flatMap((pin) => releaseEntries(chip, pin)) }],
    repeatable: true,
    value: () => undefined,
  };
}

function orderedPairs(pins: readonly number[]): (readonly [number, number])[] {
  return pins.flatMap((sda) => pins.filter((scl) => scl !== sda).map((scl) => [sda, scl] as const));
}

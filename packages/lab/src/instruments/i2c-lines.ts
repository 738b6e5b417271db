/** The wires of an I2C bus as plain pins: freeing a bus that hangs, and finding the pins that carry one. */
import type { LabChip } from '../chips/lab-chip.ts';
import type { Lab, RunOptions } from '../lab.ts';
import { entry, type Macro, type RegisterEntry, wordAt } from '../macro.ts';
import { type I2cPins, i2cUp } from './i2c.ts';
import { scan } from './i2c-scan.ts';
import { isHigh, pinRule, watchPins } from './pins.ts';
import { bankOf, bitOf, distinctPins, inputEntries, levelEntry, outputEntries, releaseEntries } from './routing.ts';

export interface I2cRecovery {
  /** Levels after the stop: both true on a free bus. */
  readonly sda: boolean;
  readonly scl: boolean;
}

/** Half a clock of the recovery, in microseconds: at most 100 kHz, however the ROM counts. */
const HALF_CLOCK = 10;
/** A device that holds SDA low waits for the rest of a byte and its acknowledge (UM10204, section 3.1.16). */
const CLOCKS = 9;

/**
 * Nine clocks and a stop, by hand. The pins are plain open drains afterwards: `i2cUp` gives them back to the controller.
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
  /** Pins to try; when left out, all that may be used without a warning. */
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
  /** Pins that stay high against the chip's own pull-down. */
  readonly pulledUp: readonly number[];
  readonly buses: readonly FoundBus[];
}

/** Slow enough for any device and any wire. */
const SEARCH_CLOCK = 100_000;
/** Microseconds that a pull-down of some 45 kΩ has for the capacitance of a wire. */
const SETTLE = 500;

/** Pins that can carry a bus and need no warning. */
export function busCandidates(chip: LabChip): number[] {
  return chip.pins.filter(({ gpio, pulls }) => pulls && pinRule(chip, gpio).kind === 'free').map(({ gpio }) => gpio);
}

/**
 * Which pins carry an I2C bus: those that an external resistor pulls up, tried in pairs, each pair both ways round and scanned. A pair
 * with devices takes its pins out of the search. All pins are released in the end, also after a failure.
 * @throws LabError as `lab.run` does.
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
    if (!lab.over.aborted) {
      await lab.run(releaseAll(lab.chip, pins)).catch(() => undefined);
    }
  }
}

async function findPulledUp(lab: Lab, pins: readonly number[], how: RunOptions): Promise<number[]> {
  const { chip } = lab;
  const levels = await lab.run(pullDownAndRead(chip, pins), how);
  return pins.filter((pin) => isHigh(chip, levels, pin));
}

/** Every pin an input with the chip's pull-down, then the levels of all. */
function pullDownAndRead(chip: LabChip, pins: readonly number[]) {
  const watch = watchPins(chip);
  const entries = pins.flatMap((pin) => inputEntries(chip, pin, 'down'));
  const [bank] = chip.gpio.banks;
  // A write that changes nothing, behind the time that the wires need.
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

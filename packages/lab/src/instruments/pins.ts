/** Pins: inputs, outputs, open drain, pulls, the levels of all pins at once, and releasing them. */
import type { LabChip } from '../chips/lab-chip.ts';
import { type Macro, setting, wordAt } from '../macro.ts';
import {
  bankOf,
  bitOf,
  inputEntries,
  ioMux,
  type OutputOptions,
  openDrainBit,
  outputEntries,
  outputSelectOf,
  type Pull,
  pinConfigOf,
  releaseEntries,
  usablePin,
} from './routing.ts';

export type PinRuleKind = 'free' | 'locked' | 'warn' | 'input-only' | 'absent';

export interface PinRule {
  readonly kind: PinRuleKind;
  /** A sentence for the user; empty for a free pin. */
  readonly reason: string;
}

/** Levels of all pins at one moment; see `isHigh`. */
export interface PinLevels {
  /** One word for each bank of 32 pins. */
  readonly words: readonly number[];
}

/** Configuration of a pin, read from its registers. */
export interface PinSetup {
  readonly output: boolean;
  /** The OUT bit. The level at the pin is `level`. */
  readonly high: boolean;
  readonly level: boolean;
  readonly openDrain: boolean;
  readonly pull: Pull | 'both';
  /** Peripheral signal that drives the pin; null for its own OUT bit. */
  readonly signal: number | null;
  /** Function number in IO_MUX; GPIO is `chip.gpio.ioMuxFunction`. */
  readonly ioMuxFunction: number;
  readonly inputEnabled: boolean;
}

/** Returns the allowed use of a pin, with the reason for a restriction. */
export function pinRule(chip: LabChip, gpio: number): PinRule {
  const pin = chip.pins.find((candidate) => candidate.gpio === gpio);
  if (pin === undefined) {
    return { kind: 'absent', reason: `This chip has no GPIO ${gpio}.` };
  }
  if (pin.locked !== undefined) {
    return { kind: 'locked', reason: pin.locked };
  }
  if (pin.inputOnly) {
    return { kind: 'input-only', reason: `GPIO ${gpio} is input only.` };
  }
  return pin.warning === undefined ? { kind: 'free', reason: '' } : { kind: 'warn', reason: pin.warning };
}

/**
 * Makes a pin an input.
 *
 * @throws LabError `refused`
 */
export function inputPin(chip: LabChip, gpio: number, pull: Pull = 'none'): Macro<void> {
  return setting(
    `GPIO ${gpio}: input, ${pull === 'none' ? 'no pull' : `pull-${pull}`}`,
    inputEntries(chip, gpio, pull),
  );
}

/**
 * Makes a pin an output.
 *
 * @throws LabError `refused`
 */
export function outputPin(chip: LabChip, gpio: number, options: OutputOptions): Macro<void> {
  const kind = options.openDrain ? 'open drain' : 'output';
  return setting(`GPIO ${gpio}: ${kind}, ${options.high ? 'high' : 'low'}`, outputEntries(chip, gpio, options));
}

/**
 * Restores the state after a reset: input, no pulls.
 *
 * @throws LabError `refused`
 */
export function releasePin(chip: LabChip, gpio: number): Macro<void> {
  return setting(`GPIO ${gpio}: released`, releaseEntries(chip, gpio));
}

/** Reads the levels of all pins, one word for each 32. */
export function watchPins({ gpio }: LabChip): Macro<PinLevels> {
  return {
    title: 'Levels of all pins',
    steps: [{ kind: 'read', addresses: gpio.banks.map(({ input }) => input) }],
    repeatable: true,
    value: (words) => ({ words: words.slice() }),
  };
}

/**
 * Returns true if the pin's level is high.
 *
 * @param gpio A pin that the chip has.
 */
export function isHigh(chip: LabChip, { words }: PinLevels, gpio: number): boolean {
  const bank = bankOf(chip, gpio);
  return (wordAt(words, chip.gpio.banks.indexOf(bank)) & bitOf(chip, gpio)) !== 0;
}

/**
 * Reads the configuration of a pin.
 *
 * @throws LabError `refused` for a locked or absent pin.
 */
export function readPin(chip: LabChip, gpio: number): Macro<PinSetup> {
  const pin = usablePin(chip, gpio);
  const bank = bankOf(chip, gpio);
  const bit = bitOf(chip, gpio);
  const pad = pin.pad === null ? [] : [pin.pad.address];
  const addresses = [bank.enable, bank.out, bank.input, pinConfigOf(chip, gpio), pin.ioMux, outputSelectOf(chip, gpio)];
  return {
    title: `GPIO ${gpio}: how it is set`,
    steps: [{ kind: 'read', addresses: [...addresses, ...pad] }],
    repeatable: true,
    value: (words) => {
      const [enable, out, input, config, mux, select] = addresses.map((_, index) => wordAt(words, index)) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const [up, down] =
        pin.pad === null
          ? [mux & ioMux.pullUp, mux & ioMux.pullDown]
          : [pin.pad.up, pin.pad.down].map((shift) => (shift === null ? 0 : wordAt(words, 6) & (1 << shift)));
      const signal = select & (2 * chip.gpio.plainOutput - 1);
      return {
        output: (enable & bit) !== 0,
        high: (out & bit) !== 0,
        level: (input & bit) !== 0,
        openDrain: (config & openDrainBit) !== 0,
        pull: up ? (down ? 'both' : 'up') : down ? 'down' : 'none',
        signal: signal === chip.gpio.plainOutput ? null : signal,
        ioMuxFunction: (mux >>> ioMux.functionShift) & 7,
        inputEnabled: (mux & ioMux.input) !== 0,
      };
    },
  };
}

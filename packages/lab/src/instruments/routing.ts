/**
 * Register entries shared by all instruments: pins as inputs and outputs, peripheral signals at pins, clock gates.
 * The order matters: a pin gets its level before it becomes an output, so that it never drives the wrong level.
 */
import type { GateName, GpioBank, LabChip, LabPin } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import { entry, type RegisterEntry } from '../macro.ts';

export type Pull = 'none' | 'up' | 'down';

/** Bits of an IO_MUX word (ESP32 TRM, `IO_MUX_x_REG`; the same on the ESP32-C3). */
export const ioMux = { pullDown: 1 << 7, pullUp: 1 << 8, input: 1 << 9, strength: 2 << 10, functionShift: 12 } as const;
/** Function, drive strength and input enable. */
const ioMuxUse = 0x7e00;
const ioMuxPulls = ioMux.pullDown | ioMux.pullUp;
/** Open-drain bit of PINn. */
export const openDrainBit = 1 << 2;

/**
 * Returns a pin that may be used.
 *
 * @throws LabError `refused` for a locked or absent pin.
 */
export function usablePin(chip: LabChip, gpio: number): LabPin {
  const pin = chip.pins.find((candidate) => candidate.gpio === gpio);
  if (pin === undefined) {
    throw refused(`This chip has no GPIO ${gpio}.`);
  }
  if (pin.locked !== undefined) {
    throw refused(pin.locked);
  }
  return pin;
}

/**
 * Returns a pin that can be an output.
 *
 * @throws LabError `refused` for a locked, absent or input-only pin.
 */
export function drivablePin(chip: LabChip, gpio: number): LabPin {
  const pin = usablePin(chip, gpio);
  if (pin.inputOnly) {
    throw refused(`GPIO ${gpio} is input only.`);
  }
  return pin;
}

/**
 * Checks that no pin is chosen twice.
 *
 * @throws LabError `refused` if two pins are the same.
 */
export function distinctPins(gpios: readonly number[]): void {
  const twice = gpios.find((gpio, index) => gpios.indexOf(gpio) !== index);
  if (twice !== undefined) {
    throw refused(`GPIO ${twice} is chosen twice.`);
  }
}

export function bankOf({ gpio }: LabChip, pin: number): GpioBank {
  const bank = gpio.banks.find(({ first }) => pin >= first && pin < first + 32);
  if (bank === undefined) {
    throw refused(`This chip has no GPIO ${pin}.`);
  }
  return bank;
}

export function bitOf(chip: LabChip, pin: number): number {
  return (1 << (pin - bankOf(chip, pin).first)) >>> 0;
}

export const pinConfigOf = ({ gpio }: LabChip, pin: number) => gpio.pinConfig + 4 * pin;
export const outputSelectOf = ({ gpio }: LabChip, pin: number) => gpio.outputSelect + 4 * pin;
export const inputSelectOf = ({ gpio }: LabChip, signal: number) => gpio.inputSelect + 4 * signal;

/** Makes the pad a GPIO with its input on, and switches it from the RTC domain to digital use. */
function padEntries({ gpio }: LabChip, pin: LabPin): RegisterEntry[] {
  const word = (gpio.ioMuxFunction << ioMux.functionShift) | ioMux.strength | ioMux.input;
  return [entry(pin.ioMux, word, { mask: ioMuxUse }), ...rtcEntries(pin)];
}

function rtcEntries({ pad }: LabPin): RegisterEntry[] {
  return pad === null ? [] : [entry(pad.address, 0, { mask: 1 << pad.rtcFunction })];
}

/**
 * Sets the pull resistors.
 *
 * @throws LabError `refused` for a pull that this pin does not have.
 */
function pullEntries(pin: LabPin, pull: Pull): RegisterEntry[] {
  if (!pin.pulls) {
    if (pull !== 'none') {
      throw refused(`GPIO ${pin.gpio} has no pull resistors.`);
    }
    return [];
  }
  if (pin.pad === null) {
    const bit = { none: 0, up: ioMux.pullUp, down: ioMux.pullDown }[pull];
    return [entry(pin.ioMux, bit, { mask: ioMuxPulls })];
  }
  const up = 1 << (pin.pad.up ?? 0);
  const down = 1 << (pin.pad.down ?? 0);
  return [entry(pin.pad.address, { none: 0, up, down }[pull], { mask: up | down })];
}

/** Stops driving and enables the input. */
export function inputEntries(chip: LabChip, gpio: number, pull: Pull): RegisterEntry[] {
  const pin = usablePin(chip, gpio);
  return [
    entry(bankOf(chip, gpio).enableClear, bitOf(chip, gpio)),
    ...padEntries(chip, pin),
    ...pullEntries(pin, pull),
  ];
}

export interface OutputOptions {
  readonly high: boolean;
  /** True: only low is driven. Defaults to false. */
  readonly openDrain?: boolean;
  /** Absent: the pulls stay unchanged. */
  readonly pull?: Pull;
}

export function levelEntry(chip: LabChip, gpio: number, high: boolean): RegisterEntry {
  const { outSet, outClear } = bankOf(chip, gpio);
  return entry(high ? outSet : outClear, bitOf(chip, gpio));
}

/** Drives `high` or low. The level is set before the driver is enabled. */
export function outputEntries(chip: LabChip, gpio: number, options: OutputOptions): RegisterEntry[] {
  const pin = drivablePin(chip, gpio);
  const { high, openDrain = false, pull } = options;
  return [
    levelEntry(chip, gpio, high),
    entry(pinConfigOf(chip, gpio), openDrain ? openDrainBit : 0, { mask: openDrainBit }),
    ...padEntries(chip, pin),
    ...signalEntries(chip, gpio, chip.gpio.plainOutput),
    ...(pull === undefined ? [] : pullEntries(pin, pull)),
  ];
}

/** Connects a peripheral's output signal to a pin that is already an output. */
export function signalEntries(chip: LabChip, gpio: number, signal: number): RegisterEntry[] {
  return [entry(outputSelectOf(chip, gpio), signal), entry(bankOf(chip, gpio).enableSet, bitOf(chip, gpio))];
}

/** Connects a pin to a peripheral's input signal. */
export function inputSignalEntry(chip: LabChip, gpio: number, signal: number): RegisterEntry {
  return entry(inputSelectOf(chip, signal), gpio | chip.gpio.inputRouted);
}

/** Restores the state after a reset: not driven, no pulls, input on. */
export function releaseEntries(chip: LabChip, gpio: number): RegisterEntry[] {
  const pin = usablePin(chip, gpio);
  const analog = chip.adc.pads[gpio];
  const isRtcBit = analog?.address === pin.pad?.address;
  const [use, ...rtc] = padEntries(chip, pin);
  return [
    entry(bankOf(chip, gpio).enableClear, bitOf(chip, gpio)),
    entry(outputSelectOf(chip, gpio), chip.gpio.plainOutput),
    entry(pinConfigOf(chip, gpio), 0, { mask: openDrainBit }),
    ...pullEntries(pin, 'none'),
    ...(use === undefined ? [] : [use]),
    ...rtc,
    ...(analog === undefined || isRtcBit ? [] : [entry(analog.address, 0, { mask: 1 << analog.bit })]),
  ];
}

/**
 * Enables the clock of peripherals, then resets them.
 *
 * @throws LabError `refused` if the chip has no such peripheral.
 */
export function gateEntries({ gates }: LabChip, names: readonly GateName[]): RegisterEntry[] {
  let on = 0;
  let reset = 0;
  for (const name of names) {
    const bit = gates.bits[name];
    if (bit === null) {
      throw refused('This chip does not have this peripheral.');
    }
    on |= 1 << bit;
    reset |= gates.enableOnly.includes(bit) ? 0 : 1 << bit;
  }
  return [
    entry(gates.enable, on, { mask: on }),
    entry(gates.reset, reset, { mask: reset }),
    entry(gates.reset, 0, { mask: reset }),
  ];
}

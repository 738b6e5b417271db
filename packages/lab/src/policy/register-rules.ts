/**
 * A rule for each register that moves pins, opens clock gates or converts: the bits that may change, and the pins
 * that they move.
 */
import type { GpioBank, LabChip, LabPin } from '../chips/lab-chip.ts';
import { type RegisterEntry, wholeWord } from '../macro.ts';

export interface RegisterRule {
  /** Returns the reason for which a write is refused, as a sentence; null if it is allowed. */
  readonly refusal: (entry: RegisterEntry) => string | null;
  readonly pins: (entry: RegisterEntry) => readonly number[];
}

type Refusal = RegisterRule['refusal'];

const noPins: RegisterRule['pins'] = () => [];
const otherBits = 'This register also holds bits that the bench does not change: leave them out of the mask.';
const onlyRead: Refusal = () => 'This register can only be read.';

export function rulesOf(chip: LabChip): ReadonlyMap<number, RegisterRule> {
  const rules = new Map<number, RegisterRule>();
  const add = (address: number, refusal: Refusal, pins = noPins) => rules.set(address, { refusal, pins });
  const { adc, gates, gpio } = chip;
  for (const { address } of [adc.done, adc.value]) {
    add(address, onlyRead);
  }
  for (const [address, bits] of unionOfMasks([...adc.setUp, ...adc.convert])) {
    add(address, within(bits));
  }
  add(gates.enable, gateRefusal(chip));
  add(gates.reset, within(gateBits(chip, (bit) => !gates.enableOnly.includes(bit))));
  for (const signal of chip.routableInputs) {
    add(gpio.inputSelect + 4 * signal, inputSelectRefusal(chip));
  }
  for (const bank of gpio.banks) {
    addBank(chip, bank, add);
  }
  for (const pin of chip.pins) {
    const refusal: Refusal = () => pin.locked ?? null;
    for (const address of [gpio.pinConfig + 4 * pin.gpio, gpio.outputSelect + 4 * pin.gpio, pin.ioMux]) {
      add(address, refusal, () => [pin.gpio]);
    }
  }
  addPads(chip, add);
  return rules;
}

type Add = (address: number, refusal: Refusal, pins?: RegisterRule['pins']) => void;

function addBank(chip: LabChip, bank: GpioBank, add: Add): void {
  const ofBank = chip.pins.filter(({ gpio }) => gpio >= bank.first && gpio < bank.first + 32);
  const bitsWhere = (may: (pin: LabPin) => boolean) =>
    ofBank.filter(may).reduce((bits, { gpio }) => (bits | (1 << (gpio - bank.first))) >>> 0, 0);
  const usable = bitsWhere(({ locked }) => locked === undefined);
  const drivable = bitsWhere(({ locked, inputOnly }) => locked === undefined && !inputOnly);
  const reasonFor = (bits: number) => whyNot(chip, bank, bits);
  const pinsOf = (bits: number) =>
    ofBank.filter(({ gpio }) => (bits >>> (gpio - bank.first)) & 1).map(({ gpio }) => gpio);
  for (const address of [bank.out, bank.enable]) {
    add(
      address,
      ({ mask }) => reasonFor(mask & ~drivable),
      ({ mask }) => pinsOf(mask),
    );
  }
  // These must be written without a mask: the ROM writes bits outside of a mask as it read them, and each 1 acts.
  const setOrClear = (address: number, allowed: number) =>
    add(
      address,
      ({ value, mask }) =>
        mask === wholeWord ? reasonFor(value & ~allowed) : 'Set and clear registers are written whole, without a mask.',
      ({ value }) => pinsOf(value),
    );
  setOrClear(bank.outSet, drivable);
  setOrClear(bank.outClear, drivable);
  setOrClear(bank.enableSet, drivable);
  setOrClear(bank.enableClear, usable);
  add(bank.input, onlyRead);
}

/** Returns the reason for which the lowest of these bits must not be touched; null if `bits` is 0. */
function whyNot({ pins }: LabChip, { first }: GpioBank, bits: number): string | null {
  if (bits === 0) {
    return null;
  }
  const gpio = first + 31 - Math.clz32(bits & -bits);
  const pin = pins.find((candidate) => candidate.gpio === gpio);
  return pin === undefined ? `This chip has no GPIO ${gpio}.` : (pin.locked ?? `GPIO ${gpio} is input only.`);
}

/** Adds the pad registers of the RTC domain, which several pins may share: pulls, digital or RTC use, analog use. */
function addPads({ pins, adc }: LabChip, add: Add): void {
  const bitsOfPins = new Map<number, { readonly pin: LabPin; readonly bits: number }[]>();
  const note = (pin: LabPin, address: number, bits: readonly (number | null | undefined)[]) => {
    const word = bits.reduce<number>((sum, bit) => (bit === null || bit === undefined ? sum : sum | (1 << bit)), 0);
    bitsOfPins.set(address, [...(bitsOfPins.get(address) ?? []), { pin, bits: word }]);
  };
  for (const pin of pins) {
    const analog = adc.pads[pin.gpio];
    if (pin.pad !== null) {
      note(pin, pin.pad.address, [pin.pad.up, pin.pad.down, pin.pad.rtcFunction]);
    }
    if (analog !== undefined) {
      note(pin, analog.address, [analog.bit]);
    }
  }
  for (const [address, users] of bitsOfPins) {
    const allowed = users.reduce((sum, { pin, bits }) => (pin.locked === undefined ? sum | bits : sum), 0);
    add(address, within(allowed), ({ mask }) => [
      ...new Set(users.filter(({ bits }) => (bits & mask) !== 0).map(({ pin }) => pin.gpio)),
    ]);
  }
}

function within(allowed: number): Refusal {
  return ({ mask }) => ((mask & ~allowed) === 0 ? null : otherBits);
}

function unionOfMasks(entries: readonly RegisterEntry[]): ReadonlyMap<number, number> {
  const union = new Map<number, number>();
  for (const { address, mask } of entries) {
    union.set(address, ((union.get(address) ?? 0) | mask) >>> 0);
  }
  return union;
}

function gateBits({ gates }: LabChip, may: (bit: number) => boolean): number {
  return Object.values(gates.bits).reduce<number>((sum, bit) => (bit !== null && may(bit) ? sum | (1 << bit) : sum), 0);
}

function gateRefusal(chip: LabChip): Refusal {
  const allowed = within(gateBits(chip, () => true));
  const needed = gateBits(chip, (bit) => chip.gates.enableOnly.includes(bit));
  return (entry) =>
    allowed(entry) ??
    ((entry.mask & needed & ~entry.value) === 0 ? null : 'Without this clock the connection would be lost.');
}

/** Allows the whole source or none of it: a part of a pin's number would select another pin. */
function inputSelectRefusal({ pins, gpio }: LabChip): Refusal {
  const constants: readonly number[] = [gpio.constantHigh, gpio.constantLow];
  return ({ value, mask }) => {
    const chosen = mask & gpio.inputPinMask;
    if (chosen === 0) {
      return null;
    }
    if (chosen !== gpio.inputPinMask) {
      return 'Choose the whole number of the pin.';
    }
    const source = value & gpio.inputPinMask;
    if (constants.includes(source)) {
      return null;
    }
    const pin = pins.find((candidate) => candidate.gpio === source);
    return pin === undefined ? `This chip has no GPIO ${source}.` : (pin.locked ?? null);
  };
}

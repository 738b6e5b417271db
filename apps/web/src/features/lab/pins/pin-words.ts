/** Words for a pin: in the strip below the board, and for screen readers. */
import type { OwnedPin, PinFacts, PinLook, PinOwner } from '../../../protocol/lab-protocol.ts';

/** Port whose colour a pin has, by owner. Undefined: the colour of text. */
export const ownerPort = {
  pin: undefined,
  i2c: 1,
  uart: 2,
  spi: 3,
  adc: 4,
  pwm: 4,
  counter: 4,
} as const satisfies Record<PinOwner, 1 | 2 | 3 | 4 | undefined>;

export const ownerNames = {
  pin: 'Set by hand',
  i2c: 'I2C',
  uart: 'UART bridge',
  spi: 'SPI',
  adc: 'Analog',
  pwm: 'PWM',
  counter: 'Counter',
} satisfies Record<PinOwner, string>;

export const pullNames = {
  none: 'no pull',
  up: 'pull-up',
  down: 'pull-down',
  both: 'pull-up and pull-down',
} satisfies Record<PinLook['pull'], string>;

export const directionNames = {
  in: 'input',
  out: 'output',
  both: 'open drain',
  off: 'input off',
} satisfies Record<PinLook['direction'], string>;

export interface PinState {
  readonly facts: PinFacts;
  readonly owned: OwnedPin | null;
  readonly look: PinLook | null;
  /** Null while the level is unknown. */
  readonly high: boolean | null;
}

/** Returns null if the pin's input is off, because its bit then reads low at any level. */
export function readLevel(high: boolean | null, look: PinLook | null): boolean | null {
  return look?.direction === 'off' ? null : high;
}

/** Returns the label for screen readers: `GPIO 21, SDA of I2C, open drain, pull-up, high`. */
export function pinLabel({ facts, owned, look, high }: PinState): string {
  const { gpio, rule } = facts;
  if (rule === 'locked') {
    return `GPIO ${gpio}, locked`;
  }
  const isAnalog = owned?.owner === 'adc';
  return [
    `GPIO ${gpio}`,
    owned === null ? 'free' : owned.owner === 'pin' ? owned.label : `${owned.label} of ${ownerNames[owned.owner]}`,
    look === null || isAnalog ? '' : directionNames[look.direction],
    look === null || look.pull === 'none' ? '' : pullNames[look.pull],
    high === null || isAnalog ? '' : high ? 'high' : 'low',
    rule === 'warn' ? 'read the note before using it' : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Returns at most three free pins to use in place of a locked one. */
export function freePins(pins: readonly PinFacts[], owned: readonly OwnedPin[]): readonly number[] {
  return pins
    .filter(({ gpio, rule }) => rule === 'free' && !owned.some((one) => one.gpio === gpio))
    .slice(0, 3)
    .map(({ gpio }) => gpio);
}

/** Formats a list of pins: `13, 14 or 23`. */
export function listed(pins: readonly number[]): string {
  const last = pins.at(-1);
  return pins.length < 2 ? String(last ?? '') : `${pins.slice(0, -1).join(', ')} or ${last}`;
}

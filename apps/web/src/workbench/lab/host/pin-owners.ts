/** Whose each pin is: an instrument takes pins that nobody else has, and gives them back. */
import { LabError } from '@wirebench/lab';
import type { OwnedPin, PinOwner } from '../lab-protocol.ts';

const names = {
  pin: 'set by hand',
  adc: 'sampled',
  pwm: 'an output of PWM',
  i2c: 'used by I2C',
  uart: 'used by the UART bridge',
  spi: 'used by SPI',
} satisfies Record<PinOwner, string>;

/** A person makes what they like of these, one pin at a time. */
const byHand: readonly PinOwner[] = ['pin', 'adc', 'pwm'];

export class PinOwners {
  readonly #owned = new Map<number, OwnedPin>();

  /** In the order of GPIO numbers. */
  get list(): readonly OwnedPin[] {
    return [...this.#owned.values()].sort((one, two) => one.gpio - two.gpio);
  }

  of(owner: PinOwner): readonly OwnedPin[] {
    return this.list.filter((pin) => pin.owner === owner);
  }

  get(gpio: number): OwnedPin | undefined {
    return this.#owned.get(gpio);
  }

  /** @throws LabError `refused` when another instrument has it. */
  check(gpio: number, owner: PinOwner): void {
    const { owner: now = owner } = this.#owned.get(gpio) ?? {};
    if (now !== owner && !(byHand.includes(now) && byHand.includes(owner))) {
      throw new LabError('refused', { detail: `GPIO ${gpio} is ${names[now]}. Release it there first.` });
    }
  }

  set(pin: OwnedPin): void {
    this.#owned.set(pin.gpio, pin);
  }

  free(gpio: number): void {
    this.#owned.delete(gpio);
  }
}

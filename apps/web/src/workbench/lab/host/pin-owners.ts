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
  counter: 'counted',
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

  /**
   * Takes all of them or none, before anything is sent: nobody else can take one meanwhile.
   * @returns what gives them back as they were, where nobody has changed them since
   * @throws LabError `refused` when another instrument has one of them.
   */
  take(pins: readonly OwnedPin[]): () => void {
    for (const { gpio, owner } of pins) {
      this.check(gpio, owner);
    }
    const before = pins.map(({ gpio }) => this.#owned.get(gpio));
    for (const pin of pins) {
      this.set(pin);
    }
    return () => {
      for (const [index, pin] of pins.entries()) {
        if (this.#owned.get(pin.gpio) === pin) {
          const was = before[index];
          if (was === undefined) {
            this.free(pin.gpio);
          } else {
            this.set(was);
          }
        }
      }
    };
  }

  free(gpio: number): void {
    this.#owned.delete(gpio);
  }
}

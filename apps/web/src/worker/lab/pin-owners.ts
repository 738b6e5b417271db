/** Tracks the instrument that owns each pin. An instrument takes free pins and gives them back. */
import { LabError } from '@wirebench/lab';
import type { OwnedPin, PinOwner } from '../../protocol/lab-protocol.ts';

const names = {
  pin: 'set by hand',
  adc: 'sampled',
  pwm: 'an output of PWM',
  i2c: 'used by I2C',
  uart: 'used by the UART bridge',
  spi: 'used by SPI',
  counter: 'counted',
} satisfies Record<PinOwner, string>;

/** Uses that a person sets pin by pin. Each can replace another of them. */
const byHand: readonly PinOwner[] = ['pin', 'adc', 'pwm'];

export class PinOwners {
  readonly #owned = new Map<number, OwnedPin>();

  /** Sorted by GPIO number. */
  get list(): readonly OwnedPin[] {
    return [...this.#owned.values()].sort((one, two) => one.gpio - two.gpio);
  }

  of(owner: PinOwner): readonly OwnedPin[] {
    return this.list.filter((pin) => pin.owner === owner);
  }

  get(gpio: number): OwnedPin | undefined {
    return this.#owned.get(gpio);
  }

  /** @throws LabError `refused` if another instrument has the pin. */
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
   * Takes either all pins or no pin. Call it before commands are sent, so that no other instrument can take one of
   * them.
   *
   * @returns A function that restores the previous owners of pins that were not changed since.
   * @throws LabError `refused` if another instrument has one of them.
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

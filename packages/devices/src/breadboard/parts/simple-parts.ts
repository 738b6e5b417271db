/** Passive parts: a potentiometer, a button and an LED. */
import { type Drive, drives, type Net, SteadySource, strengths, supply } from '../net.ts';

/** A potentiometer of 10 kΩ between ground and the supply, with the wiper on a pin. */
export class Potentiometer {
  readonly #net: Net;
  readonly #now: () => number;
  readonly #source: SteadySource;
  #position: number;

  constructor(net: Net, now: () => number, position = 0.5) {
    this.#net = net;
    this.#now = now;
    this.#position = position;
    this.#source = new SteadySource(wiper(position));
    net.add(this.#source, now());
  }

  /** 0 (ground) to 1 (supply). */
  get position(): number {
    return this.#position;
  }

  /** @param position 0 (ground) to 1 (supply); clamped. */
  turn(position: number): void {
    this.#position = Math.max(0, Math.min(1, position));
    this.#net.change(this.#now(), () => this.#source.set(wiper(this.#position)));
  }
}

function wiper(position: number): Drive {
  return { volts: position * supply, strength: strengths.resistor };
}

/** A button between a pin and ground. It needs the chip's pull-up. */
export class Button {
  readonly #net: Net;
  readonly #now: () => number;
  readonly #source = new SteadySource();
  #pressed = false;

  constructor(net: Net, now: () => number) {
    this.#net = net;
    this.#now = now;
    net.add(this.#source, now());
  }

  get pressed(): boolean {
    return this.#pressed;
  }

  press(pressed = true): void {
    this.#pressed = pressed;
    this.#net.change(this.#now(), () => this.#source.set(pressed ? drives.ground : null));
  }
}

/** Milliseconds over which the eye averages a flickering light. */
const persistence = 20;

/** An LED with a resistor from a pin to ground. */
export class Led {
  readonly #net: Net;
  readonly #now: () => number;

  constructor(net: Net, now: () => number) {
    this.#net = net;
    this.#now = now;
    // A drive as strong as a resistor: a pad's pull-up alone does not light it.
    net.add(new SteadySource({ volts: 0, strength: strengths.resistor }), now());
  }

  /** Fraction of the time during which the LED is on, 0 to 1. */
  get brightness(): number {
    const now = this.#now();
    return this.#net.duty(now, now + persistence);
  }
}

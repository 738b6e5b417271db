/** Parts that are a resistor, a switch or a light. */
import { type Drive, drives, type Net, SteadySource, strengths, supply } from '../net.ts';

/** 10 kΩ between ground and the supply, the wiper on a pin. */
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

  /** 0 to 1. */
  get position(): number {
    return this.#position;
  }

  /** @param position 0 (ground) to 1 (supply); beyond the ends it stops. */
  turn(position: number): void {
    this.#position = Math.max(0, Math.min(1, position));
    this.#net.change(this.#now(), () => this.#source.set(wiper(this.#position)));
  }
}

function wiper(position: number): Drive {
  return { volts: position * supply, strength: strengths.resistor };
}

/** Between a pin and ground; the pull-up is the chip's. */
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

/** Milliseconds over which an eye does not see a light flicker. */
const persistence = 20;

/** From a pin over a resistor to ground. */
export class Led {
  readonly #net: Net;
  readonly #now: () => number;

  constructor(net: Net, now: () => number) {
    this.#net = net;
    this.#now = now;
    // It pulls down weakly, so that a pull of a pad alone does not light it.
    net.add(new SteadySource({ volts: 0, strength: strengths.resistor }), now());
  }

  /** 0 to 1: for how much of the time it is on. */
  get brightness(): number {
    const now = this.#now();
    return this.#net.duty(now, now + persistence);
  }
}

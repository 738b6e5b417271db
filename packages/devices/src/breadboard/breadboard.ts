/**
 * A breadboard beside a chip: a net for each of its pins, parts on the nets, and hands that press, turn, drive and short. It knows
 * nothing of what is in the chip; the chip adds its pads to the nets and takes them away when it loses power.
 *
 * Its times are milliseconds since it first had power, so that a nanosecond is not lost in the date.
 */
import type { Clock } from '@wirebench/clock';
import { I2cBus, type I2cTarget, SpiBus, type SpiTarget } from './buses.ts';
import { type Capture, startCapture } from './capture.ts';
import { type Drive, drives, Net, SteadySource, strengths } from './net.ts';

/** What has power of its own from the board. */
export interface Powered {
  /** The supply came at `time`: everything is as after a power-on reset. */
  powerUp(time: number): void;
}

/** What a hand can hold a pin at: a level, volts, or nothing. */
export type Hold = 'low' | 'high' | number | null;

export class Breadboard {
  readonly #nets = new Map<number, Net>();
  readonly #i2c: I2cBus[] = [];
  readonly #spi: SpiBus[] = [];
  readonly #powered: Powered[] = [];
  readonly #hands = new Map<number, SteadySource>();
  #clock: Clock | null = null;
  #origin: number | null = null;
  #latest = 0;

  /** Milliseconds since the board first had power. */
  get now(): number {
    if (this.#clock !== null && this.#origin !== null) {
      this.#latest = Math.max(this.#latest, this.#clock.now() - this.#origin);
    }
    return this.#latest;
  }

  /** The clock's time at which the board's began. */
  get origin(): number {
    return this.#origin ?? 0;
  }

  /** The supply comes, with the chip's. */
  powerUp(clock: Clock): void {
    this.#clock = clock;
    this.#origin ??= clock.now();
    for (const part of this.#powered) {
      part.powerUp(this.now);
    }
  }

  /** The net of a pin of the chip. */
  net(pin: number): Net {
    const known = this.#nets.get(pin);
    if (known !== undefined) {
      return known;
    }
    const net = new Net(`GPIO${pin}`);
    this.#nets.set(pin, net);
    return net;
  }

  /** A resistor of some kΩ from a pin to the supply. */
  pullUp(pin: number): void {
    this.net(pin).add(new SteadySource(drives.pullUp), this.now);
  }

  /** Connects parts to an I2C bus on two pins. The pull-ups are not part of it. */
  addI2c(sda: number, scl: number, targets: readonly (I2cTarget & Partial<Powered>)[]): void {
    this.#i2c.push(new I2cBus(this.net(sda), this.net(scl), targets, this.now));
    this.addPowered(targets);
  }

  addSpi(
    pins: { readonly clock: number; readonly out: number; readonly in: number; readonly select: number },
    target: SpiTarget & Partial<Powered>,
  ): void {
    const nets = {
      clock: this.net(pins.clock),
      out: this.net(pins.out),
      in: this.net(pins.in),
      select: this.net(pins.select),
    };
    this.#spi.push(new SpiBus(nets, target, this.now));
    this.addPowered([target]);
  }

  addPowered(parts: readonly Partial<Powered>[]): void {
    this.#powered.push(...parts.filter((part): part is Powered => part.powerUp !== undefined));
  }

  /** The buses that lead to these nets. */
  i2cBuses(sda: Net, scl: Net): readonly I2cBus[] {
    return this.#i2c.filter((bus) => bus.sda.isJoinedTo(sda) && bus.scl.isJoinedTo(scl));
  }

  /** The SPI parts whose clock and data input are on these nets. */
  spiBuses(clock: readonly Net[], out: readonly Net[]): readonly SpiBus[] {
    const among = (net: Net, nets: readonly Net[]) => nets.some((other) => net.isJoinedTo(other));
    return this.#spi.filter((bus) => among(bus.nets.clock, clock) && among(bus.nets.out, out));
  }

  /** Holds a pin from outside as an output or a voltage source would; null lets go of it. */
  hold(pin: number, at: Hold): void {
    this.#hand(
      pin,
      typeof at === 'number' ? { volts: at, strength: strengths.output } : at === null ? null : drives[at],
    );
  }

  /** Connects a pin to ground or the supply by a wire; `open` takes it away. */
  shortToGround(pin: number): void {
    this.#hand(pin, drives.ground);
  }

  shortToSupply(pin: number): void {
    this.#hand(pin, drives.supply);
  }

  /** Connects two pins by a wire. */
  short(one: number, other: number): void {
    this.net(one).join(this.net(other), this.now);
  }

  /** Takes away what `hold` and the shorts did to a pin. */
  open(pin: number): void {
    this.#hand(pin, null);
    this.net(pin).part(this.now);
  }

  /**
   * A target on the bus was cut off while it sent a 0: it holds SDA low until it has seen so many clocks.
   * @param clocks rising edges of SCL; Infinity: for ever.
   */
  stickI2c(sda: number, scl: number, clocks: number): void {
    const remove = this.net(sda).add(new SteadySource(drives.low), this.now);
    let seen = 0;
    const end = this.net(scl).listen(this.now, (time, level) => {
      seen += level;
      if (seen >= clocks) {
        end();
        remove(time);
      }
    });
  }

  /** Keeps the edges of a pin's net from now on, at most `limit`; older ones go first. */
  capture(pin: number, limit = 100_000): Capture {
    return startCapture(this.net(pin), () => this.now, limit);
  }

  #hand(pin: number, drive: Drive | null): void {
    const net = this.net(pin);
    let hand = this.#hands.get(pin);
    if (hand === undefined) {
      hand = new SteadySource();
      this.#hands.set(pin, hand);
      net.add(hand, this.now);
    }
    const source = hand;
    net.change(this.now, () => source.set(drive));
  }
}

/**
 * A breadboard beside a chip: a net for each pin of the chip, parts on the nets, and the user's actions (press, turn,
 * drive, short). The chip adds its pads to the nets and removes them when it loses power.
 *
 * Times are milliseconds since the breadboard first had power. Milliseconds since 1970 would leave no digits for
 * nanoseconds.
 */
import type { Clock } from '@wirebench/clock';
import { I2cBus, type I2cTarget, SpiBus, type SpiTarget } from './buses.ts';
import { type Drive, drives, type Level, Net, SteadySource, strengths } from './net.ts';

/** A part with state that is lost without power. */
export interface Powered {
  /** Called when the supply comes, at `time`: the part does its power-on reset. */
  powerUp(time: number): void;
}

/** Drive that the user applies to a pin: a level, a voltage in volts, or null for none. */
export type Hold = 'low' | 'high' | number | null;

interface Edge {
  /** Milliseconds of the board's clock. */
  readonly time: number;
  readonly level: Level;
}

interface Capture {
  /** The level before the first kept edge. */
  readonly before: Level;
  /** Number of oldest edges dropped because of the limit. */
  readonly dropped: number;
  /** Returns all kept edges up to now, in order. */
  edges(): readonly Edge[];
  stop(): void;
}

/** A bounded recording of the edges of a net. */
function startCapture(net: Net, now: () => number, limit: number): Capture {
  let kept: Edge[] = [];
  let dropped = 0;
  let before = net.level(now());
  const trim = () => {
    const excess = kept.length - limit;
    if (excess > 0) {
      before = kept[excess - 1]?.level ?? before;
      kept = kept.slice(excess);
      dropped += excess;
    }
  };
  const end = net.listen(now(), (time, level) => {
    kept.push({ time, level });
    if (kept.length >= limit * 2) {
      trim();
    }
  });
  let stopped = false;
  return {
    get before() {
      return before;
    },
    get dropped() {
      return dropped;
    },
    edges: () => {
      if (!stopped) {
        net.settle(now());
      }
      trim();
      return kept;
    },
    stop: () => {
      net.settle(now());
      stopped = true;
      end();
    },
  };
}

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

  /** The clock's time at which the breadboard's time is 0, in milliseconds since the Unix epoch. */
  get origin(): number {
    return this.#origin ?? 0;
  }

  /** Powers all parts. Called when the chip gets power. */
  powerUp(clock: Clock): void {
    this.#clock = clock;
    this.#origin ??= clock.now();
    for (const part of this.#powered) {
      part.powerUp(this.now);
    }
  }

  /** Returns the net of a pin of the chip, created on first use. */
  net(pin: number): Net {
    const known = this.#nets.get(pin);
    if (known !== undefined) {
      return known;
    }
    const net = new Net(`GPIO${pin}`);
    this.#nets.set(pin, net);
    return net;
  }

  /** Adds a resistor of some kΩ from a pin to the supply. */
  pullUp(pin: number): void {
    this.net(pin).add(new SteadySource(drives.pullUp), this.now);
  }

  /** Connects parts to an I2C bus on two pins. Pull-ups must be added separately. */
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

  /** Returns the buses on these nets. */
  i2cBuses(sda: Net, scl: Net): readonly I2cBus[] {
    return this.#i2c.filter((bus) => bus.sda.isJoinedTo(sda) && bus.scl.isJoinedTo(scl));
  }

  /** Returns the buses whose clock and data input (`out` of the chip) are on these nets. */
  spiBuses(clock: readonly Net[], out: readonly Net[]): readonly SpiBus[] {
    const among = (net: Net, nets: readonly Net[]) => nets.some((other) => net.isJoinedTo(other));
    return this.#spi.filter((bus) => among(bus.nets.clock, clock) && among(bus.nets.out, out));
  }

  /** Drives a pin from outside, as an output or a voltage source would; null ends that. */
  hold(pin: number, at: Hold): void {
    this.#hand(
      pin,
      typeof at === 'number' ? { volts: at, strength: strengths.output } : at === null ? null : drives[at],
    );
  }

  /** Connects a pin to ground by a wire; `open` removes it. */
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

  /** Undoes `hold` and all shorts of a pin. */
  open(pin: number): void {
    this.#hand(pin, null);
    this.net(pin).part(this.now);
  }

  /**
   * Simulates a target that was interrupted while it sent a 0: it holds SDA low until it has seen some clocks.
   * @param clocks Rising edges of SCL until the release. Infinity: never released.
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

  /** Records the edges of a pin's net from now on. Keeps the latest `limit` edges. */
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

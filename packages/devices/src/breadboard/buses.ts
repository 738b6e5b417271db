/**
 * Buses of the breadboard: what a master's transfer does to the parts, byte by byte, and what the parts drive meanwhile. The master
 * makes its own signals and says when each bit is.
 */
import type { Level, Net } from './net.ts';
import { SignalSource, Wave } from './wave.ts';

/** A part on an I2C bus (NXP UM10204, section 3.1). Times are milliseconds of the board's clock. */
export interface I2cTarget {
  /** Seven bits. */
  readonly address: number;
  /** Its address came after a start. True: acknowledged. */
  select(reading: boolean, time: number): boolean;
  /** A byte came. True: acknowledged. */
  write(byte: number, time: number): boolean;
  /** The next byte to send. */
  read(time: number): number;
  /** The transfer ended with a stop. */
  stop?(time: number): void;
}

export class I2cBus {
  readonly sda: Net;
  readonly scl: Net;
  readonly #targets: readonly I2cTarget[];
  readonly #wave = new Wave(1, true);
  #selected: readonly I2cTarget[] = [];

  constructor(sda: Net, scl: Net, targets: readonly I2cTarget[], time: number) {
    this.sda = sda;
    this.scl = scl;
    this.#targets = targets;
    sda.add(new SignalSource(this.#wave), time);
  }

  /** The first byte after a start: seven bits of address and the direction. Whether somebody acknowledged. */
  address(byte: number, time: number): boolean {
    const called = this.#targets.filter(({ address }) => address === byte >> 1);
    this.#selected = called.filter((target) => target.select((byte & 1) === 1, time));
    return this.#selected.length > 0;
  }

  write(byte: number, time: number): boolean {
    return this.#selected.filter((target) => target.write(byte, time)).length > 0;
  }

  /** What all selected targets send together. */
  read(time: number): number {
    return this.#selected.reduce((all, target) => all & target.read(time), 0xff);
  }

  stop(time: number): void {
    for (const target of this.#selected) {
      target.stop?.(time);
    }
    this.#selected = [];
  }

  /** The targets drive SDA to `level` from `time` on. */
  drive(time: number, level: Level): void {
    this.#wave.push(time, level);
  }

  /** Forget the drives before `time`. */
  settle(time: number): void {
    this.sda.settle(time);
    this.#wave.forget(time);
  }

  /** The targets let go of the bus. */
  release(time: number): void {
    this.sda.change(time, () => this.#wave.cut(time, 1));
    this.#selected = [];
  }
}

/** A part on an SPI bus, full duplex. */
export interface SpiTarget {
  /** The edges on which it samples: modes 0 and 3 are the same to most parts. */
  readonly modes: readonly number[];
  /** Chip select went low. */
  select(time: number): void;
  /** A byte came, while the one returned was sent. */
  exchange(byte: number, time: number): number;
  /** Chip select went high. */
  deselect?(time: number): void;
}

interface SpiNets {
  readonly clock: Net;
  readonly out: Net;
  readonly in: Net;
  readonly select: Net;
}

export class SpiBus {
  readonly nets: SpiNets;
  readonly target: SpiTarget;
  readonly #wave = new Wave(0);

  constructor(nets: SpiNets, target: SpiTarget, time: number) {
    this.nets = nets;
    this.target = target;
    // Only while it is selected; otherwise its output is off.
    const source = new SignalSource(this.#wave);
    const selected = (at: number) => nets.select.level(at) === 0;
    nets.in.add(
      {
        drive: (at) => (selected(at) ? source.drive(at) : null),
        next: (at) => source.next(at),
      },
      time,
    );
  }

  drive(time: number, level: Level): void {
    this.#wave.push(time, level);
  }

  settle(time: number): void {
    this.nets.in.settle(time);
    this.#wave.forget(time);
  }
}

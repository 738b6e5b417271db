/**
 * Buses of the breadboard. A master calls them for each byte of a transfer and for each bit that the parts drive. The
 * master generates its own signals and gives the time of each bit.
 */
import type { Level, Net } from './net.ts';
import { SignalSource, Wave } from './wave.ts';

/** A part on an I2C bus (NXP UM10204, section 3.1). Times are milliseconds of the board's clock. */
export interface I2cTarget {
  /** Seven bits, without the direction. */
  readonly address: number;
  /** Called with a start and the target's address. Returns true to acknowledge. */
  select(reading: boolean, time: number): boolean;
  /** Receives a byte. Returns true to acknowledge. */
  write(byte: number, time: number): boolean;
  /** Returns the next byte to send. */
  read(time: number): number;
  /** Called at the stop condition of a transfer. */
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

  /**
   * Selects the targets of the first byte after a start. Returns true if a target acknowledged.
   * @param byte Seven bits of address, then the direction in bit 0.
   */
  address(byte: number, time: number): boolean {
    const called = this.#targets.filter(({ address }) => address === byte >> 1);
    this.#selected = called.filter((target) => target.select((byte & 1) === 1, time));
    return this.#selected.length > 0;
  }

  write(byte: number, time: number): boolean {
    return this.#selected.filter((target) => target.write(byte, time)).length > 0;
  }

  /** Returns the wired AND of the bytes of all selected targets. */
  read(time: number): number {
    return this.#selected.reduce((all, target) => all & target.read(time), 0xff);
  }

  stop(time: number): void {
    for (const target of this.#selected) {
      target.stop?.(time);
    }
    this.#selected = [];
  }

  /** Drives SDA to `level` on behalf of the targets from `time` on. */
  drive(time: number, level: Level): void {
    this.#wave.push(time, level);
  }

  /** Reports all edges up to `time`, then forgets the drives before it. */
  settle(time: number): void {
    this.sda.settle(time);
    this.#wave.forget(time);
  }

  /** Releases SDA and deselects all targets. */
  release(time: number): void {
    this.sda.change(time, () => this.#wave.cut(time, 1));
    this.#selected = [];
  }
}

/** A part on an SPI bus, full duplex. */
export interface SpiTarget {
  /** SPI modes that the part supports. Most parts sample on the same edges in modes 0 and 3. */
  readonly modes: readonly number[];
  /** Called when chip select goes low. */
  select(time: number): void;
  /** Receives a byte. Returns the byte that the part sends at the same time. */
  exchange(byte: number, time: number): number;
  /** Called when chip select goes high. */
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
    // The part's output is off unless it is selected.
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

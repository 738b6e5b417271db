/** Draws the levels of a bus, for the tests of the decoders. */
import type { Wave } from '../decode/wave.ts';

export class WaveDrawing {
  readonly #isHighAtFirst: boolean;
  readonly #edges: number[] = [];
  #isHigh: boolean;

  constructor(isHigh: boolean) {
    this.#isHighAtFirst = isHigh;
    this.#isHigh = isHigh;
  }

  set(isHigh: boolean, at: number): void {
    if (isHigh !== this.#isHigh) {
      this.#edges.push(at);
      this.#isHigh = isHigh;
    }
  }

  wave(end: number): Wave {
    return { isHighAtFirst: this.#isHighAtFirst, edges: this.#edges, end };
  }
}

/** SCL and SDA of a master at 100 kHz. */
export class I2cDrawing {
  readonly #scl: WaveDrawing;
  readonly #sda = new WaveDrawing(true);
  #now = 10_000;

  /**
   * Starts a drawing.
   *
   * @param isIdle False: it begins while the clock is low.
   */
  constructor(isIdle = true) {
    this.#scl = new WaveDrawing(isIdle);
  }

  /** Draws a start or repeated start. */
  start(): this {
    this.#step({ sda: true }).#step({ scl: true }).#step({ sda: false });
    return this.#step({ scl: false });
  }

  stop(): this {
    return this.#step({ sda: false }).#step({ scl: true }).#step({ sda: true });
  }

  bit(isHigh: boolean, stretched = 0): this {
    this.#step({ sda: isHigh });
    this.#now += stretched;
    return this.#step({ scl: true }).#step({}).#step({ scl: false });
  }

  /**
   * Draws a byte and its acknowledge bit.
   *
   * @param stretched Nanoseconds that the clock is held low before the acknowledge bit.
   */
  byte(value: number, isAcknowledged = true, stretched = 0): this {
    for (let bit = 7; bit >= 0; bit--) {
      this.bit(((value >> bit) & 1) === 1);
    }
    return this.bit(!isAcknowledged, stretched);
  }

  waves(): [scl: Wave, sda: Wave] {
    return [this.#scl.wave(this.#now + 10_000), this.#sda.wave(this.#now + 10_000)];
  }

  #step({ scl, sda }: { scl?: boolean; sda?: boolean }): this {
    if (scl !== undefined) {
      this.#scl.set(scl, this.#now);
    }
    if (sda !== undefined) {
      this.#sda.set(sda, this.#now);
    }
    this.#now += 2_500;
    return this;
  }
}

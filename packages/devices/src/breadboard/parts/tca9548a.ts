/**
 * TCA9548A, a switch for eight I2C buses. Texas Instruments SCPS207, section 8.5: it has one register, which receives
 * every written byte.
 */
import type { I2cTarget } from '../buses.ts';

export class Tca9548a implements I2cTarget {
  readonly address: number;
  /** The register in effect, one bit for each bus. A written value takes effect at the stop. */
  control = 0;
  /** Every byte written since power-on, in order. */
  readonly written: number[] = [];
  #next: number | null = null;

  /** @param address 0x70 to 0x77, set by three pins. */
  constructor(address = 0x70) {
    this.address = address;
  }

  powerUp(): void {
    this.control = 0;
    this.written.length = 0;
  }

  select(): boolean {
    return true;
  }

  write(byte: number): boolean {
    this.#next = byte;
    this.written.push(byte);
    return true;
  }

  read(): number {
    return this.#next ?? this.control;
  }

  stop(): void {
    this.control = this.#next ?? this.control;
    this.#next = null;
  }
}

/** TCA9548A, a switch for eight I2C buses. Texas Instruments SCPS207, section 8.5: one register, which every byte written goes into. */
import type { I2cTarget } from '../buses.ts';

export class Tca9548a implements I2cTarget {
  readonly address: number;
  /** A bit for each bus; what was written takes effect with the stop. */
  control = 0;
  /** Every byte that was written since power came, in their order. */
  readonly written: number[] = [];
  #next: number | null = null;

  /** @param address 0x70 to 0x77, by three pins. */
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

/**
 * The common protocol of most I2C parts. The first written byte is a register number. Further bytes go to that
 * register and the following ones. Reads start at the same number.
 */
import type { I2cTarget } from '../buses.ts';

export abstract class RegisterTarget implements I2cTarget {
  abstract readonly address: number;
  protected pointer = 0;
  #pointed = false;

  select(reading: boolean): boolean {
    this.#pointed = reading;
    return true;
  }

  write(byte: number, time: number): boolean {
    if (this.#pointed) {
      this.writeByte(byte, time);
    } else {
      this.#pointed = true;
      this.pointer = byte;
      this.beginAt?.(byte);
    }
    return true;
  }

  read(time: number): number {
    return this.readByte(time) & 0xff;
  }

  /** Called when a write selects a register. */
  protected beginAt?(register: number): void;

  /** Writes a byte to the register at `pointer`, and advances `pointer`. */
  protected abstract writeByte(byte: number, time: number): void;

  /** Returns the byte at `pointer`, and advances `pointer`. */
  protected abstract readByte(time: number): number;
}

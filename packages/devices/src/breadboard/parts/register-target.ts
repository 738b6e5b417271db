/**
 * What most I2C parts have in common: the first byte written is the number of a register, the others go into it and those after it,
 * and what is read comes from there on.
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

  /** A register was named. */
  protected beginAt?(register: number): void;

  /** A byte for the register at the pointer, which it moves. */
  protected abstract writeByte(byte: number, time: number): void;

  /** The byte at the pointer, which it moves. */
  protected abstract readByte(time: number): number;
}

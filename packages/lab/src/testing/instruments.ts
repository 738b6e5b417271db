/** Macros that only tests need: registers of devices on I2C, and the level of a pin. */
import type { LabChip } from '../chips/lab-chip.ts';
import { type I2cResult, i2cTransfer } from '../instruments/i2c.ts';
import { drivablePin, levelEntry } from '../instruments/routing.ts';
import { type Macro, setting } from '../macro.ts';

/**
 * Sets the level of a pin that is already an output.
 *
 * @throws LabError `refused`
 */
export function setLevel(chip: LabChip, gpio: number, high: boolean): Macro<void> {
  drivablePin(chip, gpio);
  return setting(`GPIO ${gpio}: ${high ? 'high' : 'low'}`, [levelEntry(chip, gpio, high)]);
}

export interface I2cRegister {
  readonly address: number;
  /** Number of the register in the device. */
  readonly register: number;
  /** Size of the register's number in bytes, highest byte first; defaults to 1. */
  readonly registerSize?: 1 | 2;
  /** Hz. */
  readonly clock: number;
}

/** Writes the register's number, then reads `length` bytes after a repeated start. */
export function i2cReadRegister(chip: LabChip, at: I2cRegister, length: number): Macro<I2cResult> {
  return i2cTransfer(chip, { address: at.address, write: registerBytes(at), read: length, clock: at.clock });
}

/** Writes the register's number and `bytes` in one transfer. */
export function i2cWriteRegister(chip: LabChip, at: I2cRegister, bytes: Uint8Array): Macro<I2cResult> {
  const write = Uint8Array.of(...registerBytes(at), ...bytes);
  return i2cTransfer(chip, { address: at.address, write, read: 0, clock: at.clock });
}

function registerBytes({ register, registerSize = 1 }: I2cRegister): Uint8Array {
  return registerSize === 1 ? Uint8Array.of(register) : Uint8Array.of(register >>> 8, register & 0xff);
}

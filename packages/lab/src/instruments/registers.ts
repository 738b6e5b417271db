/** Registers by address and by name: reading and writing. The policy decides which addresses are allowed. */
import type { LabChip } from '../chips/lab-chip.ts';
import { entry, hexNumber, type Macro, setting, wordAt } from '../macro.ts';
import { policyOf } from '../policy/policy.ts';

/**
 * Reads registers in the order of `addresses`. The runner repeats it only if no register loses its content by
 * reading, such as a FIFO.
 */
export function readRegisters(chip: LabChip, addresses: readonly number[]): Macro<readonly number[]> {
  const takes = new Set(
    chip.registers
      .flatMap(({ registers }) => registers.filter(({ readTakes }) => readTakes))
      .map((found) => found.address),
  );
  return {
    title: `Registers: read ${addresses.length === 1 ? hexNumber(addresses[0] ?? 0, 8) : addresses.length}`,
    steps: [{ kind: 'read', addresses }],
    repeatable: !addresses.some((address) => takes.has(address)),
    value: (words) => addresses.map((_, index) => wordAt(words, index)),
  };
}

/**
 * Writes a register. The ROM reads it before every write, also without a mask.
 *
 * @param mask Bits to change; defaults to all.
 */
export function writeRegister(address: number, value: number, mask?: number): Macro<void> {
  const entries = [entry(address, value, mask === undefined ? {} : { mask })];
  return { ...setting(`Registers: write ${hexNumber(address, 8)}`, entries), repeatable: false };
}

/** Returns the pins that such a write can drive, pull or route. */
export function pinsMovedBy(chip: LabChip, address: number, value: number, mask: number): readonly number[] {
  return policyOf(chip).pinsMovedBy(entry(address, value, { mask }));
}

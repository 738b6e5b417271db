/** Registers by address and by name: reading, writing, and their fields. The policy decides what may be reached. */
import type { LabChip } from '../chips/lab-chip.ts';
import type { RegisterField } from '../chips/named-register.ts';
import { entry, hexNumber, type Macro, setting, wordAt } from '../macro.ts';
import { policyOf } from '../policy/policy.ts';

/** In the order of `addresses`. Reading takes bytes from FIFOs: never repeated by the runner where a register says so. */
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

/** @param mask bits to change; all when left out. The ROM reads the register before it writes it, in any case. */
export function writeRegister(address: number, value: number, mask?: number): Macro<void> {
  const entries = [entry(address, value, mask === undefined ? {} : { mask })];
  return { ...setting(`Registers: write ${hexNumber(address, 8)}`, entries), repeatable: false };
}

/** Pins that such a write can drive, pull or route. */
export function pinsMovedBy(chip: LabChip, address: number, value: number, mask: number): readonly number[] {
  return policyOf(chip).pinsMovedBy(entry(address, value, { mask }));
}

export function fieldOf(word: number, { from, bits }: RegisterField): number {
  return (word >>> from) & (2 ** bits - 1);
}

/** Bits of a field in its register. */
export function fieldMask({ from, bits }: RegisterField): number {
  return ((2 ** bits - 1) * 2 ** from) >>> 0;
}

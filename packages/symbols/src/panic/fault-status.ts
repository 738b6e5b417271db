/** Combines the status registers of a Cortex-M fault, which firmware prints in any order, and explains them. */
import {
  causesOfCfsr,
  causesOfHfsr,
  type FaultBit,
  faultSentences,
  hasBit,
  unnamedBits,
  validAddress,
} from './cortex-m-faults.ts';
import { usedAddressSentence } from './used-address.ts';

/** Values by the short names of registers in lower case, such as `pc` and `cfsr`. */
export type FaultRegisters = ReadonlyMap<string, number>;

/** Status registers of a fault, collected line by line. */
export class FaultStatus {
  readonly #values = new Map<string, number>();

  clear(): void {
    this.#values.clear();
  }

  /** All registers from the lines so far. */
  get values(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#values);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Adds the registers of a line. Returns sentences about the cause that they add; undefined if they add none. */
  add(registers: FaultRegisters): string | undefined {
    const before = this.#sentences();
    for (const [name, value] of registers) {
      this.#values.set(name, value);
    }
    const found = this.#sentences().filter((sentence) => !before.includes(sentence));
    return found.length === 0 ? undefined : found.join(' ');
  }

  #sentences(): string[] {
    const cfsr = this.#cfsr();
    const causes: FaultBit[] = [...causesOfCfsr(cfsr), ...causesOfHfsr(this.#values.get('hfsr') ?? 0)];
    const unnamed = unnamedBits(cfsr);
    return [
      ...new Set(causes.map((bit) => faultSentences[bit])),
      ...(unnamed === undefined ? [] : [unnamed]),
      ...this.#addresses(cfsr),
    ];
  }

  /** Returns CFSR, or combines its parts MMFSR, BFSR and UFSR. */
  #cfsr(): number {
    const part = (name: string, shift: number) => (this.#values.get(name) ?? 0) << shift;
    return this.#values.get('cfsr') ?? (part('mmfsr', 0) | part('bfsr', 8) | part('ufsr', 16)) >>> 0;
  }

  /**
   * Returns sentences about MMFAR and BFAR, which are undefined unless CFSR marks them as valid. Both are often the
   * same register.
   */
  #addresses(cfsr: number): string[] {
    return (['mmfar', 'bfar'] as const).flatMap((name) => {
      const value = this.#values.get(name);
      return value !== undefined && hasBit(cfsr, validAddress[name]) ? [usedAddressSentence(name, value)] : [];
    });
  }
}

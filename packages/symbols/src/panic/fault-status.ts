/** Puts the status registers of a Cortex-M's fault together, which firmware prints in any order, and says what they mean. */
import { causesOfCfsr, causesOfHfsr, type FaultBit, faultSentences, hasBit, validAddress } from './cortex-m-faults.ts';
import { usedAddressSentence } from './used-address.ts';

/** By their short names in small letters, such as `pc` and `cfsr`. */
export type FaultRegisters = ReadonlyMap<string, number>;

/** The status registers of a fault, as far as lines have named them. */
export class FaultStatus {
  readonly #values = new Map<string, number>();

  clear(): void {
    this.#values.clear();
  }

  /** All registers that lines have named so far. */
  get values(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#values);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Takes the registers of the next line. Returns what they say of the cause; undefined where they say nothing new. */
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
    return [...new Set(causes.map((bit) => faultSentences[bit])), ...this.#addresses(cfsr)];
  }

  /** Whole, or of its three parts: MMFSR, BFSR and UFSR. */
  #cfsr(): number {
    const part = (name: string, shift: number) => (this.#values.get(name) ?? 0) << shift;
    return this.#values.get('cfsr') ?? (part('mmfsr', 0) | part('bfsr', 8) | part('ufsr', 16)) >>> 0;
  }

  /** MMFAR and BFAR hold anything unless CFSR says that they are valid. Both are often the same register. */
  #addresses(cfsr: number): string[] {
    return (['mmfar', 'bfar'] as const).flatMap((name) => {
      const value = this.#values.get(name);
      return value !== undefined && hasBit(cfsr, validAddress[name]) ? [usedAddressSentence(name, value)] : [];
    });
  }
}

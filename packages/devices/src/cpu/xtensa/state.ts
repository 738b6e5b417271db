/** The state of Xtensa instructions, and the fields of an instruction. */
import type { Bus } from '../bus.ts';
import { specialsAt } from '../cpu.ts';

/** Index of SAR in `registers`: the distance of SLL, SRL, SRA and SRC, 0 to 63. */
export const sarAt = specialsAt;

export interface XtensaState {
  /** a0 to a15, followed by the special entries of `cpu.ts`. */
  readonly registers: Int32Array;
  readonly bus: Bus;
  /** Returns null for unknown and for write-only special registers. */
  readSpecial(number: number): number | null;
  writeSpecial(number: number, value: number): boolean;
  /** Sets LBEG, LEND and LCOUNT. */
  loop(begin: number, end: number, count: number): void;
  /** SCOMPARE1: the value that a word must have for S32C1I to overwrite it. */
  readonly compareValue: number;
  /** Sets PS.INTLEVEL. Returns the previous PS. */
  setInterruptLevel(level: number): number;
  waitForInterrupt(level: number): void;
  /** Executes RFE or RFI. Returns false for unknown levels. */
  leaveException(level: number): boolean;
  /** @throws CpuFault always. */
  fail(code: 'illegal-instruction' | 'breakpoint' | 'system-call' | 'divided-by-zero'): never;
}

export type Execute = (state: XtensaState) => void;

/**
 * An instruction with the fields of the manual's formats, all unsigned ("Xtensa Instruction Set Architecture (ISA)
 * Reference Manual", section 7.1 "Instruction Formats"; little-endian).
 */
export interface Fields {
  readonly word: number;
  /** Address of the instruction. */
  readonly pc: number;
  readonly t: number;
  readonly s: number;
  readonly r: number;
  readonly op1: number;
  readonly op2: number;
  /** The upper and the lower half of `t`. */
  readonly m: number;
  readonly n: number;
  readonly imm8: number;
}

export function fieldsOf(word: number, pc: number): Fields {
  const t = (word >> 4) & 15;
  return {
    word,
    pc,
    t,
    s: (word >> 8) & 15,
    r: (word >> 12) & 15,
    op1: (word >> 16) & 15,
    op2: (word >> 20) & 15,
    m: t >> 2,
    n: t & 3,
    imm8: (word >> 16) & 0xff,
  };
}

/** Sign-extends the lowest `bits` bits of `value`. */
export function signed(value: number, bits: number): number {
  return (value << (32 - bits)) >> (32 - bits);
}

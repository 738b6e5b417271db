/** What Xtensa instructions work on, and how an instruction is taken apart. */
import type { Bus } from '../bus.ts';
import { specialsAt } from '../cpu.ts';

/** The place of SAR in `registers`: how far SLL, SRL, SRA and SRC shift, 0 to 63. */
export const sarAt = specialsAt;

export interface XtensaState {
  /** a0 to a15, and what `cpu.ts` keeps behind them. */
  readonly registers: Int32Array;
  readonly bus: Bus;
  /** Null where there is no such special register, or none that can be read. */
  readSpecial(number: number): number | null;
  writeSpecial(number: number, value: number): boolean;
  /** Sets LBEG, LEND and LCOUNT. */
  loop(begin: number, end: number, count: number): void;
  /** The value of the word in memory that S32C1I writes over. */
  readonly compareValue: number;
  /** Sets PS.INTLEVEL, and gives what PS was. */
  setInterruptLevel(level: number): number;
  waitForInterrupt(level: number): void;
  /** RFE and RFI; false where there is no such level. */
  leaveException(level: number): boolean;
  /** @throws CpuFault always */
  fail(code: 'illegal-instruction' | 'breakpoint' | 'system-call' | 'divided-by-zero'): never;
}

export type Execute = (state: XtensaState) => void;

/**
 * An instruction with the fields of the manual's formats. All are unsigned.
 * ("Xtensa Instruction Set Architecture (ISA) Reference Manual", section 7.1 "Instruction Formats"; little-endian.)
 */
export interface Fields {
  readonly word: number;
  /** Where it stands. */
  readonly pc: number;
  readonly t: number;
  readonly s: number;
  readonly r: number;
  readonly op1: number;
  readonly op2: number;
  /** The two halves of `t`. */
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

/** `value` with its lowest `bits` bits taken as a signed number. */
export function signed(value: number, bits: number): number {
  return (value << (32 - bits)) >> (32 - bits);
}

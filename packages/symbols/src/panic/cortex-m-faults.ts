/**
 * Names the causes of ARM Cortex-M faults from bits of the status registers. Sources: ARMv7-M Architecture Reference
 * Manual (DDI 0403E.e of 2021), B3.2.15 (CFSR) and B3.2.16 (HFSR); ARMv8-M Architecture Reference Manual (DDI 0553),
 * D1.2 (UFSR.STKOF). The bits have not changed since these architectures were published.
 */
import { wordText } from '../word-text.ts';

const badJump =
  'The program jumped to a place that holds no code: check function pointers, callbacks and return addresses that were overwritten.';
const stackUse =
  'The stack has no room left for an exception, or the stack pointer is wrong: give the stack more room, and check arrays on it.';
const stackReturn =
  'The stack was overwritten while an exception was being handled, or the stack pointer is wrong: check arrays on the stack.';
const lazyFloat = 'The place on the stack for floating-point registers cannot be used: check the size of the stack.';

export const faultSentences = {
  IACCVIOL: badJump,
  DACCVIOL:
    'The program used memory that the memory protection forbids: most often through a null pointer, one that is no longer valid, or a stack that overflowed.',
  MUNSTKERR: stackReturn,
  MSTKERR: stackUse,
  MLSPERR: lazyFloat,
  IBUSERR: badJump,
  PRECISERR:
    'The program used an address at which nothing answers: most often through a null pointer, one that is no longer valid, or a peripheral without a clock.',
  IMPRECISERR:
    'The program wrote to an address at which nothing answers. The processor noticed it later: the write is before the address that it names.',
  UNSTKERR: stackReturn,
  STKERR: stackUse,
  LSPERR: lazyFloat,
  UNDEFINSTR:
    'The processor hit an invalid instruction: check function pointers, and that functions with a result return one.',
  INVSTATE:
    'The program jumped to an address without the bit for Thumb code: most often a function pointer that is null or was overwritten.',
  INVPC: 'The return from an exception failed: most often the stack was overwritten while it was being handled.',
  NOCP: 'The program used the floating-point unit while it is switched off: enable it at the start, or build without it.',
  STKOF: 'The stack overflowed: give it more room, or keep large variables off it.',
  UNALIGNED:
    'The program used a number at an address that is not a multiple of its size: check casts of pointers and packed structures.',
  DIVBYZERO: 'The program divided a whole number by zero: check the divisor.',
  VECTTBL: 'The processor could not read the table of interrupt handlers: check where VTOR points.',
  DEBUGEVT: 'The program hit a breakpoint while no debugger was connected: often a failed assertion.',
} as const satisfies Record<string, string>;

export type FaultBit = keyof typeof faultSentences;

const bits: readonly (readonly [number, FaultBit])[] = [
  [0, 'IACCVIOL'],
  [1, 'DACCVIOL'],
  [3, 'MUNSTKERR'],
  [4, 'MSTKERR'],
  [5, 'MLSPERR'],
  [8, 'IBUSERR'],
  [9, 'PRECISERR'],
  [10, 'IMPRECISERR'],
  [11, 'UNSTKERR'],
  [12, 'STKERR'],
  [13, 'LSPERR'],
  [16, 'UNDEFINSTR'],
  [17, 'INVSTATE'],
  [18, 'INVPC'],
  [19, 'NOCP'],
  [20, 'STKOF'],
  [24, 'UNALIGNED'],
  [25, 'DIVBYZERO'],
];
/** Bits of CFSR that mark the contents of MMFAR and BFAR as valid. */
export const validAddress = { mmfar: 7, bfar: 15 } as const;

export const hasBit = (value: number, bit: number): boolean => ((value >>> bit) & 1) === 1;

/** Returns the causes in CFSR, in the order of its bits. */
export function causesOfCfsr(value: number): FaultBit[] {
  return bits.filter(([bit]) => hasBit(value, bit)).map(([, name]) => name);
}

const namedBits = bits.reduce((all, [bit]) => all | (1 << bit), (1 << validAddress.mmfar) | (1 << validAddress.bfar));

/** Returns a sentence about bits of CFSR that ARM's manuals do not name; undefined without any. */
export function unnamedBits(value: number): string | undefined {
  const rest = (value & ~namedBits) >>> 0;
  return rest === 0 ? undefined : `CFSR has bits that are not in ARM's manuals: ${wordText(rest)}.`;
}

/** Returns the causes that only HFSR has. The cause of a forced hard fault is in CFSR. */
export function causesOfHfsr(value: number): FaultBit[] {
  return [...(hasBit(value, 1) ? (['VECTTBL'] as const) : []), ...(hasBit(value, 31) ? (['DEBUGEVT'] as const) : [])];
}

/**
 * Explains fatal errors of Zephyr's kernel. Sources: Zephyr 012b224e, `include/zephyr/fatal_types.h` (0 to 4),
 * `include/zephyr/arch/arm/arch.h` (16 to 36, Cortex-M; `K_ERR_ARM_…`), and the documentation, "Fatal Errors".
 */
import type { CoreMachine } from '../core/core-dump.ts';
import { type FaultBit, faultSentences } from './cortex-m-faults.ts';

export interface FatalReason {
  /** Zephyr's name. */
  readonly name: string;
  readonly sentence: string;
}

const reasons: readonly FatalReason[] = [
  {
    name: 'CPU exception',
    sentence:
      'The processor stopped the program with an exception that nothing handles: the lines before name its cause.',
  },
  {
    name: 'Unhandled interrupt',
    sentence:
      'An interrupt arrived that nothing handles: check which interrupts the program enables, and how they are connected.',
  },
  {
    name: 'Stack overflow',
    sentence: 'A thread used more stack than it has: give it a larger one, or keep large variables off the stack.',
  },
  {
    name: 'Kernel oops',
    sentence:
      'The code found an error that it cannot recover from and called k_oops, or an assertion failed: only this thread ends.',
  },
  {
    name: 'Kernel panic',
    sentence: 'The code found an error that the whole system cannot recover from and called k_panic.',
  },
];

/** Reasons from number 16 on, in order. Null: a generic fault without a status bit. */
const armReasons: readonly (FaultBit | null)[] = [
  null,
  'MSTKERR',
  'MUNSTKERR',
  'DACCVIOL',
  'IACCVIOL',
  'MLSPERR',
  null,
  'STKERR',
  'UNSTKERR',
  'PRECISERR',
  'IMPRECISERR',
  'IBUSERR',
  'LSPERR',
  null,
  'DIVBYZERO',
  'UNALIGNED',
  'STKOF',
  'NOCP',
  'INVPC',
  'INVSTATE',
  'UNDEFINSTR',
];

/**
 * Returns the reason for a number.
 * @param machine null if unknown; numbers from 16 on depend on the architecture
 */
export function fatalReason(number: number, machine: CoreMachine | null): FatalReason {
  const bit = machine === 'arm' ? armReasons[number - 16] : undefined;
  return (
    reasons[number] ??
    (bit === undefined || bit === null
      ? {
          name: 'Unknown error',
          sentence: `The kernel stopped with reason ${number}, ${machine === null ? 'which depends on the processor' : "which is not in Zephyr's list for this processor"}: the lines before name it.`,
        }
      : { name: `CPU exception (${bit})`, sentence: faultSentences[bit] })
  );
}

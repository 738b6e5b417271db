/**
 * Explains the causes of exceptions. Names: the text in parentheses that ESP-IDF's panic handler prints
 * (`panic_arch.c` of both architectures, ESP-IDF 102122904 of 23 July 2026). Numbers: Xtensa ISA reference manual,
 * EXCCAUSE, also printed by ESP8266; RISC-V privileged architecture 20211203, table 3.6, MCAUSE.
 * Meaning for a program: ESP-IDF Programming Guide, "Fatal Errors", and the Arduino core for ESP8266, "Exception
 * causes".
 */
import type { CoreMachine } from '../core/core-dump.ts';

export interface ExceptionCause {
  readonly sentence: string;
  /** True: EXCVADDR or MTVAL holds the address that was used. */
  readonly isAboutAccess?: true;
}

const illegalInstruction =
  'The processor hit an invalid instruction: check that no task function returns, that functions with a result ' +
  'return one, and that nothing else uses the flash pins.';
const badJump =
  'The program jumped to a place without code: check function pointers, callbacks and objects that were already freed.';
const badRead =
  'The program read from an address that it may not read: most often through a null pointer, or one that is no longer valid.';
const badWrite =
  'The program wrote to an address that it may not write: most often through a null pointer, or one that is no longer valid.';
const misaligned =
  'The program used a number at an address that is not a multiple of its size: check casts of pointers and packed structures.';
const debugStop =
  'The processor stopped at a breakpoint or a watchpoint: most often a stack that overflowed; the next line names the task.';
const pageError =
  'The program used an address that nothing is mapped to: check pointers and the size of memory-mapped regions.';
const noCoprocessor =
  'The program used the floating-point unit where it is not available: check for floating-point numbers in interrupts.';
const systemCall = 'The program made a system call that nothing handles: most often it runs code that was overwritten.';
const internal =
  'The processor reported an error that programs cannot cause alone: check for memory corruption, and check the supply.';
const interruptWatchdog =
  'Interrupts were blocked for too long: check for long interrupt handlers and for critical sections that wait.';
const cache =
  'Code or data in flash was used while the flash was busy: put interrupt handlers and what they use into internal RAM.';

const access = (sentence: string): ExceptionCause => ({ sentence, isAboutAccess: true });

/** Causes of Xtensa: number, name as printed by ESP-IDF, explanation. Missing numbers are reserved. */
const xtensaCauses: readonly (readonly [number, string, ExceptionCause])[] = [
  [0, 'IllegalInstruction', { sentence: illegalInstruction }],
  [1, 'Syscall', { sentence: systemCall }],
  [2, 'InstructionFetchError', access(badJump)],
  [
    3,
    'LoadStoreError',
    access('The program used memory in a way it does not allow: bytes in instruction memory, or a write to flash.'),
  ],
  [
    4,
    'Level1Interrupt',
    { sentence: 'An interrupt arrived that nothing handles: check which interrupts the program enables.' },
  ],
  [5, 'Alloca', { sentence: internal }],
  [6, 'IntegerDivideByZero', { sentence: 'The program divided a whole number by zero: check the divisor.' }],
  [7, 'PCValue', access(badJump)],
  [8, 'Privileged', { sentence: illegalInstruction }],
  [9, 'LoadStoreAlignment', access(misaligned)],
  [12, 'InstrPDAddrError', access(badJump)],
  [13, 'LoadStorePIFDataError', access(pageError)],
  [14, 'InstrPIFAddrError', access(badJump)],
  [15, 'LoadStorePIFAddrError', access(pageError)],
  [16, 'InstTLBMiss', access(badJump)],
  [17, 'InstTLBMultiHit', access(internal)],
  [18, 'InstFetchPrivilege', access(badJump)],
  [20, 'InstrFetchProhibited', access(badJump)],
  [24, 'LoadStoreTLBMiss', access(pageError)],
  [25, 'LoadStoreTLBMultihit', access(internal)],
  [26, 'LoadStorePrivilege', access(pageError)],
  [28, 'LoadProhibited', access(badRead)],
  [29, 'StoreProhibited', access(badWrite)],
  ...Array.from(
    { length: 8 },
    (_, index) => [32 + index, `Cp${index}Dis`, { sentence: noCoprocessor }] satisfies [number, string, ExceptionCause],
  ),
];

const otherCauses: Readonly<Record<string, ExceptionCause>> = {
  // RISC-V.
  'Instruction address misaligned': access(badJump),
  'Instruction access fault': access(badJump),
  'Illegal instruction': { sentence: illegalInstruction },
  Breakpoint: { sentence: debugStop },
  'Load address misaligned': access(misaligned),
  'Load access fault': access(badRead),
  'Store address misaligned': access(misaligned),
  'Store access fault': access(badWrite),
  'Environment call from U-mode': { sentence: systemCall },
  'Environment call from S-mode': { sentence: systemCall },
  'Environment call from M-mode': { sentence: systemCall },
  'Instruction page fault': access(badJump),
  'Load page fault': access(pageError),
  'Store page fault': access(pageError),
  'Stack protection fault': {
    sentence: 'A task used more stack than it has: give it a larger one, or keep large variables off the stack.',
  },
  // Both architectures.
  'Memory protection fault': access(
    'The program wrote to code or ran data, which memory protection forbids: check pointers and buffers that overflow.',
  ),
  'Cache error': { sentence: cache },
  'Cache disabled but cached memory region accessed': { sentence: cache },
  'Interrupt wdt timeout on CPU0': { sentence: interruptWatchdog },
  'Interrupt wdt timeout on CPU1': { sentence: interruptWatchdog },
  'Unhandled debug exception': { sentence: debugStop },
  'Double exception': {
    sentence:
      'A second error occurred while the first was being handled: most often a stack that overflowed or was overwritten.',
  },
  'Unhandled kernel exception': { sentence: internal },
  'Coprocessor exception': { sentence: noCoprocessor },
  'Unknown reason': { sentence: internal },
};

/** Names of RISC-V's MCAUSE numbers (privileged architecture, 3.1.15), as used above. */
const riscvNames: Readonly<Record<number, string>> = {
  0: 'Instruction address misaligned',
  1: 'Instruction access fault',
  2: 'Illegal instruction',
  3: 'Breakpoint',
  4: 'Load address misaligned',
  5: 'Load access fault',
  6: 'Store address misaligned',
  7: 'Store access fault',
  8: 'Environment call from U-mode',
  9: 'Environment call from S-mode',
  11: 'Environment call from M-mode',
  12: 'Instruction page fault',
  13: 'Load page fault',
  15: 'Store page fault',
};
/** Pseudo-causes of the panic handler, numbered from 64 (ESP-IDF, `panic_arch.c` of Xtensa, `pseudo_reason`). */
const pseudoNames: readonly string[] = [
  'Unknown reason',
  'Unhandled debug exception',
  'Double exception',
  'Unhandled kernel exception',
  'Coprocessor exception',
  'Interrupt wdt timeout on CPU0',
  'Interrupt wdt timeout on CPU1',
  'Cache error',
];

const byName = new Map([
  ...Object.entries(otherCauses),
  ...xtensaCauses.map(([, name, cause]) => [name, cause] as const),
]);
const byNumber = new Map(xtensaCauses.map(([number, , cause]) => [number, cause]));

/** @param cause As printed. Empty: the firmware names none. */
const unknownCause = (cause: string): ExceptionCause => ({
  sentence:
    cause === ''
      ? 'The program crashed: the backtrace shows where.'
      : `The program crashed with ${cause}, which is not in the published lists of causes: the backtrace shows where.`,
});

export function causeNamed(name: string): ExceptionCause {
  return byName.get(name) ?? unknownCause(/^unknown\b/i.test(name) ? '' : name);
}

export const isNamedCause = (name: string): boolean => byName.has(name);

/** Returns true for names that only RISC-V has. */
export const isRiscvCause = (name: string): boolean => Object.values(riscvNames).includes(name);

export function causeNumbered(number: number): ExceptionCause {
  return byNumber.get(number) ?? unknownCause(`cause ${number}`);
}

export interface NamedCause {
  readonly name: string;
  readonly cause: ExceptionCause;
}

/**
 * Returns the cause for EXCCAUSE of Xtensa or MCAUSE of RISC-V. Undefined for reserved numbers, and for ARM, which
 * has no numbered causes.
 */
export function causeOf(machine: CoreMachine, number: number): NamedCause | undefined {
  if (machine === 'arm') {
    return undefined;
  }
  const name =
    machine === 'riscv'
      ? riscvNames[number]
      : (pseudoNames[number - 64] ?? xtensaCauses.find(([known]) => known === number)?.[1]);
  return name === undefined ? undefined : { name, cause: causeNamed(name) };
}

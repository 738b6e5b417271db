/**
 * A core dump of a microcontroller: its tasks with their registers, and the saved memory. Interpreting the memory
 * (task names, stack bounds) needs the program's ELF file, see `task-facts.ts`. `../unwind` finds the frames of a
 * stack.
 */
import type { LogLine } from '../log-text/log-lines.ts';
import type { CoreHeader } from './core-container.ts';
import type { CoreMemory } from './core-memory.ts';

export type CoreMachine = 'xtensa' | 'riscv' | 'arm';

export interface TaskRegisters {
  readonly pc: number;
  /** By DWARF number; undefined for registers that the dump does not hold. */
  readonly general: readonly (number | undefined)[];
  /** Further registers by name, such as `ps`. */
  readonly special: Readonly<Record<string, number>>;
  /**
   * The stack pointer of ARM code if its exception saved floating-point registers, Set only if the dump does not say
   * whether it did.
   */
  readonly floatStackPointer?: number;
}

export interface CoreTask {
  /** Address of the task control block, which is the task's handle. */
  readonly tcb: number;
  /** Null if the task's stack was corrupt and firmware saved no registers. */
  readonly registers: TaskRegisters | null;
}

export interface ExceptionCause {
  /** EXCCAUSE; values from 64 on are the panic handler's own reasons. */
  readonly number: number;
  /** EXCVADDR, the accessed address. */
  readonly address: number;
}

export interface CoreDump {
  /** Lines of the text within the dump that are Base64 and not part of it; absent without any. */
  readonly skipped?: readonly LogLine[];
  /** Espressif's header; null for a dump without one. */
  readonly header: CoreHeader | null;
  readonly machine: CoreMachine;
  readonly memory: CoreMemory;
  /** Bytes of an ELF core file; null for other formats. */
  readonly elf: Uint8Array | null;
  /** In the dump's order. The crashed task is usually the first. */
  readonly tasks: readonly CoreTask[];
  /** Control block of the crashed task; null if the dump has no task. */
  readonly crashedTask: number | null;
  /** True: the crash happened in an interrupt handler. */
  readonly inInterrupt: boolean;
  /** Only in dumps of Xtensa chips; null for RISC-V. */
  readonly cause: ExceptionCause | null;
  /** Text of the panic handler, such as `abort() was called at PC 0x42009351 on core 0`. */
  readonly panicDetails: string | null;
  /** First digits of the SHA-256 of the program's ELF file, in lower case; null if the dump does not hold it. */
  readonly appHash: string | null;
}

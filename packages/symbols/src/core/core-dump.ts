/**
 * A core dump of a microcontroller: its tasks with their registers, and the memory that was saved with them. What the memory means (names of tasks, their
 * stacks) takes the program's ELF file, see `task-facts.ts`; the frames of a stack are in `../unwind`.
 */
import type { CoreHeader } from './core-container.ts';
import type { CoreMemory } from './core-memory.ts';

export type CoreMachine = 'xtensa' | 'riscv' | 'arm';

export interface TaskRegisters {
  readonly pc: number;
  /** By DWARF number; what the dump does not hold is undefined. */
  readonly general: readonly (number | undefined)[];
  /** Others by name, such as `ps`. */
  readonly special: Readonly<Record<string, number>>;
  /** The stack pointer of ARM code if its exception saved floating-point registers, where the dump does not say whether it did. */
  readonly floatStackPointer?: number;
}

export interface CoreTask {
  /** Address of the task control block, which is the task's handle. */
  readonly tcb: number;
  /** Null where the task's stack was corrupt and firmware saved none. */
  readonly registers: TaskRegisters | null;
}

export interface ExceptionCause {
  /** EXCCAUSE; from 64 on the panic handler's own reasons. */
  readonly number: number;
  /** EXCVADDR. */
  readonly address: number;
}

export interface CoreDump {
  /** Espressif's; null for a dump without one. */
  readonly header: CoreHeader | null;
  readonly machine: CoreMachine;
  readonly memory: CoreMemory;
  /** The ELF core file that it is; null for the older binary format. */
  readonly elf: Uint8Array | null;
  /** In the dump's order; the one that crashed is the first as a rule. */
  readonly tasks: readonly CoreTask[];
  /** Its control block; null when the dump has no task. */
  readonly crashedTask: number | null;
  /** An interrupt was being handled. */
  readonly inInterrupt: boolean;
  /** Of Xtensa chips; RISC-V dumps hold none. */
  readonly cause: ExceptionCause | null;
  /** What the panic handler said, such as `abort() was called at PC 0x42009351 on core 0`. */
  readonly panicDetails: string | null;
  /** The first digits of the SHA-256 of the program's ELF file, in lower case; null where the dump does not say. */
  readonly appHash: string | null;
}

/** Finds the frames of a stack from a task's registers. Each processor family has its own file in this folder. */
import type { CoreMachine, TaskRegisters } from '../core/core-dump.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import { unwindArm } from './arm.ts';
import { unwindRiscv } from './riscv.ts';
import type { UnwindProgram, UnwoundStack } from './stack-frame.ts';
import { unwindXtensa } from './xtensa.ts';

const unwinders = { riscv: unwindRiscv, xtensa: unwindXtensa, arm: unwindArm } satisfies Record<CoreMachine, unknown>;

/** @param memory of the dump, supplemented by the program's ELF file */
export function unwind(
  machine: CoreMachine,
  program: UnwindProgram,
  memory: CoreMemory,
  registers: TaskRegisters,
): UnwoundStack {
  return unwinders[machine](program, memory, registers);
}

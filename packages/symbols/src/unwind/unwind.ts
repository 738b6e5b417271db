/** From a task's registers to the frames of its stack. Each processor family has its own way, see beside this file. */
import type { CoreMachine, TaskRegisters } from '../core/core-dump.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import { unwindArm } from './arm.ts';
import { unwindRiscv } from './riscv.ts';
import type { UnwindProgram, UnwoundStack } from './stack-frame.ts';
import { unwindXtensa } from './xtensa.ts';

const unwinders = { riscv: unwindRiscv, xtensa: unwindXtensa, arm: unwindArm } satisfies Record<CoreMachine, unknown>;

/** @param memory of the dump, and of the program's ELF file behind it */
export function unwind(
  machine: CoreMachine,
  program: UnwindProgram,
  memory: CoreMemory,
  registers: TaskRegisters,
): UnwoundStack {
  return unwinders[machine](program, memory, registers);
}

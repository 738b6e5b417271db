/** From a task's registers to the frames of its stack. Each processor family has its own way, see beside this file. */
import type { CoreMachine, TaskRegisters } from '../core/core-dump.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import { unwindRiscv } from './riscv.ts';
import type { UnwindProgram, UnwoundStack } from './stack-frame.ts';
import { unwindXtensa } from './xtensa.ts';

/** @param memory of the dump, and of the program's ELF file behind it */
export function unwind(
  machine: CoreMachine,
  program: UnwindProgram,
  memory: CoreMemory,
  registers: TaskRegisters,
): UnwoundStack {
  return machine === 'riscv' ? unwindRiscv(program, memory, registers) : unwindXtensa(program, memory, registers);
}

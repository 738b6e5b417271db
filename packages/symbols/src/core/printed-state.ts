/** The state of a crashed processor according to a log. */
import type { PrintedMemory } from '../panic/panic-mark.ts';
import type { CoreDump, TaskRegisters } from './core-dump.ts';
import type { CoreMemory } from './core-memory.ts';

/** Registers and memory as printed. */
export interface PrintedState {
  /** By name in lower case. */
  readonly registers: Readonly<Record<string, number>>;
  /** Rows of the stack in the order of the log. */
  readonly rows: readonly PrintedMemory[];
  readonly memory: CoreMemory;
}

/** The same registers in the form that the processor's unwinder expects. */
export interface ProcessorState extends Pick<CoreDump, 'machine' | 'cause'> {
  readonly registers: TaskRegisters;
}

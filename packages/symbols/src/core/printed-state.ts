/** The state of a crashed processor as far as a log prints it. */
import type { PrintedMemory } from '../panic/panic-mark.ts';
import type { CoreDump, TaskRegisters } from './core-dump.ts';
import type { CoreMemory } from './core-memory.ts';

/** Registers and memory in the words of the log. */
export interface PrintedState {
  /** By their names in small letters. */
  readonly registers: Readonly<Record<string, number>>;
  /** Rows of the stack in the order of the log. */
  readonly rows: readonly PrintedMemory[];
  readonly memory: CoreMemory;
}

/** The same registers as the unwinder of the processor takes them. */
export interface ProcessorState extends Pick<CoreDump, 'machine' | 'cause'> {
  readonly registers: TaskRegisters;
}

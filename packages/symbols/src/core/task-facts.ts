/** Reads a task's control block (FreeRTOS, `tasks.c`, `TCB_t`) by the layout in the program's debug information. */

import { stringAt } from '../byte-cursor.ts';
import type { StructureLayout } from '../dwarf/structures.ts';
import type { CoreMemory } from './core-memory.ts';

export interface TaskFacts {
  /** Null if it cannot be read, or is not text. */
  readonly name: string | null;
  readonly priority: number | null;
  readonly stack: StackUse | null;
}

export interface StackUse {
  /** Lowest address, and first address behind the stack. */
  readonly low: number;
  readonly high: number;
  /** Used bytes at the time of the dump; more than the size for a stack that overflowed. */
  readonly used: number;
}

/** Maximum distance of a stack pointer below the task's stack, in bytes. A larger distance means another stack. */
const MAX_OVER = 64 * 1024;
/** `configMAX_TASK_NAME_LEN`, 16 in ESP-IDF. */
const NAME_BYTES = 16;
const NAME = /^[\x20-\x7e]+$/;

/**
 * Reads the facts of a task.
 *
 * @param sp Stack pointer at the time of the dump. If it is null or 0, the one saved last by the scheduler counts.
 */
export function readTaskFacts(
  layout: StructureLayout | null,
  memory: CoreMemory,
  tcb: number,
  sp: number | null,
): TaskFacts {
  const member = (name: string): number | null => {
    const offset = layout?.members.get(name);
    return offset === undefined ? null : (memory.word(tcb + offset) ?? null);
  };
  const nameAt = layout?.members.get('pcTaskName');
  const bytes = nameAt === undefined ? undefined : memory.read(tcb + nameAt, NAME_BYTES);
  const name = bytes === undefined ? '' : stringAt(bytes, 0);
  return {
    name: NAME.test(name) ? name : null,
    priority: member('uxPriority'),
    stack: stackUse(member('pxStack'), member('pxEndOfStack'), sp || member('pxTopOfStack')),
  };
}

function stackUse(low: number | null, end: number | null, sp: number | null): StackUse | null {
  // Without `configRECORD_STACK_HIGH_ADDRESS` the control block does not contain the stack's end.
  if (low === null || end === null || sp === null || end <= low || sp < low - MAX_OVER || sp > end + 16) {
    return null;
  }
  return { low, high: end, used: Math.max(0, end - sp) };
}

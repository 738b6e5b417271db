/** What a task's control block says of it (FreeRTOS, `tasks.c`, `TCB_t`), read by the layout that the program's debug information has. */

import { stringAt } from '../byte-cursor.ts';
import type { StructureLayout } from '../dwarf/structures.ts';
import type { CoreMemory } from './core-memory.ts';

export interface TaskFacts {
  /** Null where it cannot be read, and where it is no text. */
  readonly name: string | null;
  readonly priority: number | null;
  readonly stack: StackUse | null;
}

export interface StackUse {
  /** Lowest address, and the first behind it. */
  readonly low: number;
  readonly high: number;
  /** Bytes, at the moment of the dump; more than there are in a stack that ran over. */
  readonly used: number;
}

/** How far below its stack a stack pointer still counts as that of the task, in bytes: further away it is another stack's. */
const MOST_OVER = 64 * 1024;
/** `configMAX_TASK_NAME_LEN`, 16 in ESP-IDF. */
const NAME_BYTES = 16;
const NAME = /^[\x20-\x7e]+$/;

/** @param sp the stack pointer when the dump was made; null or 0 where it is not known: the one that the scheduler saved last counts then */
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
  // Without `configRECORD_STACK_HIGH_ADDRESS` its end is not in the control block.
  if (low === null || end === null || sp === null || end <= low || sp < low - MOST_OVER || sp > end + 16) {
    return null;
  }
  return { low, high: end, used: Math.max(0, end - sp) };
}

/** Follows a stack from frame to frame, for processors whose frames are found by a table or by a return address. */
import type { TaskRegisters } from '../core/core-dump.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import type { FrameEntry } from './call-frame-table.ts';
import {
  type FrameSource,
  MAX_FRAMES,
  placesAt,
  type Registers,
  type StackEnd,
  type StackFrame,
  sourceBehind,
  type UnwindProgram,
  type UnwoundStack,
} from './stack-frame.ts';

/** Frame whose caller is requested. */
export interface Place {
  readonly registers: Registers;
  /** Address of the frame's instruction; if `isCall`, a byte of the call instruction. */
  readonly lookedUp: number;
  readonly isInnermost: boolean;
  /**
   * True: the frame is at a call. False: the code was interrupted, so any instruction of its function may be current.
   */
  readonly isCall: boolean;
  readonly entry: FrameEntry | undefined;
}

export interface Caller {
  readonly pc: number;
  readonly registers: Registers;
  readonly source: FrameSource;
  /** Stack pointer before the call of the current frame's function, or before the exception. Undefined if unknown. */
  readonly cfa: number | undefined;
  /** True: `pc` is a return address. */
  readonly isCall: boolean;
}

/** End of the stack. `cfa` is the stack pointer before the last frame, if known. */
export interface End {
  readonly end: StackEnd;
  readonly cfa?: number | undefined;
  /**
   * True: the program's table says that the function has no caller, or its return address is that of a reset. A
   * return address of zero proves less, because stacks contain many zeros.
   */
  readonly isProven?: boolean;
}

export interface WalkRules {
  readonly stackPointer: number;
  readonly callerOf: (program: UnwindProgram, memory: CoreMemory, place: Place) => Caller | End;
  /** Returns true if an address may have code that the ELF file lacks. */
  readonly isElsewhere: (address: number) => boolean;
}

export function walkStack(
  program: UnwindProgram,
  memory: CoreMemory,
  { pc, general }: TaskRegisters,
  { stackPointer, callerOf, isElsewhere }: WalkRules,
): UnwoundStack {
  const frames: StackFrame[] = [];
  let current = { pc, registers: general as Registers, source: 'registers' as FrameSource, isCall: false };
  for (;;) {
    const { registers, isCall } = current;
    const lookedUp = isCall ? current.pc - 1 : current.pc;
    const entry = program.callFrames.find(lookedUp);
    const caller = callerOf(program, memory, { registers, lookedUp, isCall, isInnermost: frames.length === 0, entry });
    const sp = registers[stackPointer] ?? 0;
    frames.push({
      pc: current.pc,
      lookedUp,
      source: current.source,
      sp,
      frameEnd: caller.cfa ?? null,
      registers,
      places: placesAt(program, lookedUp),
    });
    if ('end' in caller) {
      return { frames, end: caller.end };
    }
    // A caller's frame is at a higher address. Only functions that save nothing share a frame end with their caller,
    // and each of them returns to another address.
    const { cfa } = caller;
    if (cfa !== undefined && (cfa < sp || (cfa === sp && caller.pc === current.pc))) {
      return { frames, end: 'corrupt' };
    }
    if (!program.symbols.isCode(caller.isCall ? caller.pc - 1 : caller.pc) && !isElsewhere(caller.pc)) {
      return { frames, end: 'corrupt' };
    }
    if (frames.length === MAX_FRAMES) {
      return { frames, end: 'too-many' };
    }
    current = { ...caller, source: sourceBehind(current.source, caller.source) };
  }
}

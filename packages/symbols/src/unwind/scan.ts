/** Searches the stack for a return address if neither a table nor a register gives it. The result is a guess. */
import type { CoreMemory } from '../core/core-memory.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import type { FrameEntry } from './call-frame-table.ts';
import { MAX_FRAMES, type UnwindProgram } from './stack-frame.ts';
import type { Caller, End, Place } from './walk.ts';

/** Number of bytes of the stack to search for a return address. */
const SCANNED = 1_024;
/** Bytes of the stack that are searched for the end of a frame. */
const MAX_FRAME = 1_024;

export interface ScanRules {
  readonly stackPointer: number;
  /** Alignment of the ends of frames in bytes. */
  readonly alignment: number;
  /** Returns the frame for a possible return address on the stack, which is a guess. */
  readonly candidateAt: (word: number, cfa: number) => Caller;
  readonly byCallFrames: (memory: CoreMemory, place: Place, entry: FrameEntry) => Caller | End | undefined;
  /**
   * Returns true if a caller's program counter comes directly after a call. The bits that only return addresses have
   * are already removed.
   */
  readonly isBehindCall: (pc: number) => boolean;
}

/**
 * Returns the frame for the next word of the stack that may be a return address. The stack also holds leftovers of
 * earlier calls. A word counts only if its frames lead to the end of the stack. GCC and Clang save the return address
 * in the last word of a frame. Variadic functions save their arguments above it.
 */
export function scanned(program: UnwindProgram, memory: CoreMemory, sp: number, rules: ScanRules): Caller | End {
  for (let at = sp; at < sp + SCANNED; at += 4) {
    const word = memory.word(at);
    if (word === undefined) {
      return { end: 'unknown' };
    }
    if (program.symbols.isReturnAddress(word)) {
      const nearest = Math.ceil((at + 4) / rules.alignment) * rules.alignment;
      const caller = [0, rules.alignment, 2 * rules.alignment]
        .map((beyond) => rules.candidateAt(word, nearest + beyond))
        .find((one) => leadsOut(program, memory, one, rules));
      if (caller !== undefined) {
        return caller;
      }
    }
  }
  return { end: 'unknown' };
}

/**
 * Returns the end of a frame: the lowest position from which the caller's frames lead out of the stack. Undefined
 * without such a position.
 * @param returnAddress Address to which the frame returns.
 */
export function frameEndBefore(
  program: UnwindProgram,
  memory: CoreMemory,
  { returnAddress, sp }: { readonly returnAddress: number; readonly sp: number },
  rules: ScanRules,
): number | undefined {
  for (let end = sp; end <= sp + MAX_FRAME && memory.word(end) !== undefined; end += rules.alignment) {
    if (leadsOut(program, memory, rules.candidateAt(returnAddress, end), rules)) {
      return end;
    }
  }
  return undefined;
}

/**
 * Returns true if the frames are connected by return addresses and end at a function without a caller in the program's
 * table. That function may be the caller itself: a stack has the address behind its only call once. A return address of
 * zero is not enough, because a leftover may lead through whole frames to a zero word.
 */
function leadsOut(program: UnwindProgram, memory: CoreMemory, caller: Caller, rules: ScanRules): boolean {
  if (program.callFrames.length === 0) {
    // Without a table, the frames cannot be checked.
    return true;
  }
  let { pc, registers } = caller;
  for (let steps = 0; steps < MAX_FRAMES; steps++) {
    const entry = program.callFrames.find(pc - 1);
    const place = { registers, lookedUp: pc - 1, isInnermost: false, isCall: true, entry };
    const next = entry && unlessDamaged(() => rules.byCallFrames(memory, place, entry), undefined);
    if (next === undefined || 'end' in next) {
      return next?.isProven === true;
    }
    const sp = registers[rules.stackPointer] ?? 0;
    if (next.cfa === undefined || next.cfa < sp || (next.isCall && !rules.isBehindCall(next.pc))) {
      return false;
    }
    ({ pc, registers } = next);
  }
  return false;
}

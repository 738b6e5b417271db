/**
 * Unwinds stacks of RISC-V by the program's table of call frames. For a function without an entry (code in ROM,
 * assembler), guesses the return address. For the innermost function, it tries the register first. Otherwise it
 * searches the stack for the next word that follows a call. Source: RISC-V ELF psABI, "Register Convention" and
 * "DWARF Register Numbers".
 */

import type { TaskRegisters } from '../core/core-dump.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import type { FrameEntry } from './call-frame-table.ts';
import { scanned } from './scan.ts';
import { isRom, type Registers, type UnwindProgram, type UnwoundStack } from './stack-frame.ts';
import { callerByTable } from './table-caller.ts';
import { type Caller, type End, type Place, walkStack } from './walk.ts';

const [RA, SP] = [1, 2];
/** s0, s1 and s2 to s11 are callee-saved. The global and the thread pointer are constant within a task. */
const isKept = (register: number) =>
  register === 8 || register === 9 || (register >= 18 && register <= 27) || isFixed(register);
const isFixed = (register: number) => register === 0 || register === 3 || register === 4;

export function unwindRiscv(program: UnwindProgram, memory: CoreMemory, registers: TaskRegisters): UnwoundStack {
  return walkStack(program, memory, registers, { stackPointer: SP, callerOf, isElsewhere: isRom });
}

function callerOf(program: UnwindProgram, memory: CoreMemory, place: Place): Caller | End {
  const { entry, registers, isInnermost } = place;
  if (entry !== undefined) {
    const byTable = unlessDamaged(() => byCallFrames(memory, place, entry), undefined);
    if (byTable !== undefined) {
      return byTable;
    }
  }
  const sp = registers[SP];
  if (sp === undefined) {
    return { end: 'unknown' };
  }
  const link = registers[RA];
  if (isInnermost && link !== undefined && program.symbols.isReturnAddress(link)) {
    // The function has not saved its return address yet, or never saves it.
    return { pc: link, registers: afterReturn(registers, sp), source: 'link-register', cfa: sp, isCall: true };
  }
  return scanned(program, memory, sp, {
    stackPointer: SP,
    alignment: 16,
    candidateAt,
    byCallFrames,
    isBehindCall: (pc) => program.symbols.isReturnAddress(pc),
  });

  /**
   * Returns the frame for a return address found on the stack. GCC and Clang save it in the last word of a frame;
   * temporary registers are lost.
   */
  function candidateAt(word: number, cfa: number): Caller {
    const known = registers.map((value, register) => (register === SP ? cfa : isFixed(register) ? value : undefined));
    return { pc: word, registers: known, source: 'scan', cfa, isCall: true };
  }
}

/** Finds the caller by the table of call frames; undefined if a required value is unknown. */
function byCallFrames(memory: CoreMemory, place: Place, entry: FrameEntry): Caller | End | undefined {
  const use = { stackPointer: SP, isKept };
  const { cfa, registers, returnAddress, isReturnUnsaved } = callerByTable(memory, place, entry, use);
  if (returnAddress === 'outermost' || (returnAddress === 0 && cfa !== undefined)) {
    return { end: 'whole', cfa, isProven: returnAddress === 'outermost' };
  }
  if (cfa === undefined || returnAddress === undefined || (place.isCall && isReturnUnsaved)) {
    // A function that never returns, as that of a task, need not save its return address. Its call has overwritten the register.
    return undefined;
  }
  // The address at which interrupted code resumes is not a return address.
  return { pc: returnAddress >>> 0, registers, source: 'call-frames', cfa, isCall: !entry.common.isSignal };
}

/**
 * Returns the registers after a return without a frame. Registers that a called function may overwrite become
 * unknown.
 */
function afterReturn(registers: Registers, sp: number): Registers {
  return registers.map((value, register) => (register === SP ? sp : isKept(register) ? value : undefined));
}

/**
 * Frames of RISC-V by the program's table of call frames. Where a function has no entry (code in ROM, assembler), its return address is looked for: in
 * the register, for the innermost function, or in the next word of the stack with a call in front of what it points to. Both are guesses.
 * Source: RISC-V ELF psABI, "Register Convention" and "DWARF Register Numbers".
 */

import type { TaskRegisters } from '../core/core-dump.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import type { FrameEntry } from './call-frame-table.ts';
import { contextOf, type ExpressionContext, evaluateAddress } from './expression.ts';
import { type CfaRule, type RegisterRule, rulesAt } from './frame-rules.ts';
import {
  type FrameSource,
  isRom,
  MOST_FRAMES,
  type StackEnd,
  type StackFrame,
  type UnwindProgram,
  type UnwoundStack,
} from './stack-frame.ts';

const [RA, SP] = [1, 2];
/** Bytes of the stack that are searched for a return address. */
const SCANNED = 1_024;
/** s0, s1, s2 to s11: a function gives them back as they were. The stack pointer comes back too, as the CFA. */
const isKept = (register: number) => register === 8 || register === 9 || (register >= 18 && register <= 27);
/** Global and thread pointer are the same in all of a task. */
const isFixed = (register: number) => register === 0 || register === 3 || register === 4;

type Registers = readonly (number | undefined)[];

interface Caller {
  readonly pc: number;
  readonly registers: Registers;
  readonly source: FrameSource;
  readonly cfa: number;
}

/** There is no further frame; what the stack pointer was before this one, where it is known. */
interface End {
  readonly end: StackEnd;
  readonly cfa?: number | undefined;
}

export function unwindRiscv(program: UnwindProgram, memory: CoreMemory, { pc, general }: TaskRegisters): UnwoundStack {
  const frames: StackFrame[] = [];
  let current = { pc, registers: general as Registers, source: 'registers' as FrameSource, isCall: false };
  for (;;) {
    const { registers } = current;
    const lookedUp = current.isCall ? current.pc - 1 : current.pc;
    const entry = program.callFrames.find(lookedUp);
    const caller = callerOf(program, memory, { registers, lookedUp, isInnermost: frames.length === 0, entry });
    const sp = registers[SP] ?? 0;
    frames.push({
      pc: current.pc,
      lookedUp,
      source: current.source,
      sp,
      frameEnd: caller.cfa ?? null,
      registers,
      places: program.symbols.lookup(lookedUp),
    });
    if ('end' in caller) {
      return { frames, end: caller.end };
    }
    // A caller's frame is above; only functions that save nothing have the same, and each of these is left by another address.
    if (caller.cfa < sp || (caller.cfa === sp && caller.pc === current.pc)) {
      return { frames, end: 'corrupt' };
    }
    if (!program.symbols.isCode(caller.pc - 1) && !isRom(caller.pc)) {
      return { frames, end: 'corrupt' };
    }
    if (frames.length === MOST_FRAMES) {
      return { frames, end: 'too-many' };
    }
    // What interrupted code goes on with is no return address.
    current = { ...caller, isCall: !(entry?.common.isSignal ?? false) };
  }
}

interface Place {
  readonly registers: Registers;
  readonly lookedUp: number;
  readonly isInnermost: boolean;
  readonly entry: FrameEntry | undefined;
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
    // It has not saved anything yet, or nothing at all.
    return { pc: link, registers: afterReturn(registers, sp), source: 'link-register', cfa: sp };
  }
  return scanned(program, memory, registers, sp);
}

/** Undefined where a value that is needed is not known. */
function byCallFrames(memory: CoreMemory, { registers, lookedUp }: Place, entry: FrameEntry): Caller | End | undefined {
  const rules = rulesAt(entry, lookedUp);
  const { returnColumn } = entry.common;
  const context = contextOf(registers, memory);
  const cfa = cfaOf(rules.cfa, context);
  if (rules.registers.get(returnColumn)?.kind === 'undefined') {
    return { end: 'whole', cfa };
  }
  if (cfa === undefined) {
    return undefined;
  }
  const found = registers.map((value, register) => {
    const rule = rules.registers.get(register);
    if (rule !== undefined) {
      return foundBy(rule, { register, value, cfa, context });
    }
    return isKept(register) || isFixed(register) || register === returnColumn ? value : undefined;
  });
  const pc = found[returnColumn];
  found[SP] = cfa;
  if (pc === undefined) {
    return undefined;
  }
  return pc === 0 ? { end: 'whole', cfa } : { pc: pc >>> 0, registers: found, source: 'call-frames', cfa };
}

function cfaOf(rule: CfaRule, context: ExpressionContext): number | undefined {
  if (rule.kind === 'expression') {
    return evaluateAddress(rule.expression, context);
  }
  const value = context.register(rule.register);
  return value === undefined ? undefined : (value + rule.offset) >>> 0;
}

interface Rulings {
  readonly register: number;
  readonly value: number | undefined;
  readonly cfa: number;
  readonly context: ExpressionContext;
}

function foundBy(rule: RegisterRule, { value, cfa, context }: Rulings): number | undefined {
  switch (rule.kind) {
    case 'undefined':
      return undefined;
    case 'same':
      return value;
    case 'saved':
      return context.memory((cfa + rule.offset) >>> 0, 4);
    case 'value':
      return (cfa + rule.offset) >>> 0;
    case 'register':
      return context.register(rule.register);
    case 'saved-at': {
      const address = evaluateAddress(rule.expression, context, [cfa]);
      return address === undefined ? undefined : context.memory(address, 4);
    }
    case 'computed':
      return evaluateAddress(rule.expression, context, [cfa]);
  }
}

/** After a return without a frame: what callers may overwrite is not known any more. */
function afterReturn(registers: Registers, sp: number): Registers {
  return registers.map((value, register) =>
    register === SP ? sp : isKept(register) || isFixed(register) ? value : undefined,
  );
}

/**
 * The next word of the stack that can be a return address. The stack holds leftovers of earlier calls too, so a word counts only if the frames from there
 * on lead out of the stack. GCC and Clang save the return address in the last word of a frame, below the arguments that
 * a function with a variable number of them saves; frames end on 16 bytes.
 */
function scanned(program: UnwindProgram, memory: CoreMemory, registers: Registers, sp: number): Caller | End {
  for (let at = sp; at < sp + SCANNED; at += 4) {
    const word = memory.word(at);
    if (word === undefined) {
      return { end: 'unknown' };
    }
    if (program.symbols.isReturnAddress(word)) {
      const nearest = Math.ceil((at + 4) / 16) * 16;
      const caller = [0, 16, 32]
        .map((beyond) => callerAt(registers, word, nearest + beyond))
        .find((one) => leadsOut(program, memory, one));
      if (caller !== undefined) {
        return caller;
      }
    }
  }
  return { end: 'unknown' };
}

function callerAt(registers: Registers, pc: number, cfa: number): Caller {
  const known = registers.map((value, register) => (register === SP ? cfa : isFixed(register) ? value : undefined));
  return { pc, registers: known, source: 'scan', cfa };
}

/** Whether the frames from here on are connected by return addresses, two at least, as far as the outermost function. */
function leadsOut(program: UnwindProgram, memory: CoreMemory, caller: Caller): boolean {
  if (program.callFrames.length === 0) {
    // Nothing to compare with.
    return true;
  }
  let { pc, registers } = caller;
  for (let steps = 0; steps < MOST_FRAMES; steps++) {
    const place = { registers, lookedUp: pc - 1, isInnermost: false, entry: program.callFrames.find(pc - 1) };
    const { entry } = place;
    const next = entry && unlessDamaged(() => byCallFrames(memory, place, entry), undefined);
    if (next === undefined || 'end' in next) {
      return next?.end === 'whole' && steps > 0;
    }
    if (next.cfa < (registers[SP] ?? 0) || !program.symbols.isReturnAddress(next.pc)) {
      return false;
    }
    ({ pc, registers } = next);
  }
  return false;
}

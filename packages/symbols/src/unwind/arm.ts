/**
 * Unwinds stacks of ARM Cortex-M by the program's table of call frames, or else by its exception index. A return
 * address of the form EXC_RETURN indicates an exception: the processor has saved the registers of the interrupted
 * code on one of its two stacks. Sources: DWARF for the Arm Architecture (IHI 0040), section 3.1; Procedure Call
 * Standard (IHI 0042), section 6.1; ARMv7-M Architecture Reference Manual (DDI 0403), B1.5.6 to B1.5.8; ARMv8-M (DDI
 * 0553), B3.19 and B3.21.
 */
import type { TaskRegisters } from '../core/core-dump.ts';
import type { CoreMemory } from '../core/core-memory.ts';
import { frameInstruction } from '../dwarf/constants.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import type { FrameEntry } from './call-frame-table.ts';
import { runIndexInstructions } from './index-instructions.ts';
import { frameEndBefore, type ScanRules, scanned } from './scan.ts';
import { isGuess, MAX_FRAMES, type Registers, type UnwindProgram, type UnwoundStack } from './stack-frame.ts';
import { callerByTable } from './table-caller.ts';
import { type Caller, type End, type Place, walkStack } from './walk.ts';

const [SP, LR, PC] = [13, 14, 15];
/** The frame pointer of Thumb code that GCC and Clang build without optimisation. */
const FRAME_POINTER = 7;
/** r4 to r11 are callee-saved. */
const isKept = (register: number) => register >= 4 && register <= 11;
const use = { stackPointer: SP, isKept };

/** Value of LR after a reset: the function that starts the program has no caller. */
const NO_CALLER = 0xffff_ffff;
/** Bits of EXC_RETURN. */
const excReturn = {
  secureException: 1 << 0,
  processStack: 1 << 2,
  basicFrame: 1 << 4,
  defaultStacking: 1 << 5,
  secureStack: 1 << 6,
};
/**
 * Sizes of exception frames in bytes. The basic frame holds r0 to r3, r12, LR, return address and xPSR. The extended
 * one adds s0 to s15, FPSCR and a reserved word.
 */
const [BASIC_FRAME, EXTENDED_FRAME] = [32, 104];
/**
 * Size in bytes of the additional state before the frame, saved if a non-secure exception interrupted secure code. It
 * holds a signature, a reserved word and r4 to r11.
 */
const CALLEE_FRAME = 40;
const SIGNATURE = 0xfefa_125a;
/** Bit of the saved xPSR: the processor aligned the stack to 8 bytes with a padding word. */
const PADDED = 1 << 9;
/**
 * First address of RAM (DDI 0403, B3.1). Code that the ELF file may lack, such as SoftDevices and boot ROMs, is below
 * it.
 */
const FIRST_RAM = 0x2000_0000;

const withoutThumb = (address: number) => (address & ~1) >>> 0;
const isExceptionReturn = (address: number) => address >>> 7 === 0x1ff_ffff && address !== NO_CALLER;

export function unwindArm(program: UnwindProgram, memory: CoreMemory, registers: TaskRegisters): UnwoundStack {
  const { floatStackPointer, general } = registers;
  const basic = unwindFrom(program, memory, registers);
  if (floatStackPointer === undefined || program.usesFloatingPoint === false) {
    return basic;
  }
  const extended = unwindFrom(program, memory, { ...registers, general: replaced(general, SP, floatStackPointer) });
  return reach(extended) > reach(basic) ? agreed(extended, basic) : agreed(basic, extended);

  /** Returns the number of frames in the program. A complete stack ranks above every incomplete one. */
  function reach({ frames, end }: UnwoundStack): number {
    const known = frames.filter(({ lookedUp }) => program.symbols.isCode(lookedUp)).length;
    return end === 'whole' ? known + MAX_FRAMES : known;
  }
}

/**
 * Marks frames of `chosen` as guesses from the first one that differs in `other`, which starts from another stack
 * pointer.
 */
function agreed(chosen: UnwoundStack, other: UnwoundStack): UnwoundStack {
  const differs = chosen.frames.findIndex(({ pc }, index) => pc !== other.frames[index]?.pc);
  const frames = chosen.frames.map((frame, index) =>
    differs >= 0 && index >= differs && !isGuess(frame.source) ? { ...frame, source: 'behind-guess' as const } : frame,
  );
  return { ...chosen, frames };
}

function unwindFrom(program: UnwindProgram, memory: CoreMemory, registers: TaskRegisters): UnwoundStack {
  const { pc, general, special } = registers;
  return walkStack(
    program,
    memory,
    { pc: withoutThumb(pc), general: general.slice(0, PC), special },
    {
      stackPointer: SP,
      callerOf: (_program, _memory, place) => callerOf(program, memory, place, special['psp']),
      isElsewhere: (address) => address < FIRST_RAM,
    },
  );
}

/** @param processStack PSP, if known */
function callerOf(
  program: UnwindProgram,
  memory: CoreMemory,
  place: Place,
  processStack: number | undefined,
): Caller | End {
  const byCallFrames = (_memory: CoreMemory, one: Place, entry: FrameEntry) =>
    byTable(program, memory, one, entry, processStack);
  const { entry, registers, isInnermost } = place;
  if (entry !== undefined) {
    const found = unlessDamaged(() => byCallFrames(memory, place, entry), undefined);
    if (found !== undefined) {
      return found;
    }
  }
  const indexed = unlessDamaged(() => byIndex(program, memory, place, processStack), undefined);
  if (indexed !== undefined) {
    return indexed;
  }
  const sp = registers[SP];
  const link = registers[LR];
  const isBehindCall = (pc: number) => program.symbols.isReturnAddress((pc | 1) >>> 0);
  const rules: ScanRules = { stackPointer: SP, alignment: 8, candidateAt, byCallFrames, isBehindCall };
  if (isInnermost && entry !== undefined && sp !== undefined && registers[FRAME_POINTER] === undefined) {
    // After the prologue of a function without optimisation, both registers have the same value.
    const assumed = { ...place, registers: replaced(registers, FRAME_POINTER, sp) };
    const found = unlessDamaged(() => byCallFrames(memory, assumed, entry), undefined);
    if (found !== undefined && !('end' in found) && isBehindCall(found.pc)) {
      return { ...found, source: 'scan' };
    }
  }
  if (isInnermost && link !== undefined && (isExceptionReturn(link) || isCaller(link))) {
    // A function without an entry has not saved anything yet, or never does.
    const end = entry === undefined || sp === undefined ? sp : frameEnd(link, sp);
    const known = afterReturn(registers, end);
    return left(memory, { registers: known, cfa: end, link, source: 'link-register', processStack });
  }
  return sp === undefined ? { end: 'unknown' } : scanned(program, memory, sp, rules);

  /** Returns false for a return address inside of the function itself, which a call that it made has left. */
  function isCaller(address: number): boolean {
    const isOwn = entry !== undefined && program.callFrames.find(withoutThumb(address) - 1) === entry;
    return !isOwn && program.symbols.isReturnAddress(address);
  }

  function frameEnd(address: number, from: number): number | undefined {
    return isExceptionReturn(address)
      ? undefined
      : frameEndBefore(program, memory, { returnAddress: address, sp: from }, rules);
  }

  function candidateAt(word: number, cfa: number): Caller {
    const known = registers.map((_, register) => (register === SP ? cfa : undefined));
    return { pc: withoutThumb(word), registers: known, source: 'scan', cfa, isCall: true };
  }
}

/** Finds the caller by the table of call frames; undefined if a required value is unknown. */
function byTable(
  program: UnwindProgram,
  memory: CoreMemory,
  place: Place,
  entry: FrameEntry,
  processStack: number | undefined,
): Caller | End | undefined {
  const { cfa, registers, returnAddress } = callerByTable(memory, place, entry, use);
  if (returnAddress === 'outermost') {
    return { end: 'whole', cfa, isProven: true };
  }
  if (cfa === undefined || returnAddress === undefined) {
    return undefined;
  }
  const isInItself = program.callFrames.find(withoutThumb(returnAddress) - 1) === entry;
  if (cfa === place.registers[SP] && isInItself && (place.isCall || !canSaveLink(entry))) {
    // The function has called others without saving its own return address. It never returns, like the function that
    // starts the program.
    return { end: 'whole', cfa, isProven: true };
  }
  return left(memory, { registers, cfa, link: returnAddress, source: 'call-frames', processStack });
}

/** Instructions that can save LR: with the register in the low six bits, or as an operand. */
const linkSaves: readonly number[] = [
  frameInstruction.offset | LR,
  frameInstruction.offsetExtended,
  frameInstruction.offsetExtendedSf,
];

/** Returns false if none of the entry's instructions can save LR. */
const canSaveLink = ({ instructions }: FrameEntry) => instructions.some((byte) => linkSaves.includes(byte));

function byIndex(
  { exceptionIndex, symbols }: UnwindProgram,
  memory: CoreMemory,
  { registers, lookedUp, isCall }: Place,
  processStack: number | undefined,
): Caller | End | undefined {
  const entry = symbols.isCode(lookedUp) ? exceptionIndex?.find(lookedUp) : undefined;
  const sp = registers[SP];
  if (entry === undefined || entry.instructions === null || sp === undefined) {
    return undefined;
  }
  const link = registers[LR];
  if (!isCall && lookedUp === entry.start && link !== undefined) {
    // First instruction of a function: nothing has been saved.
    return left(memory, {
      registers: afterReturn(registers, sp),
      cfa: sp,
      link,
      source: 'exception-index',
      processStack,
    });
  }
  const values = runIndexInstructions(entry.instructions, registers, memory);
  const [cfa, returnAddress] = [values?.[SP], values?.[PC]];
  if (values === undefined || cfa === undefined || returnAddress === undefined) {
    return undefined;
  }
  const isPlausible =
    isExceptionReturn(returnAddress) || isOutermost(returnAddress) || symbols.isReturnAddress(returnAddress);
  if (!isCall && !isPlausible) {
    return undefined;
  }
  if (isCall && cfa === sp && exceptionIndex?.find(withoutThumb(returnAddress) - 1)?.start === entry.start) {
    return { end: 'whole', cfa };
  }
  const known = values.slice(0, PC).map((value, register) => (isKept(register) || register >= SP ? value : undefined));
  const source = isCall ? 'exception-index' : 'exception-index-guess';
  return left(memory, { registers: known, cfa, link: returnAddress, source, processStack });
}

const isOutermost = (returnAddress: number) =>
  returnAddress === 0 || withoutThumb(returnAddress) === withoutThumb(NO_CALLER);

interface Left {
  /** Registers of the caller. */
  readonly registers: Registers;
  readonly cfa: number | undefined;
  /** Return address with its Thumb bit. */
  readonly link: number;
  readonly source: Caller['source'];
  readonly processStack: number | undefined;
}

/** Returns the frame after the current function: its caller or the interrupted code, or the end of the stack. */
function left(memory: CoreMemory, { registers, cfa, link, source, processStack }: Left): Caller | End {
  if (isOutermost(link)) {
    return { end: 'whole', cfa, isProven: link !== 0 };
  }
  if (isExceptionReturn(link)) {
    return interrupted(memory, { registers, cfa, link, processStack });
  }
  return { pc: withoutThumb(link), registers, source, cfa, isCall: true };
}

function interrupted(memory: CoreMemory, { registers, cfa, link, processStack }: Omit<Left, 'source'>): Caller | End {
  const top = link & excReturn.processStack ? processStack : cfa;
  if (top === undefined) {
    return { end: 'unknown', cfa };
  }
  const found = [...registers];
  const isSecure = (link & excReturn.secureStack) !== 0;
  const isPartial = (link & excReturn.defaultStacking) === 0 || (link & excReturn.secureException) === 0;
  // The lowest bit of the signature depends on the use of floating point.
  const hasCallee = isSecure && isPartial && ((memory.word(top) ?? 0) | 1) >>> 0 === (SIGNATURE | 1) >>> 0;
  if (hasCallee) {
    for (let register = 4; register <= 11; register++) {
      found[register] = memory.word(top + 8 + 4 * (register - 4));
    }
  }
  const frame = hasCallee ? top + CALLEE_FRAME : top;
  const [r0, r1, r2, r3, r12, lr, pc, status] = Array.from({ length: 8 }, (_, index) => memory.word(frame + 4 * index));
  if (pc === undefined || status === undefined) {
    return { end: 'unknown', cfa };
  }
  const size = link & excReturn.basicFrame ? BASIC_FRAME : EXTENDED_FRAME;
  const sp = (frame + size + (status & PADDED ? 4 : 0)) >>> 0;
  found.splice(0, 4, r0, r1, r2, r3);
  found[12] = r12;
  found[SP] = sp;
  found[LR] = lr;
  return { pc: withoutThumb(pc), registers: found, source: 'exception-frame', cfa, isCall: false };
}

const replaced = (registers: Registers, register: number, value: number): Registers =>
  registers.map((one, index) => (index === register ? value : one));

/**
 * Returns the registers after a return without a frame. Registers that a called function may overwrite become
 * unknown.
 */
function afterReturn(registers: Registers, sp: number | undefined): Registers {
  return registers.map((value, register) => (register === SP ? sp : isKept(register) ? value : undefined));
}

/** Defines frames of a task's stack and the data needed to find them. */
import type { Frame, SymbolFile } from '../symbol-file.ts';
import type { CallFrameTable } from './call-frame-table.ts';
import type { ExceptionIndex } from './exception-index.ts';

/** Parts of the program's ELF file that unwinding needs. */
export interface UnwindProgram {
  readonly symbols: Pick<SymbolFile, 'lookup' | 'isCode' | 'isReturnAddress'>;
  readonly callFrames: CallFrameTable;
  /** For ARM programs. */
  readonly exceptionIndex?: ExceptionIndex | null;
  /** ARM programs only, see `CrashProgram`. */
  readonly usesFloatingPoint?: boolean | null;
}

/** Values by DWARF number; undefined for an unknown value. */
export type Registers = readonly (number | undefined)[];

/**
 * Method that found a frame, from certain to a guess:
 * - `registers`: the registers of the stopped task
 * - `call-frames`: the program's own table of call frames
 * - `exception-index`: the exception index of an ARM program, at a call
 * - `exception-index-guess`: that index in interrupted code; it is valid there unless a prologue or an epilogue was
 *   running
 * - `exception-frame`: interrupted code, from registers that an ARM processor saved at the entry of an exception
 * - `window`: registers that Xtensa's windows saved on the stack
 * - `link-register`: the return address register, if the table does not give the caller of the innermost function
 * - `scan`: a word of the stack with the address after a call
 * - `behind-guess`: any of the certain methods, applied to a frame that is a guess
 */
export type FrameSource =
  | 'registers'
  | 'call-frames'
  | 'exception-index'
  | 'exception-index-guess'
  | 'exception-frame'
  | 'window'
  | 'link-register'
  | 'scan'
  | 'behind-guess';

const guesses: ReadonlySet<FrameSource> = new Set(['link-register', 'scan', 'exception-index-guess', 'behind-guess']);

export const isGuess = (source: FrameSource): boolean => guesses.has(source);

/**
 * Returns the source of the caller of a frame. `frame` is the frame's own source, `caller` the method that found the
 * caller. A caller found from a guess is a guess as well.
 */
export const sourceBehind = (frame: FrameSource, caller: FrameSource): FrameSource =>
  isGuess(frame) && !isGuess(caller) ? 'behind-guess' : caller;

/**
 * Returns the source positions of an address in the program. Empty for other addresses, such as ROM, where the
 * preceding symbol may belong to another memory.
 */
export const placesAt = ({ symbols }: UnwindProgram, address: number): readonly Frame[] =>
  symbols.isCode(address) ? symbols.lookup(address) : [];

export interface StackFrame {
  readonly pc: number;
  /** Address that is looked up: the call if `pc` is a return address. */
  readonly lookedUp: number;
  readonly source: FrameSource;
  /** Stack pointer in this frame. */
  readonly sp: number;
  /** Stack pointer before the call of the function (CFA); null if unknown. */
  readonly frameEnd: number | null;
  /** Values by DWARF number; undefined for an unknown value. */
  readonly registers: Registers;
  /** Inlined calls first, the called function last; empty if the ELF file does not contain the address. */
  readonly places: readonly Frame[];
}

/** Reason for the end of a stack. */
export type StackEnd =
  /** The outermost function was reached. */
  | 'whole'
  /** The position of the next frame is unknown. */
  | 'unknown'
  /** The stack is damaged: the next frame would be the same one, inside this one, or outside the program. */
  | 'corrupt'
  | 'too-many';

export interface UnwoundStack {
  /** Innermost first. */
  readonly frames: readonly StackFrame[];
  readonly end: StackEnd;
}

/** Maximum number of frames; more usually result from endless recursion. */
export const MAX_FRAMES = 128;

/**
 * Returns true for ROM of Espressif's chips, code that the program's ELF file lacks. The ROM of the ESP32-P4 has its
 * own range. Source: their technical reference manuals, "System and memory".
 */
export function isRom(address: number): boolean {
  return (address >= 0x4000_0000 && address < 0x4007_0000) || (address >= 0x4fc0_0000 && address < 0x4fc2_0000);
}

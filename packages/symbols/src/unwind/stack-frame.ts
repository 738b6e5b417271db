/** A frame of a task's stack, and what finding it takes. */
import type { Frame, SymbolFile } from '../symbol-file.ts';
import type { CallFrameTable } from './call-frame-table.ts';
import type { ExceptionIndex } from './exception-index.ts';

/** What unwinding needs of the program's ELF file. */
export interface UnwindProgram {
  readonly symbols: Pick<SymbolFile, 'lookup' | 'isCode' | 'isReturnAddress'>;
  readonly callFrames: CallFrameTable;
  /** Of ARM programs. */
  readonly exceptionIndex?: ExceptionIndex | null;
  /** Of ARM programs, see `CrashProgram`. */
  readonly usesFloatingPoint?: boolean | null;
}

/** By DWARF number; undefined where a value is not known. */
export type Registers = readonly (number | undefined)[];

/**
 * How a frame was found, from certain to a guess:
 * - `registers`: the task stopped there
 * - `call-frames`: by the program's own table of call frames
 * - `exception-index`: at a call, by the exception index of an ARM program
 * - `exception-index-guess`: by that index in interrupted code, for which it holds unless a prologue or an epilogue was running
 * - `exception-frame`: interrupted code, by the registers that an ARM processor saved when it entered an exception
 * - `window`: by the registers that Xtensa's windows saved on the stack
 * - `link-register`: the table does not tell the caller of the innermost function; its return address was still in the register
 * - `scan`: a word of the stack with a call in front of what it points to
 * - `behind-guess`: by any of the certain ways, but from a frame that is a guess
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

/** Returns the source of the caller of a frame with the source `frame`, found by `caller`: what rests on a guess is one. */
export const sourceBehind = (frame: FrameSource, caller: FrameSource): FrameSource =>
  isGuess(frame) && !isGuess(caller) ? 'behind-guess' : caller;

/** Returns the functions at an address of the program; empty elsewhere, as in ROM, where the symbol in front of it may be of another memory. */
export const placesAt = ({ symbols }: UnwindProgram, address: number): readonly Frame[] =>
  symbols.isCode(address) ? symbols.lookup(address) : [];

export interface StackFrame {
  readonly pc: number;
  /** What is looked up: the call, where `pc` is a return address. */
  readonly lookedUp: number;
  readonly source: FrameSource;
  /** The stack pointer in this frame. */
  readonly sp: number;
  /** What the stack pointer was before the function was called (CFA); null where it is not known. */
  readonly frameEnd: number | null;
  /** By DWARF number; undefined where it is not known any more. */
  readonly registers: Registers;
  /** Inlined calls first, the function that was really called last; empty where the program's ELF file knows nothing of the address. */
  readonly places: readonly Frame[];
}

/** Why a stack ends. */
export type StackEnd =
  /** The outermost function. */
  | 'whole'
  /** Nothing tells where the next frame is. */
  | 'unknown'
  /** The next frame would be the same, or inside of this one: the stack is damaged. */
  | 'corrupt'
  | 'too-many';

export interface UnwoundStack {
  /** Innermost first. */
  readonly frames: readonly StackFrame[];
  readonly end: StackEnd;
}

/** More are most often a function that calls itself without end. */
export const MOST_FRAMES = 128;

/**
 * Code that the program's ELF file does not have: ROM of Espressif's chips, that of the ESP32-P4 elsewhere. Source: their technical reference manuals,
 * "System and memory".
 */
export function isRom(address: number): boolean {
  return (address >= 0x4000_0000 && address < 0x4007_0000) || (address >= 0x4fc0_0000 && address < 0x4fc2_0000);
}

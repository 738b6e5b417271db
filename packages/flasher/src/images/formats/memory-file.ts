/**
 * A program for chips whose flash is in the memory map (STM32, Nordic), from whatever format it came in: data at addresses.
 * A .bin has no address: the chip's flash has to be told.
 */
import { viewOf } from '../../core/bytes.ts';
import { formatOf, isMemoryFormat, type MemoryFormatKind } from './formats.ts';
import { type MemorySegment, mergeSegments } from './memory-segments.ts';

export interface MemoryFile {
  readonly format: MemoryFormatKind | 'bin';
  /** As people call it: `Intel HEX`. */
  readonly formatName: string;
  /** In the order of addresses, none touching another. */
  readonly segments: readonly MemorySegment[];
  /** Where execution begins, when the file says. */
  readonly entry: number | null;
}

/** Memory of Arm Cortex-M parts: code, then SRAM (Armv7-M Architecture Reference Manual, "The system address map"). */
const codeEnd = 0x2000_0000;
const memory = { start: 0x1000_0000, end: 0x4000_0000 };

/**
 * @param binAddress where a .bin goes. @throws ImageError of the format's reader. A UF2 file for several families gives the
 * first one.
 */
export function readMemoryFile(bytes: Uint8Array, binAddress: number): MemoryFile {
  const format = formatOf(bytes);
  if (isMemoryFormat(format)) {
    const { segments, entry } = format.read(bytes);
    return { format: format.kind, formatName: format.name, segments, entry };
  }
  return {
    format: 'bin',
    formatName: 'Raw binary',
    segments: mergeSegments([{ address: binAddress, bytes }]),
    entry: null,
  };
}

/** The first two words of an Arm Cortex-M program. */
export interface VectorTable {
  /** Initial stack pointer. */
  readonly stack: number;
  /** Address of the first instruction. */
  readonly reset: number;
}

/** Null when the bytes do not begin like a program for a Cortex-M: a stack in memory, and odd addresses of code behind it. */
export function vectorTableOf(bytes: Uint8Array): VectorTable | null {
  if (bytes.length < 16) {
    return null;
  }
  const view = viewOf(bytes);
  const stack = view.getUint32(0, true);
  const handlers = [4, 8, 12].map((at) => view.getUint32(at, true));
  const isCode = (address: number) => address % 2 === 1 && address < codeEnd;
  const hasStack = stack >= memory.start && stack < memory.end && stack % 4 === 0;
  return hasStack && handlers.every(isCode) ? { stack, reset: (handlers[0] ?? 1) - 1 } : null;
}

/**
 * A program for chips whose flash is in the memory map (STM32, Nordic), from whatever format it came in: data at addresses.
 * A .bin has no address: the chip's flash has to be told.
 */
import { viewOf } from '../../core/bytes.ts';
import { readDfuSuffix } from './dfu-suffix.ts';
import { memoryFormatNamed } from './file-extensions.ts';
import { formatOf, isMemoryFormat, type MemoryFormatKind, memoryFormat } from './formats.ts';
import type { OtherPart, OwnChips, UsbIds } from './image-format.ts';
import { type MemorySegment, mergeSegments } from './memory-segments.ts';

export interface MemoryFile {
  readonly format: MemoryFormatKind | 'bin';
  /** As people call it: `Intel HEX`. */
  readonly formatName: string;
  /** In the order of addresses, none touching another. */
  readonly segments: readonly MemorySegment[];
  /** Where execution begins, when the file says. */
  readonly entry: number | null;
  /** The kind of chip that `segments` are for, such as `STM32F4`; null when the file does not say. */
  readonly target: string | null;
  /** The USB device that the file is for, which ST's bootloader is one of; null when it does not say. */
  readonly device: UsbIds | null;
  /** What the file holds for other chips or memories: none of it is among `segments`. */
  readonly others: readonly OtherPart[];
}

/** Memory of Arm Cortex-M parts: code, then SRAM (Armv7-M Architecture Reference Manual, "The system address map"). */
const codeEnd = 0x2000_0000;
const stackRange = { start: 0x1000_0000, end: 0x4000_0000 };

export interface MemoryFileOptions {
  /** The chips that the file is read for; without them the first part of a file for several is taken. */
  readonly own?: OwnChips;
  /** Of the file. What is named like a format and is not one of its files is refused: it is no .bin with another name. */
  readonly name?: string;
}

/**
 * @param binAddress where a .bin goes
 * @throws ImageError of the format's reader
 */
export function readMemoryFile(bytes: Uint8Array, binAddress: number, options: MemoryFileOptions = {}): MemoryFile {
  const { own, name = '' } = options;
  const format = formatOf(bytes);
  if (format?.kind === 'dfu') {
    const { content, device } = readDfuSuffix(bytes);
    const file = readMemoryFile(content, binAddress, own === undefined ? {} : { own });
    return { ...file, formatName: file.format === 'bin' ? format.name : file.formatName, device };
  }
  const named = memoryFormatNamed(name);
  const memory = isMemoryFormat(format) ? format : named === null ? null : memoryFormat(named);
  if (memory !== null) {
    const { segments, entry, target = null, device = null, others = [] } = memory.read(bytes, own);
    return { format: memory.kind, formatName: memory.name, segments, entry, target, device, others };
  }
  return {
    format: 'bin',
    formatName: 'Raw binary',
    segments: mergeSegments([{ address: binAddress, bytes }]),
    entry: null,
    target: null,
    device: null,
    others: [],
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
  const hasStack = stack >= stackRange.start && stack < stackRange.end && stack % 4 === 0;
  return hasStack && handlers.every(isCode) ? { stack, reset: (handlers[0] ?? 1) - 1 } : null;
}

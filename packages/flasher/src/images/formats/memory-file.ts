/**
 * Reads a program for chips with flash in the memory map (STM32, Nordic) from any format, as data at addresses. A
 * .bin has no address, so the caller passes the start of the chip's flash.
 */
import { viewOf } from '../../core/bytes.ts';
import { readDfuSuffix } from './dfu-suffix.ts';
import { isNamedLike, memoryFormatNamed } from './file-extensions.ts';
import { formatOf, isMemoryFormat, type MemoryFormatKind, memoryFormat } from './formats.ts';
import type { OtherPart, OwnChips, UsbIds } from './image-format.ts';
import { type MemorySegment, mergeSegments } from './memory-segments.ts';

export interface MemoryFile {
  readonly format: MemoryFormatKind | 'bin';
  /** Name for people, such as `Intel HEX`. */
  readonly formatName: string;
  /** In the order of addresses, with gaps between them. */
  readonly segments: readonly MemorySegment[];
  /** Entry point; null if the file does not state one. */
  readonly entry: number | null;
  /** Kind of chip that `segments` are for, such as `STM32F4`; null if the file does not state one. */
  readonly target: string | null;
  /** USB device that the file is for, such as ST's bootloader; null if the file does not state one. */
  readonly device: UsbIds | null;
  /** Parts for other chips or memories, which are not among `segments`. */
  readonly others: readonly OtherPart[];
}

/**
 * Address ranges of Arm Cortex-M parts: code, then SRAM (Armv7-M Architecture Reference Manual, "The system address
 * map").
 */
const codeEnd = 0x2000_0000;
const stackRange = { start: 0x1000_0000, end: 0x4000_0000 };

export interface MemoryFileOptions {
  /** Chips that the file is read for. Default: the first part of a file for several chips. */
  readonly own?: OwnChips;
  /** Name of the file. A file with the extension of a format and other contents is refused, not read as a .bin. */
  readonly name?: string;
}

/**
 * Reads a file of any format.
 *
 * @param binAddress Address of a .bin.
 * @throws ImageError of the format's reader.
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

/** Returns true if the contents are of a format with addresses, and the name has one of its extensions. */
export function isMemoryFile(name: string, bytes: Uint8Array): boolean {
  const format = formatOf(bytes);
  return isMemoryFormat(format) && isNamedLike(name, format.kind);
}

/** First two words of an Arm Cortex-M program. */
export interface VectorTable {
  /** Initial stack pointer. */
  readonly stack: number;
  /** Address of the first instruction. */
  readonly reset: number;
}

/**
 * Reads the vector table. Returns null if the bytes do not begin with one: a stack in memory, then odd addresses of
 * code.
 */
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

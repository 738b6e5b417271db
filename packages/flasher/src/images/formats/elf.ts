/**
 * Reads the contents of memory and flash from an ELF file (System V ABI, chapters 4 and 5). These are its loadable
 * segments at their physical addresses, as far as sections fill them. Linkers often map their own headers into the
 * first segment. Sections show the program's real contents, and objcopy uses them too.
 */
import { ImageError } from '../image-error.ts';
import type { MemoryFormat } from './image-format.ts';
import { type MemorySegment, mergeSegments } from './memory-segments.ts';

const MAGIC = 0x7f454c46;
const TYPE_RELOCATABLE = 1;
const SEGMENT_LOAD = 1;
const SECTION_NO_BITS = 8;
const FLAG_ALLOCATED = 2;
/** Most segments or sections in a file. Programs have some dozens of each. */
const MAXIMUM_ENTRIES = 4_096;

/** `e_machine` → processor of a supported board. */
const machines: Readonly<Record<number, ElfMachine>> = { 40: 'arm', 83: 'avr', 94: 'xtensa', 243: 'riscv' };

type ElfMachine = 'arm' | 'avr' | 'xtensa' | 'riscv' | 'other';

export interface ElfProgram {
  readonly machine: ElfMachine;
  readonly entry: number;
  readonly segments: readonly MemorySegment[];
}

function startsLikeElf(bytes: Uint8Array): boolean {
  return bytes.length >= 16 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === MAGIC;
}

/**
 * Reads a linked program.
 *
 * @throws ImageError `not-elf`, `elf-damaged`, `elf-not-linked`, `nothing-to-load`, `address-twice`, `address-range`.
 */
export function readElf(bytes: Uint8Array): ElfProgram {
  if (!startsLikeElf(bytes)) {
    throw new ImageError('not-elf');
  }
  const reader = new FieldReader(bytes);
  if (reader.half(16) === TYPE_RELOCATABLE) {
    throw new ImageError('elf-not-linked');
  }
  const { is64 } = reader;
  const loads = readLoads(reader);
  const sections = readSections(reader);
  const pieces = sections.length === 0 ? loads : sections.flatMap((section) => placedSection(section, loads));
  // Each byte of a file is loaded once. A table that repeats bytes could take unlimited time.
  if (pieces.reduce((sum, { size }) => sum + size, 0) > bytes.length) {
    throw new ImageError('elf-damaged');
  }
  return {
    machine: machines[reader.half(18)] ?? 'other',
    entry: reader.word(24),
    segments: mergeSegments(
      pieces.map(({ address, start, size }) => ({ address, bytes: reader.bytesAt(start, size) })),
    ),
  };

  function readLoads({ half, word }: FieldReader): Stretch[] {
    const [table, entrySize, count] = is64 ? [word(32), half(54), half(56)] : [word(28), half(42), half(44)];
    return entries(table, entrySize, count).flatMap((at) => {
      const [start, address, size] = is64
        ? [word(at + 8), word(at + 24), word(at + 32)]
        : [word(at + 4), word(at + 12), word(at + 16)];
      return reader.long(at) === SEGMENT_LOAD && size > 0 ? [{ address, start, size }] : [];
    });
  }

  /** Returns the sections that are in memory at run time and have contents in the file. `address` is the linked one. */
  function readSections({ half, word }: FieldReader): Stretch[] {
    const [table, entrySize, count] = is64 ? [word(40), half(58), half(60)] : [word(32), half(46), half(48)];
    return entries(table, entrySize, count).flatMap((at) => {
      const [flags, address, start, size] = is64
        ? [word(at + 8), word(at + 16), word(at + 24), word(at + 32)]
        : [word(at + 8), word(at + 12), word(at + 16), word(at + 20)];
      const hasContents = reader.long(at + 4) !== SECTION_NO_BITS && (flags & FLAG_ALLOCATED) !== 0 && size > 0;
      return hasContents ? [{ address, start, size }] : [];
    });
  }

  function entries(table: number, entrySize: number, count: number): number[] {
    if (count > MAXIMUM_ENTRIES || (count > 0 && entrySize < 32)) {
      throw new ImageError('elf-damaged');
    }
    return Array.from({ length: table === 0 ? 0 : count }, (_, index) => table + index * entrySize);
  }
}

/** A range of the file and its address in memory. */
interface Stretch {
  readonly address: number;
  readonly start: number;
  readonly size: number;
}

/** Moves a section to the physical address of its segment. Returns an empty list if no segment loads it. */
function placedSection({ start, size }: Stretch, loads: readonly Stretch[]): Stretch[] {
  const load = loads.find((other) => start >= other.start && start + size <= other.start + other.size);
  return load === undefined ? [] : [{ address: load.address + (start - load.start), start, size }];
}

/**
 * Reads fields of both widths and byte orders.
 *
 * @throws ImageError `elf-damaged` for a field outside of the file.
 */
class FieldReader {
  readonly is64: boolean;
  readonly #littleEndian: boolean;
  readonly #view: DataView;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.is64 = bytes[4] === 2;
    this.#littleEndian = bytes[5] !== 2;
  }

  readonly half = (at: number): number => {
    this.#check(at, 2);
    return this.#view.getUint16(at, this.#littleEndian);
  };

  readonly long = (at: number): number => {
    this.#check(at, 4);
    return this.#view.getUint32(at, this.#littleEndian);
  };

  /** Reads 32 or 64 bits, depending on the size of the file's addresses. */
  readonly word = (at: number): number => {
    if (!this.is64) {
      return this.long(at);
    }
    this.#check(at, 8);
    return Number(this.#view.getBigUint64(at, this.#littleEndian));
  };

  bytesAt(start: number, size: number): Uint8Array {
    this.#check(start, size);
    return this.#bytes.subarray(start, start + size);
  }

  #check(at: number, size: number): void {
    if (!(at >= 0 && at + size <= this.#bytes.length)) {
      throw new ImageError('elf-damaged');
    }
  }
}

export const elf = {
  kind: 'elf',
  name: 'ELF',
  holds: 'memory',
  startsLike: startsLikeElf,
  read: readElf,
} as const satisfies MemoryFormat;

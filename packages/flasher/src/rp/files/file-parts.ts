/** Parts of a file as memory: one for each UF2 family, else the whole file. Reads damaged UF2 files as far as they go. */

import { groupedBy } from '../../core/grouped-by.ts';
import { readElf } from '../../images/formats/elf.ts';
import { memoryFormatNamed } from '../../images/formats/file-extensions.ts';
import { formatOf, type MemoryFormatKind } from '../../images/formats/formats.ts';
import { type MemoryFile, readMemoryFile } from '../../images/formats/memory-file.ts';
import { type MemorySegment, mergeSegments } from '../../images/formats/memory-segments.ts';
import { readUf2, type Uf2Block, uf2BlocksOf } from '../../images/formats/uf2.ts';
import { ImageError } from '../../images/image-error.ts';
import { ProgramMemory } from './program-memory.ts';
import { flashStart } from './rp-firmware.ts';

export interface FilePart {
  /** Null without a family. */
  readonly familyId: number | null;
  /** Null if the part contradicts itself. */
  readonly memory: ProgramMemory | null;
  /** Address at which the program begins; null if it has data for other places alone. */
  readonly start: number | null;
  /** Processor that an ELF file states; null for other formats. */
  readonly cpu: ElfCpu | null;
  /** Faults, in sentences. */
  readonly notes: readonly string[];
}

export type ElfCpu = 'arm' | 'riscv';

export interface FileParts {
  readonly format: MemoryFormatKind | 'bin';
  readonly formatName: string;
  readonly parts: readonly FilePart[];
  readonly fault: ImageError | null;
}

/** Size of the payload that boot ROM and picotool take, in bytes. They ignore all other blocks. */
export const uf2PayloadSize = 256;

/** Most families of a file that are looked into. Files have up to three. */
const MAX_FAMILIES = 16;

export function partsOfFile(name: string, bytes: Uint8Array, binAddress: number): FileParts {
  if (formatOf(bytes)?.kind === 'uf2' || (bytes.length > 0 && memoryFormatNamed(name) === 'uf2')) {
    const fault = faultOf(() => readUf2(bytes));
    return { format: 'uf2', formatName: 'UF2', parts: partsOfUf2(bytes), fault };
  }
  try {
    const { format, formatName, segments } = readRpMemoryFile(name, bytes, binAddress);
    return { format, formatName, parts: [{ ...partOf(null, segments), cpu: elfCpuOf(bytes) }], fault: null };
  } catch (error) {
    if (!(error instanceof ImageError)) {
      throw error;
    }
    const format = formatOf(bytes);
    const isElf = format?.kind === 'elf';
    return { format: isElf ? 'elf' : 'bin', formatName: format?.name ?? 'Raw binary', parts: [], fault: error };
  }
}

/**
 * Reads a file of any format but UF2.
 *
 * @throws ImageError of the format's reader, or `other-chip` for an ELF file of another processor. Both chips have 32 bits
 *   and are little-endian.
 */
export function readRpMemoryFile(name: string, bytes: Uint8Array, binAddress: number): MemoryFile {
  const isElf = formatOf(bytes)?.kind === 'elf';
  if (isElf && (bytes[4] !== 1 || bytes[5] !== 1 || elfCpuOf(bytes) === null)) {
    throw new ImageError('other-chip', { where: 'For another processor' });
  }
  return readMemoryFile(bytes, binAddress, { name });
}

/** Returns the processor of an ELF file; null for another processor and for other formats. */
export function elfCpuOf(bytes: Uint8Array): ElfCpu | null {
  const machine = formatOf(bytes)?.kind === 'elf' ? readElf(bytes).machine : null;
  return machine === 'arm' || machine === 'riscv' ? machine : null;
}

function faultOf(read: () => unknown): ImageError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof ImageError) {
      return error;
    }
    throw error;
  }
}

/** Takes the blocks that the boot ROM and picotool take. */
function partsOfUf2(bytes: Uint8Array): FilePart[] {
  const blocks = uf2BlocksOf(bytes).filter(({ use, size }) => use === 'flash' && size === uf2PayloadSize);
  const parts = [...groupedBy(blocks, ({ familyId }) => familyId)];
  const further = parts.length - MAX_FAMILIES;
  const rest = further > 0 ? [noPart(null, `${further} further families of the file are not shown.`)] : [];
  return [...parts.slice(0, MAX_FAMILIES).map(([familyId, own]) => partOfUf2(familyId, own)), ...rest];
}

const noPart = (familyId: number | null, note: string): FilePart => ({
  familyId,
  memory: null,
  start: null,
  cpu: null,
  notes: [note],
});

function partOfUf2(familyId: number | null, own: readonly Uf2Block[]): FilePart {
  if (familyId === null) {
    return noPart(familyId, 'It names no chip, so that no board takes it.');
  }
  const pieces = own.map(({ address, size, data }) => ({ address, bytes: data.subarray(0, size) }));
  const inside = pieces.filter(({ address, bytes }) => address + bytes.length <= 2 ** 32);
  const notes = inside.length < pieces.length ? ['It has data at an address beyond 32 bits.'] : [];
  try {
    return { ...partOf(familyId, mergeSegments(inside)), notes };
  } catch (error) {
    if (error instanceof ImageError) {
      return noPart(familyId, error.message);
    }
    throw error;
  }
}

function partOf(familyId: number | null, segments: readonly MemorySegment[]): FilePart {
  return { familyId, memory: new ProgramMemory(segments), start: startOf(segments), cpu: null, notes: [] };
}

/** RAM of an RP2350, which is larger than that of an RP2040, and the memory of the XIP caches of both. */
const ram = { start: 0x2000_0000, end: 0x2008_2000 };
const cache = { start: 0x13ff_c000, end: 0x1500_4000 };

/** Finds the start of a program: that of flash, else the lowest address in RAM, else in the memory of the cache. */
export function startOf(segments: readonly MemorySegment[]): number | null {
  const isIn = (range: { readonly start: number; readonly end: number }) =>
    segments.find(({ address }) => address >= range.start && address < range.end)?.address ?? null;
  const isFlash = segments.some(({ address, bytes }) => address <= flashStart && address + bytes.length > flashStart);
  return isFlash ? flashStart : (isIn(ram) ?? isIn(cache));
}

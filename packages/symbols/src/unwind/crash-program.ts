/** The program that crashed: everything of its ELF file that a core dump needs beside it. Read once; the file is not needed afterwards. */
import type { ByteSource } from '../byte-source.ts';
import type { MemorySegment } from '../core/core-memory.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import { type DebugSections, readDebugSections } from '../dwarf/debug-sections.ts';
import { findStructure, type StructureLayout } from '../dwarf/structures.ts';
import { readUnitHeaders, UnitReader } from '../dwarf/unit.ts';
import { readElfFile, sectionFlag } from '../elf/elf-file.ts';
import { readDebugSection, readSection } from '../elf/section-data.ts';
import type { OpenOptions, SymbolFile } from '../symbol-file.ts';
import { type CallFrameTable, readCallFrames } from './call-frame-table.ts';

export interface CrashProgram {
  readonly symbols: SymbolFile;
  readonly callFrames: CallFrameTable;
  /** What the file says is in memory at the start: code and constants, which do not change, and variables, which do. */
  readonly memory: readonly MemorySegment[];
  /** Of FreeRTOS's task control block; null when the debug information does not have it. */
  readonly taskControlBlock: StructureLayout | null;
}

/** FreeRTOS, `tasks.c`: `TCB_t`. */
const CONTROL_BLOCK = 'tskTaskControlBlock';
/** Of `.debug_info`, between two pauses. */
const BYTES_IN_A_TURN = 1 << 20;

/** @param symbols of the same file. Throws a `SymbolFileError` when the file cannot serve. */
export async function readCrashProgram(
  source: ByteSource,
  symbols: SymbolFile,
  options: Pick<OpenOptions, 'signal' | 'pause'> = {},
): Promise<CrashProgram> {
  const elf = await readElfFile(source);
  const memory: MemorySegment[] = [];
  let ehFrame: { bytes: Uint8Array; address: number } | null = null;
  for (const section of elf.sections) {
    const isLoaded = (section.flags & sectionFlag.allocated) !== 0 && section.size > 0;
    const bytes = isLoaded ? await readSection(source, elf, section) : null;
    if (bytes !== null) {
      memory.push({ address: section.address, bytes: bytes.slice() });
      ehFrame = section.name === '.eh_frame' ? { bytes: bytes.slice(), address: section.address } : ehFrame;
    }
  }
  const debugFrame = (await readDebugSection(source, elf, 'frame'))?.slice() ?? new Uint8Array();
  const callFrames = readCallFrames({ debugFrame, ehFrame }, elf.littleEndian);
  const sections = await readDebugSections(source, elf, options.signal);
  return { symbols, callFrames, memory, taskControlBlock: await findControlBlock(sections, options) };
}

async function findControlBlock(
  sections: DebugSections,
  { signal, pause }: Pick<OpenOptions, 'signal' | 'pause'>,
): Promise<StructureLayout | null> {
  const reader = new UnitReader(sections);
  let work = 0;
  for (const header of readUnitHeaders(sections)) {
    const found = unlessDamaged(() => findStructure(reader.read(header), CONTROL_BLOCK), undefined);
    if (found !== undefined) {
      return found;
    }
    work += header.end - header.offset;
    if (work >= BYTES_IN_A_TURN) {
      work = 0;
      signal?.throwIfAborted();
      await pause?.();
    }
  }
  return null;
}

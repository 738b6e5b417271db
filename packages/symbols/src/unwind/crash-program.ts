/** Data of a crashed program's ELF file that the analysis of a core dump needs. */
import { CoreMemory, type MemorySegment } from '../core/core-memory.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import { DebugEntries } from '../dwarf/debug-entries.ts';
import { readDebugSections } from '../dwarf/debug-sections.ts';
import { findStructure, type StructureLayout } from '../dwarf/structures.ts';
import { TypeReader } from '../dwarf/types.ts';
import { mayUseFloatingPoint } from '../elf/arm-attributes.ts';
import { type Section, sectionFlag, sectionType } from '../elf/elf-file.ts';
import { readDebugSection, readSection } from '../elf/section-data.ts';
import type { OpenOptions, SymbolFile } from '../symbol-file.ts';
import type { VariableProgram } from '../variables/frame-variables.ts';
import { type CallFrameTable, readCallFrames } from './call-frame-table.ts';
import { ExceptionIndex } from './exception-index.ts';

export interface CrashProgram {
  readonly symbols: SymbolFile;
  readonly callFrames: CallFrameTable;
  /** For ARM programs; null for other machines or without such a table. */
  readonly exceptionIndex: ExceptionIndex | null;
  /** False: this ARM program uses no floating-point registers, so exceptions do not save them. Null: unknown. */
  readonly usesFloatingPoint: boolean | null;
  /** Code and constants. Variables are left out, because the file only has their initial values. */
  readonly memory: readonly MemorySegment[];
  /** Layout of FreeRTOS's task control block; null if the debug information lacks it. */
  readonly taskControlBlock: StructureLayout | null;
  readonly variables: VariableProgram;
}

/** FreeRTOS, `tasks.c`: `TCB_t`. */
const CONTROL_BLOCK = 'tskTaskControlBlock';
/** Bytes of `.debug_info` between two pauses. */
const BYTES_IN_A_TURN = 1 << 20;

type ReadOptions = Pick<OpenOptions, 'signal' | 'pause'>;

/**
 * Reads the data of a symbol file that address lookups do not keep, because most files never need it.
 * @throws SymbolFileError if the file cannot be used.
 */
export async function readCrashProgram(symbols: SymbolFile, options: ReadOptions = {}): Promise<CrashProgram> {
  const { source, elf } = symbols.file;
  const memory: MemorySegment[] = [...symbols.code];
  const attributes = elf.machine === 'arm' ? elf.sections.find(({ type }) => type === sectionType.armAttributes) : null;
  const attributeBytes = attributes ? await readSection(source, elf, attributes) : null;
  let index: MemorySegment | undefined;
  let ehFrame: { bytes: Uint8Array; address: number } | null = null;
  for (const section of elf.sections) {
    const isData =
      (section.flags & sectionFlag.allocated) !== 0 &&
      (section.flags & sectionFlag.executable) === 0 &&
      section.type !== sectionType.noBits &&
      section.size > 0;
    const bytes =
      isData && (section.name === '.eh_frame' || isConstant(section)) ? await readSection(source, elf, section) : null;
    if (bytes !== null) {
      memory.push({ address: section.address, bytes: bytes.slice() });
      index = elf.machine === 'arm' && section.type === sectionType.armExceptionIndex ? memory.at(-1) : index;
      ehFrame = section.name === '.eh_frame' ? { bytes: bytes.slice(), address: section.address } : ehFrame;
    }
  }
  const debugFrame = (await readDebugSection(source, elf, 'frame'))?.slice() ?? new Uint8Array();
  const callFrames = readCallFrames({ debugFrame, ehFrame }, elf.littleEndian);
  const sections = await readDebugSections(source, elf, { signal: options.signal, purpose: 'variables' });
  const entries = new DebugEntries(sections);
  const types = new TypeReader(entries);
  return {
    symbols,
    callFrames,
    exceptionIndex: index === undefined ? null : new ExceptionIndex(index.bytes, index.address, new CoreMemory(memory)),
    usesFloatingPoint: attributeBytes && unlessDamaged(() => mayUseFloatingPoint(attributeBytes), null),
    memory,
    taskControlBlock: await findControlBlock(entries, types, options),
    variables: { entries, types, symbolAt: (address) => symbols.symbolAt(address) },
  };
}

/**
 * Names of sections in flash. ESP-IDF's linker scripts put arrays of constructors into `.flash.rodata`, so the linker
 * marks all of it as writable (`components/esp_system/ld`, `sections.ld.in` of each chip). Zephyr's section is named
 * `rodata`.
 */
const FLASH_SECTION = /^\.?(?:flash|irom0|rodata)(?:[._]|$)|\.rodata(?:[._]|$)/;

/** Returns true if the section never changes while the program runs: it is not writable, or it is in flash. */
const isConstant = ({ name, flags }: Pick<Section, 'name' | 'flags'>): boolean =>
  (flags & sectionFlag.writable) === 0 || FLASH_SECTION.test(name);

async function findControlBlock(
  entries: DebugEntries,
  types: TypeReader,
  { signal, pause }: ReadOptions,
): Promise<StructureLayout | null> {
  let work = 0;
  for (const header of entries.headers) {
    const found = unlessDamaged(() => findStructure(entries.unit(header), CONTROL_BLOCK, types), undefined);
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

/**
 * Converts addresses into functions, files and lines. The file is read once and turned into typed arrays. Each lookup
 * then takes a few binary searches and does not read the file. Results equal those of `llvm-addr2line -f -i`.
 * Addresses are numbers: exact up to 2^53, which covers all but kernels of 64-bit machines. Debug information in
 * separate files (split DWARF, `.dwo`) is not read; such a unit has only lines and the linker's names.
 */
import type { ByteSource } from './byte-source.ts';
import { followsCall, instructionAddress } from './call-site.ts';
import { demangle } from './demangle/demangle.ts';
import { readAddressTables } from './dwarf/address-table.ts';
import { readDebugSections } from './dwarf/debug-sections.ts';
import { readUnitHeaders, UnitReader } from './dwarf/unit.ts';
import { type ElfFile, readElfFile } from './elf/elf-file.ts';
import type { Machine } from './elf/machine.ts';
import { type CodeSection, readCode } from './elf/section-data.ts';
import { readSymbolTable, type SymbolTable } from './elf/symbol-table.ts';
import { type DebugIndex, IndexBuilder } from './lookup/debug-index.ts';
import { pathOfFile } from './lookup/line-index.ts';
import type { FoundSubroutine } from './lookup/subroutine-index.ts';
import { SymbolFileError } from './symbol-failure.ts';

/** Bytes of `.debug_info` between two pauses: about ten milliseconds of work. */
const BYTES_IN_A_TURN = 1 << 18;

export interface OpenOptions {
  /** Aborts reading; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called repeatedly with the completed share, from 0 to 1; the last call has 1. */
  readonly onProgress?: (share: number) => void;
  /**
   * Awaited after every few milliseconds of work, so that other tasks can run. Without it, the index is built without
   * interruption.
   */
  readonly pause?: () => Promise<void>;
}

/** Source position of an address; unknown properties are absent. */
export interface Frame {
  /** Linker name: mangled in C++ and Rust. */
  readonly symbol?: string;
  /** Name for users: demangled if possible, otherwise the same as `symbol`. */
  readonly name?: string;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

export interface SymbolFileSummary {
  readonly units: number;
  /** Number of units that are damaged and missing from the index, at least in part. */
  readonly damagedUnits: number;
  readonly lineRows: number;
  readonly subroutines: number;
  readonly symbols: number;
}

/**
 * Reads and indexes an ELF file.
 * @throws SymbolFileError if the file cannot be used.
 */
export async function openSymbolFile(source: ByteSource, options: OpenOptions = {}): Promise<SymbolFile> {
  try {
    const elf = await readElfFile(source);
    const symbols = await readSymbolTable(source, elf);
    const code = await readCode(source, elf);
    const index = await indexDebugInfo(source, elf, options);
    if (symbols.length === 0 && index.units === 0) {
      throw new SymbolFileError('no-symbols');
    }
    return new SymbolFile({ file: { source, elf }, symbols, code, index });
  } catch (cause) {
    // An impossible size in the file causes a RangeError.
    throw cause instanceof RangeError ? new SymbolFileError('damaged-section', { cause }) : cause;
  }
}

async function indexDebugInfo(source: ByteSource, elf: ElfFile, options: OpenOptions): Promise<DebugIndex> {
  const { signal, onProgress, pause } = options;
  const sections = await readDebugSections(source, elf, { signal, purpose: 'addresses' });
  const headers = readUnitHeaders(sections);
  const builder = new IndexBuilder(sections, new UnitReader(sections), headers, elf.is64);
  const addressTables = readAddressTables(sections);
  let work = 0;
  for (const [index, header] of headers.entries()) {
    signal?.throwIfAborted();
    builder.addUnit(index, addressTables.get(header.offset));
    work += header.end - header.offset;
    if (work >= BYTES_IN_A_TURN) {
      work = 0;
      onProgress?.(header.end / sections.info.length);
      await pause?.();
    }
  }
  const index = builder.build();
  onProgress?.(1);
  return index;
}

interface SymbolFileParts {
  readonly file: SymbolFile['file'];
  readonly symbols: SymbolTable;
  readonly code: readonly CodeSection[];
  readonly index: DebugIndex;
}

export class SymbolFile {
  readonly machine: Machine;
  /** Source and sections of the file, for callers that read more of it. */
  readonly file: { readonly source: ByteSource; readonly elf: ElfFile };
  readonly #symbols: SymbolTable;
  readonly #code: readonly CodeSection[];
  readonly #index: DebugIndex;
  /** Cache of demangled names by mangled name. */
  readonly #names = new Map<string, string>();

  constructor({ file, symbols, code, index }: SymbolFileParts) {
    this.file = file;
    this.machine = file.elf.machine;
    this.#symbols = symbols;
    this.#code = code;
    this.#index = index;
  }

  get summary(): SymbolFileSummary {
    const { units, damagedUnits, lines, subroutines } = this.#index;
    return {
      units,
      damagedUnits,
      lineRows: lines.rows,
      subroutines: subroutines.length,
      symbols: this.#symbols.length,
    };
  }

  /** Sections with the program's instructions. */
  get code(): readonly CodeSection[] {
    return this.#code;
  }

  /** Address ranges of the program's code; `low` is included, `high` is not. */
  get codeRanges(): { readonly low: number; readonly high: number }[] {
    return this.#code.map(({ address, bytes }) => ({ low: address, high: address + bytes.length }));
  }

  /** Returns true if the program has code at `address`. */
  isCode(address: number): boolean {
    return this.#section(address) !== undefined;
  }

  /** Returns true if a call instruction ends at `address`, or if this cannot be checked for the machine. */
  isReturnAddress(address: number): boolean {
    return (
      this.isCode(instructionAddress(this.machine, address) - 1) &&
      followsCall(this.machine, address, this.#read) !== false
    );
  }

  /**
   * Returns the source positions of the instruction at `address`: the innermost inlined call first, the called
   * function last. Empty if unknown. For a return address, look up the call instead, see `lookupAddress`. For an
   * arbitrary address, check `isCode` first, because linkers leave removed functions at address 0.
   */
  lookup(address: number): Frame[] {
    const symbol = this.#symbols.find(address);
    const frames = this.#debugFrames(address);
    const outermost = frames.at(-1);
    if (symbol === undefined) {
      return frames;
    }
    // Prefers the linker's name, like LLVM's symbolizer: it distinguishes copies that the compiler made of one
    // function.
    const file = outermost?.file ?? symbol.file;
    return [...frames.slice(0, -1), { ...outermost, ...this.#named(symbol.name), ...(file !== undefined && { file }) }];
  }

  /**
   * Names an address like GDB after a pointer: `buffer`, `buffer+4`. Functions without a size are accepted; variables
   * need a size that includes the address. Undefined if unknown.
   */
  symbolAt(address: number): string | undefined {
    const isCode = this.isCode(address);
    // Clears bit 0 of a function pointer, which marks Thumb code.
    const place = isCode && this.machine === 'arm' ? address - (address % 2) : address;
    const symbol = this.#symbols.find(place);
    if (symbol === undefined || (symbol.size === 0 && !isCode)) {
      return isCode ? this.lookup(place).at(-1)?.name : undefined;
    }
    const name = this.#named(symbol.name).name;
    const offset = place - symbol.address;
    return offset === 0 ? name : `${name}+${offset}`;
  }

  /**
   * Returns the entries in `.debug_info` of the functions that `lookup` names, the innermost inlined call first.
   * Empty if the debug information has no function there.
   */
  functionsAt(address: number): number[] {
    const unit = this.#index.unitAt(address);
    return unit === undefined
      ? []
      : this.#index.subroutines.chainAt(unit.subroutines, address).map(({ entry }) => entry);
  }

  #debugFrames(address: number): Frame[] {
    const unit = this.#index.unitAt(address);
    if (unit === undefined) {
      return [];
    }
    const { lineTable } = unit;
    const place = lineTable && this.#index.lines.find(lineTable, address);
    const chain = this.#index.subroutines.chainAt(unit.subroutines, address);
    const innermost: Pick<FoundSubroutine, 'name' | 'callFile' | 'callLine'> = {
      name: undefined,
      callFile: 0,
      callLine: 0,
    };
    const frames = (chain.length === 0 ? [innermost] : chain).map(({ name }, depth): Frame => {
      // The innermost frame's position is from the line table. Every other frame's position is the call of the next
      // inner frame.
      const inner = chain[depth - 1];
      const at = depth === 0 ? place : inner && { file: inner.callFile, line: inner.callLine };
      const file = lineTable && at && pathOfFile(lineTable, at.file);
      return {
        ...this.#named(name),
        ...(file !== undefined && { file }),
        ...(at !== undefined && at.line > 0 && { line: at.line }),
      };
    });
    return chain.length === 0 && place === undefined ? [] : frames;
  }

  #named(symbol: string | undefined): Pick<Frame, 'symbol' | 'name'> {
    if (symbol === undefined) {
      return {};
    }
    const name = this.#names.get(symbol) ?? demangle(symbol) ?? symbol;
    this.#names.set(symbol, name);
    return { symbol, name };
  }

  readonly #read = (address: number, length: number): Uint8Array | undefined => {
    const section = this.#section(address);
    const at = section && address - section.address;
    return at === undefined ? undefined : section?.bytes.subarray(at, at + length);
  };

  #section(address: number): CodeSection | undefined {
    return this.#code.find((section) => address >= section.address && address < section.address + section.bytes.length);
  }
}

/**
 * From an address to functions, files and lines. The file is read once and turned into typed arrays; after that every answer
 * is a few binary searches, and takes nothing of the file itself. Answers as `llvm-addr2line -f -i` does.
 * Addresses are numbers: exact up to 2^53, which covers all but kernels of 64-bit machines. What is in files apart (split
 * DWARF, `.dwo`) is not read: of such a unit there are lines and the linker's names. Knows no console and no panic.
 */
import type { ByteSource } from './byte-source.ts';
import { followsCall, instructionAddress } from './call-site.ts';
import { demangle } from './demangle/demangle.ts';
import { readAddressTables } from './dwarf/address-table.ts';
import { readDebugSections } from './dwarf/debug-sections.ts';
import { readUnitHeaders, UnitReader } from './dwarf/unit.ts';
import { type CodeSection, readCode } from './elf/code.ts';
import { type ElfFile, readElfFile } from './elf/elf-file.ts';
import type { Machine } from './elf/machine.ts';
import { readSymbolTable, type SymbolTable } from './elf/symbol-table.ts';
import { type DebugIndex, IndexBuilder } from './lookup/debug-index.ts';
import { pathOfFile } from './lookup/line-index.ts';
import type { FoundSubroutine } from './lookup/subroutine-index.ts';
import { SymbolFileError } from './symbol-failure.ts';

/** Of `.debug_info`, between two pauses: about ten milliseconds' work. */
const BYTES_IN_A_TURN = 1 << 18;

export interface OpenOptions {
  /** Rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called now and then with the share that is done, 0 to 1, at the end with 1. */
  readonly onProgress?: (share: number) => void;
  /** Waited for after every few milliseconds' work, so that others get their turn; without it the index is built in one go. */
  readonly pause?: () => Promise<void>;
}

/** A place in the source. What is not known is absent. */
export interface Frame {
  /** As linked: mangled in C++ and Rust. */
  readonly symbol?: string;
  /** For people: demangled where that is understood, else the same as `symbol`. */
  readonly name?: string;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

export interface SymbolFileSummary {
  readonly units: number;
  /** Units that were left out, in part at least, because they are damaged. */
  readonly damagedUnits: number;
  readonly lineRows: number;
  readonly subroutines: number;
  readonly symbols: number;
}

/** Reads and indexes an ELF file. Throws a `SymbolFileError` when it cannot serve. */
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
    // Sizes that no file can have show as a RangeError.
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
  /** Where it is from, for who needs more of it. */
  readonly file: { readonly source: ByteSource; readonly elf: ElfFile };
  readonly #symbols: SymbolTable;
  readonly #code: readonly CodeSection[];
  readonly #index: DebugIndex;
  /** Demangled names by mangled ones, of those that were asked for. */
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

  /** The program's instructions. */
  get code(): readonly CodeSection[] {
    return this.#code;
  }

  /** Where the program has code: addresses from `low` up to, and without, `high`. */
  get codeRanges(): { readonly low: number; readonly high: number }[] {
    return this.#code.map(({ address, bytes }) => ({ low: address, high: address + bytes.length }));
  }

  /** Whether the program has code at `address`. */
  isCode(address: number): boolean {
    return this.#section(address) !== undefined;
  }

  /** Whether a call is right before `address`; true where that cannot be known for this machine. */
  isReturnAddress(address: number): boolean {
    return (
      this.isCode(instructionAddress(this.machine, address) - 1) &&
      followsCall(this.machine, address, this.#read) !== false
    );
  }

  /**
   * Where the instruction at `address` comes from: the innermost inlined call first, the function that was really called
   * last. Empty when nothing is known. For a return address ask for the call instead, see `lookupAddress`. Ask `isCode` first
   * where the address may be anything: linkers leave functions that they dropped at address 0.
   */
  lookup(address: number): Frame[] {
    const symbol = this.#symbols.find(address);
    const frames = this.#debugFrames(address);
    const outermost = frames.at(-1);
    if (symbol === undefined) {
      return frames;
    }
    // The linker's name wins, as in LLVM's symbolizer: it tells copies apart that the compiler made of one function.
    const file = outermost?.file ?? symbol.file;
    return [...frames.slice(0, -1), { ...outermost, ...this.#named(symbol.name), ...(file !== undefined && { file }) }];
  }

  /**
   * Names what is at `address` as GDB does behind a pointer: `buffer`, `buffer+4`. A function counts without a size, a variable only where its size reaches so far.
   * Undefined when nothing is known.
   */
  symbolAt(address: number): string | undefined {
    const isCode = this.isCode(address);
    // Bit 0 of a pointer to a function says that it is Thumb code.
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
   * Entries in `.debug_info` of the functions that `lookup` names: the innermost inlined call first. Empty where the debug information knows of none.
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
      // A frame is where the one inside of it was called; the innermost where the line table says.
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

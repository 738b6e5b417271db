/**
 * Reads the functions and objects of the symbol table, by address. They name code without debug information, and the
 * outermost frame of other code. Chooses symbols like LLVM's symbolizer (`SymbolizableObjectFile.cpp`), so that both
 * give the same answers.
 */
import { ByteCursor, stringAt } from '../byte-cursor.ts';
import type { ByteSource } from '../byte-source.ts';
import { lastAtMost } from '../lookup/search.ts';
import { type ElfFile, sectionFlag, sectionType } from './elf-file.ts';
import { readSection } from './section-data.ts';

const type = { none: 0, object: 1, function: 2, file: 4, indirectFunction: 10 } as const;
const BINDING_LOCAL = 0;
/** First reserved section index (`SHN_LORESERVE`): absolute and common symbols have no section. */
const RESERVED_SECTIONS = 0xff00;
const NO_FILE = 0xffff_ffff;

export interface LinkedSymbol {
  /** Name for the linker; mangled in C++. */
  readonly name: string;
  /** Base name of the source file. Known for local symbols only, if the linker recorded it. */
  readonly file: string | undefined;
  readonly address: number;
  /** In bytes; 0 if the file does not give it. */
  readonly size: number;
}

export class SymbolTable {
  readonly #addresses: Float64Array;
  readonly #sizes: Float64Array;
  readonly #names: Uint32Array;
  readonly #files: Uint32Array;
  readonly #strings: Uint8Array;

  constructor(symbols: readonly RawSymbol[], strings: Uint8Array) {
    this.#addresses = Float64Array.from(symbols, ({ address }) => address);
    this.#sizes = Float64Array.from(symbols, ({ size }) => size);
    this.#names = Uint32Array.from(symbols, ({ name }) => name);
    this.#files = Uint32Array.from(symbols, ({ file }) => file);
    this.#strings = strings;
  }

  get length(): number {
    return this.#addresses.length;
  }

  /**
   * Finds the nearest symbol at or before `address`. Undefined if there is no such symbol, or its size says that it
   * ends before `address`.
   */
  find(address: number): LinkedSymbol | undefined {
    const index = lastAtMost(this.#addresses, address, 0, this.#addresses.length);
    const start = this.#addresses[index];
    const size = this.#sizes[index] ?? 0;
    if (start === undefined || (size !== 0 && address >= start + size)) {
      return undefined;
    }
    const file = this.#files[index] ?? NO_FILE;
    return {
      name: stringAt(this.#strings, this.#names[index] ?? 0),
      file: file === NO_FILE ? undefined : stringAt(this.#strings, file) || undefined,
      address: start,
      size,
    };
  }
}

/** Symbol with its names as offsets into the table's strings. */
interface RawSymbol {
  readonly address: number;
  readonly size: number;
  readonly name: number;
  readonly file: number;
}

/** Reads the symbol table, or else the dynamic symbols; the result is empty if the file has neither. */
export async function readSymbolTable(source: ByteSource, file: ElfFile): Promise<SymbolTable> {
  const ofType = (wanted: number) => file.sections.find((section) => section.type === wanted);
  const section = ofType(sectionType.symbolTable) ?? ofType(sectionType.dynamicSymbols);
  const stringSection = section === undefined ? undefined : file.sections[section.link];
  const bytes = section === undefined ? null : await readSection(source, file, section);
  const strings = stringSection === undefined ? null : await readSection(source, file, stringSection);
  if (bytes === null || strings === null) {
    return new SymbolTable([], new Uint8Array());
  }
  // Copies the strings, because they are used longer than the file's bytes.
  return new SymbolTable(oneForEachAddress(readSymbols(bytes, strings, file)), strings.slice());
}

function readSymbols(bytes: Uint8Array, strings: Uint8Array, file: ElfFile): RawSymbol[] {
  const cursor = new ByteCursor(bytes, file.littleEndian);
  const entrySize = file.is64 ? 24 : 16;
  const symbols: RawSymbol[] = [];
  let lastFile = NO_FILE;
  for (let at = entrySize; at + entrySize <= bytes.length; at += entrySize) {
    cursor.position = at;
    const entry = file.is64 ? entry64(cursor) : entry32(cursor);
    const kind = entry.info & 0xf;
    if (kind === type.file) {
      lastFile = entry.name;
    } else if (isWanted(entry.section, kind, file) && isName(strings, entry.name, file)) {
      symbols.push({
        // Clears bit 0 of an ARM function's address, which marks Thumb code.
        address: file.machine === 'arm' && kind === type.function ? entry.value - (entry.value % 2) : entry.value,
        size: entry.size,
        name: entry.name,
        file: entry.info >> 4 === BINDING_LOCAL ? lastFile : NO_FILE,
      });
    }
  }
  return symbols;
}

interface Entry {
  readonly name: number;
  readonly value: number;
  readonly size: number;
  readonly info: number;
  readonly section: number;
}

function entry32(cursor: ByteCursor): Entry {
  const [name, value, size, info] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u8()];
  cursor.advance(1);
  return { name, value, size, info, section: cursor.u16() };
}

function entry64(cursor: ByteCursor): Entry {
  const [name, info] = [cursor.u32(), cursor.u8()];
  cursor.advance(1);
  return { name, info, section: cursor.u16(), value: cursor.u64(), size: cursor.u64() };
}

function isWanted(section: number, kind: number, file: ElfFile): boolean {
  const isNamedThing =
    kind === type.none || kind === type.object || kind === type.function || kind === type.indirectFunction;
  const flags = section === 0 || section >= RESERVED_SECTIONS ? 0 : (file.sections[section]?.flags ?? 0);
  return isNamedThing && (flags & sectionFlag.allocated) !== 0;
}

/**
 * Returns false for marks of the assembler. `$x`, `$d` and similar separate code from data; `.L0 ` marks the
 * difference of labels.
 */
function isName(strings: Uint8Array, offset: number, { machine }: ElfFile): boolean {
  const first = strings[offset] ?? 0;
  const isMark =
    (first === 0x24 && (machine === 'riscv' || machine === 'arm' || machine === 'aarch64')) ||
    (first === 0x2e && machine === 'riscv' && stringAt(strings, offset) === '.L0 ');
  return first !== 0 && !isMark;
}

/** Keeps one symbol for each address: the largest, or the last of equal size. Sorts by address. */
function oneForEachAddress(symbols: RawSymbol[]): RawSymbol[] {
  symbols.sort((a, b) => a.address - b.address || a.size - b.size);
  return symbols.filter((symbol, index) => symbols[index + 1]?.address !== symbol.address);
}

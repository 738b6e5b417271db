/**
 * Reads the header and the section table of an ELF file, 32 and 64 bit, both byte orders (System V ABI, chapter 4).
 * Contents of sections are read by `section-data.ts`.
 */
import { ByteCursor, stringAt } from '../byte-cursor.ts';
import { type ByteSource, readExactly } from '../byte-source.ts';
import { SymbolFileError } from '../symbol-failure.ts';
import { type Machine, machineOf } from './machine.ts';

const MAGIC = [0x7f, 0x45, 0x4c, 0x46];
const CLASS_64 = 2;
const DATA_BIG_ENDIAN = 2;
const TYPE_RELOCATABLE = 1;
/** Value of `e_shstrndx` if the real index is in section 0 (`SHN_XINDEX`). */
const EXTENDED_INDEX = 0xffff;

export const sectionType = {
  symbolTable: 2,
  noBits: 8,
  dynamicSymbols: 11,
  armExceptionIndex: 0x7000_0001,
  armAttributes: 0x7000_0003,
} as const;
export const sectionFlag = { writable: 0x1, allocated: 0x2, executable: 0x4, compressed: 0x800 } as const;

export interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  /** Address in the memory of the device. */
  readonly address: number;
  /** Offset in the file. */
  readonly offset: number;
  readonly size: number;
  /** Index of an associated section: for a symbol table, its strings. */
  readonly link: number;
}

export interface ElfFile {
  readonly machine: Machine;
  readonly is64: boolean;
  readonly littleEndian: boolean;
  /** In the order of the file: section indexes in the file are indexes of this array. */
  readonly sections: readonly Section[];
}

/**
 * Reads header and section table.
 * @throws SymbolFileError if the source is no ELF file, was not linked, or ends too early.
 */
export async function readElfFile(source: ByteSource): Promise<ElfFile> {
  const identity = await source.read(0, 16);
  if (identity.length < 16 || MAGIC.some((byte, index) => identity[index] !== byte)) {
    throw new SymbolFileError('not-elf');
  }
  const is64 = identity[4] === CLASS_64;
  const littleEndian = identity[5] !== DATA_BIG_ENDIAN;
  const header = new ByteCursor(await readExactly(source, 16, is64 ? 48 : 36), littleEndian);
  const type = header.u16();
  const machine = machineOf(header.u16());
  if (type === TYPE_RELOCATABLE) {
    throw new SymbolFileError('not-linked');
  }
  const word = is64 ? 8 : 4;
  // e_version, e_entry, e_phoff
  header.advance(4 + 2 * word);
  const tableOffset = header.unsigned(word);
  // e_flags, e_ehsize, e_phentsize, e_phnum
  header.advance(4 + 3 * 2);
  const entrySize = header.u16();
  const count = header.u16();
  const nameIndex = header.u16();
  const sections = tableOffset === 0 ? [] : await readSections(source, { tableOffset, entrySize, count, nameIndex });
  return { machine, is64, littleEndian, sections };

  async function readSections(file: ByteSource, table: SectionTable): Promise<Section[]> {
    if (table.entrySize < (is64 ? 64 : 40)) {
      throw new SymbolFileError('damaged-section');
    }
    const first = section(await readExactly(file, table.tableOffset, table.entrySize));
    const total = table.count === 0 ? first.size : table.count;
    const bytes = await readExactly(file, table.tableOffset, total * table.entrySize);
    const unnamed = Array.from({ length: total }, (_, index) =>
      section(bytes.subarray(index * table.entrySize, (index + 1) * table.entrySize)),
    );
    const names = unnamed[table.nameIndex === EXTENDED_INDEX ? first.link : table.nameIndex];
    const strings = names === undefined ? new Uint8Array() : await readExactly(file, names.offset, names.size);
    return unnamed.map(({ nameOffset, ...rest }) => ({ ...rest, name: stringAt(strings, nameOffset) }));
  }

  function section(bytes: Uint8Array): UnnamedSection {
    const cursor = new ByteCursor(bytes, littleEndian);
    return {
      nameOffset: cursor.u32(),
      type: cursor.u32(),
      flags: cursor.unsigned(word),
      address: cursor.unsigned(word),
      offset: cursor.unsigned(word),
      size: cursor.unsigned(word),
      link: cursor.u32(),
    };
  }
}

interface SectionTable {
  readonly tableOffset: number;
  readonly entrySize: number;
  readonly count: number;
  readonly nameIndex: number;
}

type UnnamedSection = Omit<Section, 'name'> & { readonly nameOffset: number };

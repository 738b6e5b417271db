/**
 * Reads the content of a section and decompresses it if necessary. Formats: `SHF_COMPRESSED` (System V ABI, "Section
 * Compression") and the older GNU form. The GNU form is a section named `.zdebug_…` that starts with `ZLIB` and the
 * size.
 */
import { ByteCursor } from '../byte-cursor.ts';
import { type ByteSource, readExactly } from '../byte-source.ts';
import { SymbolFileError } from '../symbol-failure.ts';
import { type ElfFile, type Section, sectionFlag, sectionType } from './elf-file.ts';

const COMPRESSION_ZLIB = 1;
const GNU_MAGIC = 'ZLIB';
const GNU_HEADER = 12;

/**
 * Returns the content; null for a section without content in the file.
 * @throws SymbolFileError if it cannot be read or decompressed.
 */
export async function readSection(source: ByteSource, file: ElfFile, section: Section): Promise<Uint8Array | null> {
  if (section.type === sectionType.noBits) {
    return null;
  }
  const bytes = await readExactly(source, section.offset, section.size);
  if ((section.flags & sectionFlag.compressed) !== 0) {
    return unpackSection(bytes, file);
  }
  const isGnu = section.name.startsWith('.zdebug_') && String.fromCharCode(...bytes.subarray(0, 4)) === GNU_MAGIC;
  if (!isGnu) {
    return bytes;
  }
  // The size is always big-endian, independent of the file's byte order.
  const size = new ByteCursor(bytes, false, GNU_MAGIC.length).u64();
  return inflate(bytes.subarray(GNU_HEADER), size);
}

/** Reads the debug section `.debug_<name>` or `.zdebug_<name>`; null if the file has neither. */
export async function readDebugSection(source: ByteSource, file: ElfFile, name: string): Promise<Uint8Array | null> {
  const section = file.sections.find((other) => other.name === `.debug_${name}` || other.name === `.zdebug_${name}`);
  return section === undefined ? null : readSection(source, file, section);
}

/** Section with instructions. */
export interface CodeSection {
  readonly address: number;
  /** Copy, because it is used longer than the file's bytes. */
  readonly bytes: Uint8Array;
}

/** Reads all sections with instructions. */
export async function readCode(source: ByteSource, file: ElfFile): Promise<CodeSection[]> {
  const found: CodeSection[] = [];
  for (const section of file.sections) {
    const isCode = (section.flags & sectionFlag.executable) !== 0 && section.size > 0;
    const bytes = isCode ? await readSection(source, file, section) : null;
    if (bytes !== null) {
      found.push({ address: section.address, bytes: bytes.slice() });
    }
  }
  return found;
}

function unpackSection(bytes: Uint8Array, file: ElfFile): Promise<Uint8Array> {
  if (bytes.length < (file.is64 ? 24 : 12)) {
    throw new SymbolFileError('damaged-section');
  }
  const header = new ByteCursor(bytes, file.littleEndian);
  if (header.u32() !== COMPRESSION_ZLIB) {
    throw new SymbolFileError('unsupported-compression');
  }
  // `Elf64_Chdr` has a reserved word before the size. The alignment follows the size.
  header.advance(file.is64 ? 4 : 0);
  const size = header.unsigned(file.is64 ? 8 : 4);
  header.advance(file.is64 ? 8 : 4);
  return inflate(bytes.subarray(header.position), size);
}

/**
 * Decompresses zlib data into exactly `size` bytes. Stops at the first excess byte, so that a small file cannot fill
 * the memory.
 */
async function inflate(packed: Uint8Array, size: number): Promise<Uint8Array> {
  // Deflate reaches at most 1,032 to 1. A larger size is damage and must not be allocated.
  if (size > packed.length * 1_032) {
    throw new SymbolFileError('damaged-section');
  }
  const unpacked = new Uint8Array(size);
  let length = 0;
  try {
    const reader = new Blob([packed.slice()]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      unpacked.set(read.value, length);
      length += read.value.length;
    }
  } catch (cause) {
    throw new SymbolFileError('damaged-section', { cause });
  }
  if (length !== size) {
    throw new SymbolFileError('damaged-section');
  }
  return unpacked;
}

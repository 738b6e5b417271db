/** Reads the sections with instructions. Their bytes are copies, because they are used longer than the file's bytes. */
import type { ByteSource } from '../byte-source.ts';
import { type ElfFile, sectionFlag } from './elf-file.ts';
import { readSection } from './section-data.ts';

export interface CodeSection {
  readonly address: number;
  readonly bytes: Uint8Array;
}

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

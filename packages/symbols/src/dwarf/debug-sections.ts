/** The debug sections of one file, all that address lookup needs; an absent one is empty. */
import type { ByteSource } from '../byte-source.ts';
import type { ElfFile } from '../elf/elf-file.ts';
import { readDebugSection } from '../elf/section-data.ts';

const names = [
  'info',
  'abbrev',
  'line',
  'line_str',
  'str',
  'str_offsets',
  'addr',
  'ranges',
  'rnglists',
  'aranges',
] as const;
type SectionName = (typeof names)[number];

export type DebugSections = Readonly<Record<SectionName, Uint8Array>> & { readonly littleEndian: boolean };

export async function readDebugSections(
  source: ByteSource,
  file: ElfFile,
  signal?: AbortSignal,
): Promise<DebugSections> {
  const sections: [SectionName, Uint8Array][] = [];
  for (const name of names) {
    signal?.throwIfAborted();
    sections.push([name, (await readDebugSection(source, file, name)) ?? new Uint8Array()]);
  }
  return { ...(Object.fromEntries(sections) as Record<SectionName, Uint8Array>), littleEndian: file.littleEndian };
}

/** Reads the debug sections of one file; an absent section is empty. */
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
  'loc',
  'loclists',
] as const;
type SectionName = (typeof names)[number];
/** Sections with the locations of variables, which address lookups do not need. */
const locationNames: readonly string[] = ['loc', 'loclists'] satisfies SectionName[];

export type DebugSections = Readonly<Record<SectionName, Uint8Array>> & { readonly littleEndian: boolean };

/**
 * Reads the sections that `purpose` needs; the others stay empty.
 * @param purpose `addresses` skips the locations of variables; `variables` skips the line tables and the address
 *   summary
 */
export async function readDebugSections(
  source: ByteSource,
  file: ElfFile,
  { signal, purpose }: { readonly signal?: AbortSignal | undefined; readonly purpose: 'addresses' | 'variables' },
): Promise<DebugSections> {
  const sections: [SectionName, Uint8Array][] = [];
  const isLeftOut = (name: SectionName) =>
    purpose === 'addresses' ? locationNames.includes(name) : name === 'line' || name === 'aranges';
  for (const name of names) {
    signal?.throwIfAborted();
    const bytes = isLeftOut(name) ? null : await readDebugSection(source, file, name);
    sections.push([name, bytes ?? new Uint8Array()]);
  }
  return { ...(Object.fromEntries(sections) as Record<SectionName, Uint8Array>), littleEndian: file.littleEndian };
}

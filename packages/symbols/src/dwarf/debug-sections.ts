/** The debug sections of one file; an absent one is empty. */
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
/** Where variables are, which looking up addresses takes nothing of. */
const locationNames: readonly string[] = ['loc', 'loclists'] satisfies SectionName[];

export type DebugSections = Readonly<Record<SectionName, Uint8Array>> & { readonly littleEndian: boolean };

/** @param purpose what they are for: looking up addresses takes no locations of variables, these take no lines */
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

/**
 * File name extensions of each format, in lower case and without the dot. Small, because pages need it for their file
 * pickers.
 */
import type { FormatKind, MemoryFormatKind } from './formats.ts';

const memoryFiles = {
  elf: ['elf', 'axf', 'out'],
  uf2: ['uf2'],
  dfuse: ['dfu'],
  'intel-hex': ['hex', 'ihx', 'ihex'],
  's-record': ['s19', 's28', 's37', 'srec', 'mot'],
} as const satisfies Record<MemoryFormatKind, readonly string[]>;

const fileExtensions = {
  ...memoryFiles,
  zip: ['zip'],
  dfu: ['dfu'],
  // Signed images are .bin files like any other.
  mcuboot: [],
} as const satisfies Record<FormatKind, readonly string[]>;

/** Extensions of all formats that hold data at addresses. */
export const memoryFileExtensions: readonly string[] = Object.values(memoryFiles).flat();

/** Returns the format with data at addresses that the name's extension belongs to; null for other names. */
export function memoryFormatNamed(name: string): MemoryFormatKind | null {
  return (Object.keys(memoryFiles) as MemoryFormatKind[]).find((kind) => isNamedLike(name, kind)) ?? null;
}

/** Returns true if the name has an extension of this format. */
export function isNamedLike(name: string, kind: FormatKind): boolean {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return extension !== undefined && (fileExtensions[kind] as readonly string[]).includes(extension);
}

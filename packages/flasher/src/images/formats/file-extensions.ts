/**
 * File name extensions of each format, in lower case and without the dot. Small, because pages need it for their file
 * pickers.
 */
import type { FormatKind, MemoryFormatKind } from './formats.ts';

/** The usual extension of each format comes first. */
const memoryFiles = {
  'intel-hex': ['hex', 'ihx', 'ihex'],
  's-record': ['s19', 's28', 's37', 'srec', 'mot'],
  elf: ['elf', 'axf', 'out'],
  uf2: ['uf2'],
  dfuse: ['dfu'],
  'ti-txt': ['txt'],
} as const satisfies Record<MemoryFormatKind, readonly string[]>;

/** Extensions that files of other kinds have too. Contents decide if such a file is of a format. */
const sharedExtensions: readonly string[] = ['txt'];

const fileExtensions = {
  ...memoryFiles,
  zip: ['zip'],
  dfu: ['dfu'],
  // Signed images are .bin files like any other.
  mcuboot: [],
} as const satisfies Record<FormatKind, readonly string[]>;

/** Extensions of all formats that hold data at addresses, for file pickers. */
export const pickedExtensions: readonly string[] = Object.values(memoryFiles).flat();

/** Extensions that no other files have: a name with one of them makes a file firmware. */
export const memoryFileExtensions: readonly string[] = pickedExtensions.filter(isOwn);

/** One extension of each format, for sentences: the usual one. */
export const usualExtensions: readonly string[] = Object.values(memoryFiles).flatMap(([usual]) =>
  isOwn(usual) ? [usual] : [],
);

/** Returns the format that the name's extension belongs to. Null for other names, and for a shared extension. */
export function memoryFormatNamed(name: string): MemoryFormatKind | null {
  const kinds = Object.keys(memoryFiles) as MemoryFormatKind[];
  return isOwn(extensionOf(name)) ? (kinds.find((kind) => isNamedLike(name, kind)) ?? null) : null;
}

/** Returns true if the name has an extension of this format. */
export function isNamedLike(name: string, kind: FormatKind): boolean {
  return (fileExtensions[kind] as readonly string[]).includes(extensionOf(name));
}

function isOwn(extension: string): boolean {
  return !sharedExtensions.includes(extension);
}

/** Returns the extension in lower case; empty for a name without one. */
function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/**
 * Formats that are recognised by their first or last bytes. The recipe for a new format is in CONTRIBUTING.md, "A file
 * format".
 */
import { dfu } from './dfu-suffix.ts';
import { dfuse } from './dfuse.ts';
import { elf } from './elf.ts';
import type { ImageFormat, MemoryFormat } from './image-format.ts';
import { intelHex } from './intel-hex.ts';
import { mcuboot } from './mcuboot.ts';
import { sRecord } from './s-record.ts';
import { tiTxt } from './ti-txt.ts';
import { uf2 } from './uf2.ts';
import { zip } from './zip.ts';

/**
 * All formats. No two begin alike, which `formats-apart.test.ts` checks. Any file may have a DFU suffix, so it is removed
 * before the rest is examined.
 */
export const formats = [
  dfuse,
  dfu,
  zip,
  elf,
  uf2,
  intelHex,
  sRecord,
  tiTxt,
  mcuboot,
] as const satisfies readonly ImageFormat[];

type Listed = (typeof formats)[number];

export type FormatKind = Listed['kind'];

/** Formats that hold data at addresses. */
export type MemoryFormatKind = Extract<Listed, { readonly holds: 'memory' }>['kind'];

type FormatOf<Kind> = ImageFormat & { readonly kind: Kind };

/** Recognises the format of a file. Returns null for raw data, text, or an image for an Espressif chip. */
export function formatOf(bytes: Uint8Array): FormatOf<FormatKind> | null {
  return formats.find((format) => format.startsLike(bytes)) ?? null;
}

/** Returns the format of this kind. Its reader throws an error of the format for other files. */
export function memoryFormat(kind: MemoryFormatKind): MemoryFormat & { readonly kind: MemoryFormatKind } {
  const format = formats.find((one) => one.kind === kind);
  if (format?.holds !== 'memory') {
    throw new RangeError(`No format of memory: ${kind}`);
  }
  return format;
}

/** Returns true if the format holds data at addresses. */
export function isMemoryFormat(
  format: FormatOf<FormatKind> | null,
): format is MemoryFormat & { readonly kind: MemoryFormatKind } {
  return format?.holds === 'memory';
}

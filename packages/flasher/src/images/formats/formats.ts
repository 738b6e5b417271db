/**
 * The formats that are told by their first bytes, or by their last. To add one: its file with its record, a line here, a line in
 * `file-extensions.ts`, a test.
 */
import { dfu } from './dfu-suffix.ts';
import { dfuse } from './dfuse.ts';
import { elf } from './elf.ts';
import type { ImageFormat, MemoryFormat } from './image-format.ts';
import { intelHex } from './intel-hex.ts';
import { mcuboot } from './mcuboot.ts';
import { sRecord } from './s-record.ts';
import { uf2 } from './uf2.ts';
import { zip } from './zip.ts';

/** No two of them begin alike. Any file may have the suffix of DFU: it is taken off before the rest is looked at. */
const formats = [dfuse, dfu, zip, elf, uf2, intelHex, sRecord, mcuboot] as const satisfies readonly ImageFormat[];

type Listed = (typeof formats)[number];

export type FormatKind = Listed['kind'];

/** Files with data at addresses. */
export type MemoryFormatKind = Extract<Listed, { readonly holds: 'memory' }>['kind'];

type FormatOf<Kind> = ImageFormat & { readonly kind: Kind };

/** Null for what is none of them: raw data, text, or an image of an Espressif chip. */
export function formatOf(bytes: Uint8Array): FormatOf<FormatKind> | null {
  return formats.find((format) => format.startsLike(bytes)) ?? null;
}

/** The format of this kind: what is not one of its files, its reader refuses as such. */
export function memoryFormat(kind: MemoryFormatKind): MemoryFormat & { readonly kind: MemoryFormatKind } {
  const format = formats.find((one) => one.kind === kind);
  if (format?.holds !== 'memory') {
    throw new RangeError(`No format of memory: ${kind}`);
  }
  return format;
}

/** The file is data at addresses. */
export function isMemoryFormat(
  format: FormatOf<FormatKind> | null,
): format is MemoryFormat & { readonly kind: MemoryFormatKind } {
  return format?.holds === 'memory';
}

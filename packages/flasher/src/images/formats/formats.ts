/**
 * The formats that are told by their first bytes. To add one: its file with its record, a line here, a line in
 * `file-extensions.ts`, a test.
 */
import { elf } from './elf.ts';
import type { ImageFormat, MemoryFormat } from './image-format.ts';
import { intelHex } from './intel-hex.ts';
import { mcuboot } from './mcuboot.ts';
import { sRecord } from './s-record.ts';
import { uf2 } from './uf2.ts';
import { zip } from './zip.ts';

/** No two of them begin alike. */
const formats = [zip, elf, uf2, intelHex, sRecord, mcuboot] as const satisfies readonly ImageFormat[];

type Listed = (typeof formats)[number];

export type FormatKind = Listed['kind'];

/** Files with data at addresses. */
export type MemoryFormatKind = Extract<Listed, { readonly holds: 'memory' }>['kind'];

type FormatOf<Kind> = ImageFormat & { readonly kind: Kind };

/** Null for what is none of them: raw data, text, or an image of an Espressif chip. */
export function formatOf(bytes: Uint8Array): FormatOf<FormatKind> | null {
  return formats.find((format) => format.startsLike(bytes)) ?? null;
}

/** The file is data at addresses. */
export function isMemoryFormat(
  format: FormatOf<FormatKind> | null,
): format is MemoryFormat & { readonly kind: MemoryFormatKind } {
  return format?.holds === 'memory';
}

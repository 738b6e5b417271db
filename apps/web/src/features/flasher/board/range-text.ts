/** Parses a range of flash that the user types. */
import { parseOffset } from '@wirebench/contract/constants';
import type { FlashRange } from '@wirebench/flasher/core';
import { addressText } from '../../../shared/format/hex.ts';

export type TypedRange =
  | { readonly ok: true; readonly range: FlashRange }
  | { readonly ok: false; readonly fault: string };

/** Bounds of the flash, and the step in bytes in which it is read and erased. */
export interface RangeLimits {
  readonly start: number;
  /** In bytes; null if unknown. */
  readonly size: number | null;
  readonly multipleOf: number;
}

export function typedRange(from: string, length: string, { start, size, multipleOf }: RangeLimits): TypedRange {
  const offset = parseOffset(from);
  const bytes = parseOffset(length);
  if (offset === null || bytes === null) {
    return { ok: false, fault: `Enter addresses such as ${addressText(start + 0x9000)}.` };
  }
  if (bytes === 0 || offset % multipleOf !== 0 || bytes % multipleOf !== 0) {
    return { ok: false, fault: `Start and length must be multiples of ${addressText(multipleOf)}.` };
  }
  if (offset < start) {
    return { ok: false, fault: `The flash begins at ${addressText(start)}.` };
  }
  if (size !== null && offset + bytes > start + size) {
    return { ok: false, fault: `The flash ends at ${addressText(start + size)}.` };
  }
  return { ok: true, range: { offset, length: bytes } };
}

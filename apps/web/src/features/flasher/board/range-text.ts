/** Parses a range of flash that the user types. */
import { parseOffset } from '@wirebench/contract/constants';
import { type FlashRange, type RangeLimits, rangeFault } from '@wirebench/flasher/core';
import { addressText } from '../../../shared/format/hex.ts';

export type TypedRange =
  | { readonly ok: true; readonly range: FlashRange }
  | { readonly ok: false; readonly fault: string };

export function typedRange(from: string, length: string, limits: RangeLimits): TypedRange {
  const offset = parseOffset(from);
  const bytes = parseOffset(length);
  if (offset === null || bytes === null) {
    return { ok: false, fault: `Enter addresses such as ${addressText(limits.start + 0x9000)}.` };
  }
  const range = { offset, length: bytes };
  const fault = rangeFault(range, limits);
  return fault === null ? { ok: true, range } : { ok: false, fault };
}

/** Flash offsets as text, as people type them and as releases store them. */
import { releaseLimits } from './release-rules.ts';

/**
 * Parses a flash offset from `0x…` hex or decimal digits, with any white space around it. Returns null unless it is
 * below 2³².
 */
export function parseOffset(text: string): number | null {
  const digits = text.trim();
  if (!/^(0x[\da-f]{1,16}|\d{1,16})$/i.test(digits)) {
    return null;
  }
  const offset = Number(digits);
  return offset < releaseLimits.addressSpace ? offset : null;
}

/** The one form of offsets in the API: `0x1a000`, lower-case digits. */
export function formatOffset(offset: number): string {
  return `0x${offset.toString(16)}`;
}

/** An offset as people read it: `0x1A000`, and with eight digits in a memory map: `0x08000000`. */
export function addressText(offset: number): string {
  const digits = offset.toString(16).toUpperCase();
  return `0x${digits.length > 6 ? digits.padStart(8, '0') : digits}`;
}

export type OffsetFault = 'missing' | 'no-prefix' | 'not-an-address';

export type TypedOffset =
  | { readonly fault: null; readonly offset: number }
  /**
   * `suggestion`: the offset that was probably meant; null if unknown. Offered to the user, never applied
   * automatically.
   */
  | { readonly fault: OffsetFault; readonly suggestion: string | null };

/**
 * Bytes of a flash sector. If a number can be read in two ways, the reading at the start of a sector is the likely
 * one.
 */
const SECTOR = 0x1000;

/**
 * Parses the offset of a file as a person typed it. Without `0x` it could be hexadecimal or decimal, so it is refused
 * with a suggestion.
 */
export function readTypedOffset(text: string): TypedOffset {
  const typed = text.trim();
  if (typed === '') {
    return { fault: 'missing', suggestion: null };
  }
  if (/^0x/i.test(typed)) {
    const offset = parseOffset(typed);
    return offset === null ? { fault: 'not-an-address', suggestion: null } : { fault: null, offset };
  }
  const [, digits = ''] = /^([\da-f]{1,16})h?$/i.exec(typed) ?? [];
  const readings = [parseOffset(`0x${digits}`), /^\d+$/.test(typed) ? parseOffset(typed) : null].filter(
    (reading) => reading !== null,
  );
  const likely = readings.find((reading) => reading % SECTOR === 0) ?? readings[0];
  return likely === undefined
    ? { fault: 'not-an-address', suggestion: null }
    : { fault: 'no-prefix', suggestion: addressText(likely) };
}

/** Returns the sentence that says why the offset of a file is refused, and what to do. */
export function offsetFaultText(
  fileName: string,
  { fault, suggestion }: Extract<TypedOffset, { fault: OffsetFault }>,
): string {
  switch (fault) {
    case 'missing':
      return `"${fileName}" needs an offset, such as 0x10000.`;
    case 'no-prefix':
      return `The offset of "${fileName}" has no 0x prefix. Use ${suggestion}.`;
    case 'not-an-address':
      return `The offset of "${fileName}" must be a hexadecimal address such as 0x10000, below ${addressText(releaseLimits.addressSpace)}.`;
  }
}

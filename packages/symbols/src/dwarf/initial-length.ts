/** Reads the start of a DWARF table: its length, which also selects offsets of 4 or 8 bytes (section 7.4). */
import type { ByteCursor } from '../byte-cursor.ts';

const DWARF_64 = 0xffff_ffff;
/** First reserved length value; all above it except `DWARF_64` are reserved as well. */
const RESERVED = 0xffff_fff0;

export interface InitialLength {
  /** Offset of the first byte after the table. Not checked against the size of the section. */
  readonly end: number;
  readonly offsetSize: 4 | 8;
}

export function readInitialLength(cursor: ByteCursor): InitialLength {
  const length = cursor.u32();
  if (length === DWARF_64) {
    return { offsetSize: 8, end: cursor.u64() + cursor.position };
  }
  if (length >= RESERVED) {
    throw new RangeError('A reserved length');
  }
  return { offsetSize: 4, end: length + cursor.position };
}

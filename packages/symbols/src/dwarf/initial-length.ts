/** How tables of DWARF begin: their length, which also says whether offsets in them have 4 or 8 bytes (section 7.4). */
import type { ByteCursor } from '../byte-cursor.ts';

const DWARF_64 = 0xffff_ffff;
/** Lengths from here on are reserved. */
const RESERVED = 0xffff_fff0;

export interface InitialLength {
  /** Offset behind the table, at most the end of the section. */
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

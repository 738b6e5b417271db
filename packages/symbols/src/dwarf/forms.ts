/**
 * Reads attribute values by their form (DWARF 5, section 7.5.6): the size and the raw number. The meaning of the
 * number (an address, an index, an offset) depends on the form; `unit.ts` interprets it.
 */
import type { ByteCursor } from '../byte-cursor.ts';
import { form } from './constants.ts';

/** Properties of a unit or table that determine the sizes of values. */
export interface Encoding {
  readonly version: number;
  readonly addressSize: number;
  /** 4 in 32-bit DWARF, 8 in 64-bit DWARF. */
  readonly offsetSize: number;
}

const sizes: Readonly<Record<number, number>> = {
  [form.flagPresent]: 0,
  [form.implicitConst]: 0,
  [form.data1]: 1,
  [form.flag]: 1,
  [form.ref1]: 1,
  [form.strx1]: 1,
  [form.addrx1]: 1,
  [form.data2]: 2,
  [form.ref2]: 2,
  [form.strx2]: 2,
  [form.addrx2]: 2,
  [form.strx3]: 3,
  [form.addrx3]: 3,
  [form.data4]: 4,
  [form.ref4]: 4,
  [form.refSup4]: 4,
  [form.strx4]: 4,
  [form.addrx4]: 4,
  [form.data8]: 8,
  [form.ref8]: 8,
  [form.refSig8]: 8,
  [form.refSup8]: 8,
  [form.data16]: 16,
};

/** Returns the size of a value of this form in bytes, or −1 if it differs from value to value. */
export function fixedSize(kind: number, encoding: Encoding): number {
  switch (kind) {
    case form.addr:
      return encoding.addressSize;
    case form.refAddr:
      return encoding.version === 2 ? encoding.addressSize : encoding.offsetSize;
    case form.strp:
    case form.strpSup:
    case form.lineStrp:
    case form.secOffset:
    case form.gnuRefAlt:
    case form.gnuStrpAlt:
      return encoding.offsetSize;
    default:
      return sizes[kind] ?? -1;
  }
}

/**
 * Moves the cursor past a value.
 * @throws RangeError at an unknown form, because the position of the next value is then unknown.
 */
export function skipValue(cursor: ByteCursor, kind: number, encoding: Encoding): void {
  const size = fixedSize(kind, encoding);
  if (size >= 0) {
    cursor.position += size;
    return;
  }
  switch (kind) {
    case form.string:
      cursor.skipString();
      return;
    case form.udata:
    case form.sdata:
    case form.refUdata:
    case form.strx:
    case form.addrx:
    case form.loclistx:
    case form.rnglistx:
    case form.gnuAddrIndex:
    case form.gnuStrIndex:
      cursor.uleb();
      return;
    case form.block1:
      cursor.advance(cursor.u8());
      return;
    case form.block2:
      cursor.advance(cursor.u16());
      return;
    case form.block4:
      cursor.advance(cursor.u32());
      return;
    case form.block:
    case form.exprloc:
      cursor.advance(cursor.uleb());
      return;
    case form.indirect:
      skipValue(cursor, cursor.uleb(), encoding);
      return;
    default:
      throw new RangeError(`Unknown form ${kind}`);
  }
}

/** A value and its final form: `indirect` names another form in front of the value. */
export interface RawValue {
  readonly form: number;
  /** Constant, offset, index or address. For a `string` or a block, the position of its content in the section. */
  readonly number: number;
  /** Size of a block in bytes; absent for other values. */
  readonly length?: number;
  /** Position of the bytes of a 64-bit number, because `number` is only approximate beyond 2^53. */
  readonly at?: number;
}

/**
 * Reads a value and moves the cursor past it.
 * @param implicit the value that the abbreviation holds, for `implicitConst`
 */
export function readValue(cursor: ByteCursor, kind: number, implicit: number, encoding: Encoding): RawValue {
  switch (kind) {
    case form.implicitConst:
      return { form: kind, number: implicit };
    case form.flagPresent:
      return { form: kind, number: 1 };
    case form.sdata: {
      const at = cursor.position;
      const number = cursor.sleb();
      return Number.isSafeInteger(number) ? { form: kind, number } : { form: kind, number, at };
    }
    case form.udata:
    case form.refUdata:
    case form.strx:
    case form.addrx:
    case form.loclistx:
    case form.rnglistx:
    case form.gnuAddrIndex:
    case form.gnuStrIndex:
      return { form: kind, number: cursor.uleb() };
    case form.strx3:
    case form.addrx3:
      return { form: kind, number: cursor.u24() };
    case form.indirect:
      return readValue(cursor, cursor.uleb(), 0, encoding);
    case form.string: {
      const position = cursor.position;
      cursor.skipString();
      return { form: kind, number: position };
    }
    case form.block1:
      return block(cursor, kind, cursor.u8());
    case form.block2:
      return block(cursor, kind, cursor.u16());
    case form.block4:
      return block(cursor, kind, cursor.u32());
    case form.block:
    case form.exprloc:
      return block(cursor, kind, cursor.uleb());
    case form.data8: {
      const at = cursor.position;
      return { form: kind, number: cursor.u64(), at };
    }
    case form.data16:
      return block(cursor, kind, 16);
    default: {
      const size = fixedSize(kind, encoding);
      if (size === 1 || size === 2 || size === 4 || size === 8) {
        return { form: kind, number: cursor.unsigned(size) };
      }
      skipValue(cursor, kind, encoding);
      return { form: kind, number: 0 };
    }
  }
}

function block(cursor: ByteCursor, kind: number, length: number): RawValue {
  const number = cursor.position;
  cursor.advance(length);
  return { form: kind, number, length };
}

/**
 * Reads a unit of `.debug_info`: its header and its first entry (DWARF 5, sections 3.1 and 7.5.1). Converts attribute
 * values of other entries into addresses, offsets and strings. Functions and lines are read elsewhere.
 */
import { ByteCursor, stringAt } from '../byte-cursor.ts';
import { type AbbreviationTable, readAbbreviations } from './abbreviations.ts';
import { type AddressRange, type ListContext, readLocationList, readRangeList } from './address-lists.ts';
import { attribute, form, tag, unitType } from './constants.ts';
import { unlessDamaged } from './damage.ts';
import type { DebugSections } from './debug-sections.ts';
import { type Encoding, type RawValue, readValue } from './forms.ts';
import { readInitialLength } from './initial-length.ts';

export interface UnitHeader extends Encoding {
  /** Offset of the header in `.debug_info`. */
  readonly offset: number;
  /** Offset of the first entry in `.debug_info`. */
  readonly firstEntry: number;
  readonly end: number;
  readonly type: number;
  readonly abbreviationOffset: number;
}

/** Returns the headers of all units before the first damaged one. */
export function readUnitHeaders(sections: DebugSections): UnitHeader[] {
  const cursor = new ByteCursor(sections.info, sections.littleEndian);
  const headers: UnitHeader[] = [];
  unlessDamaged(() => {
    while (!cursor.atEnd) {
      const header = readUnitHeader(cursor);
      headers.push(header);
      cursor.position = header.end;
    }
  }, undefined);
  return headers;
}

function readUnitHeader(cursor: ByteCursor): UnitHeader {
  const offset = cursor.position;
  const { end, offsetSize } = readInitialLength(cursor);
  const version = cursor.u16();
  if (version < 2 || version > 5 || end > cursor.bytes.length) {
    throw new RangeError(`A unit of version ${version}`);
  }
  let type: number = unitType.compile;
  let addressSize: number;
  let abbreviationOffset: number;
  if (version === 5) {
    type = cursor.u8();
    addressSize = cursor.u8();
    abbreviationOffset = cursor.unsigned(offsetSize);
    // Skips the id of the unit, or the signature and offset of a type.
    const isType = type === unitType.type || type === unitType.splitType;
    const hasId = type === unitType.skeleton || type === unitType.splitCompile;
    cursor.advance(isType ? 8 + offsetSize : hasId ? 8 : 0);
  } else {
    abbreviationOffset = cursor.unsigned(offsetSize);
    addressSize = cursor.u8();
  }
  return { offset, firstEntry: cursor.position, end, type, version, addressSize, offsetSize, abbreviationOffset };
}

/** `DW_LANG_C89`, `_C`, `_C99`, `_C11`, `_C17`. */
const cLanguages = new Set([0x01, 0x02, 0x0c, 0x1d, 0x2c]);

export class Unit {
  readonly header: UnitHeader;
  readonly abbreviations: AbbreviationTable;
  /** Directory in which the compiler ran; empty if unknown. */
  readonly directory: string;
  /** Offset of the unit's table in `.debug_line`. */
  readonly lineTable: number | undefined;
  /** True: the source is C, where the names of structures include their keyword. */
  readonly isC: boolean;
  /** Address ranges of the unit's code according to its first entry. */
  readonly ranges: readonly AddressRange[];
  readonly #sections: DebugSections;
  readonly #baseAddress: number;
  readonly #addressBase: number;
  readonly #stringBase: number;
  readonly #rangeListBase: number;
  readonly #locationListBase: number;

  /** @throws RangeError if the unit is damaged. */
  constructor(sections: DebugSections, header: UnitHeader, abbreviations: AbbreviationTable) {
    this.#sections = sections;
    this.header = header;
    this.abbreviations = abbreviations;
    const first = this.#readFirstEntry();
    // Default offsets of the tables, directly after their headers (sections 7.26, 7.27 and 7.28).
    const tableHeader = header.version < 5 ? 0 : header.offsetSize === 8 ? 16 : 8;
    this.#addressBase = first.get(attribute.addrBase)?.number ?? tableHeader;
    this.#stringBase = first.get(attribute.strOffsetsBase)?.number ?? tableHeader;
    this.#rangeListBase = first.get(attribute.rnglistsBase)?.number ?? tableHeader + 4;
    this.#locationListBase = first.get(attribute.loclistsBase)?.number ?? tableHeader + 4;
    this.directory = this.string(first.get(attribute.compDir)) ?? '';
    this.isC = cLanguages.has(first.get(attribute.language)?.number ?? 0);
    this.lineTable = first.get(attribute.stmtList)?.number;
    const low = first.get(attribute.lowPc);
    this.#baseAddress = (low && this.address(low)) ?? 0;
    this.ranges = this.rangesOf(low, first.get(attribute.highPc), first.get(attribute.ranges));
  }

  get littleEndian(): boolean {
    return this.#sections.littleEndian;
  }

  /** Returns a cursor on `.debug_info`. */
  cursorAt(offset: number): ByteCursor {
    return new ByteCursor(this.#sections.info, this.littleEndian, offset);
  }

  /**
   * Returns the code ranges of an entry from its attributes `low_pc`, `high_pc` and `ranges`. Empty ranges are left
   * out.
   */
  rangesOf(low?: RawValue, high?: RawValue, ranges?: RawValue): AddressRange[] {
    if (ranges !== undefined) {
      return this.#rangeList(ranges);
    }
    const start = low && this.address(low);
    if (start === undefined || high === undefined) {
      return [];
    }
    // A constant `high_pc` counts from the start; the address form is absolute.
    const end = this.address(high) ?? start + high.number;
    return start < end && !this.#isTombstone(start) ? [{ low: start, high: end }] : [];
  }

  /** Returns the 8 bytes of a 64-bit number; undefined for any other value. */
  wideNumber({ form: kind, at }: RawValue): Uint8Array | undefined {
    if (at === undefined) {
      return undefined;
    }
    const { info } = this.#sections;
    return kind === form.sdata ? lebBytes(info.subarray(at)) : info.subarray(at, at + 8);
  }

  /** Returns the bytes of a block; undefined for any other value. */
  block(value: RawValue | undefined): Uint8Array | undefined {
    return value?.length === undefined
      ? undefined
      : this.#sections.info.subarray(value.number, value.number + value.length);
  }

  /**
   * Returns the location expression that applies while the code at `pc` runs: the attribute's own, or one from a
   * list. Undefined if there is no location at `pc`.
   * @throws RangeError if the list is damaged.
   */
  expressionAt(value: RawValue | undefined, pc: number): Uint8Array | undefined {
    const own = this.block(value);
    if (own !== undefined || value === undefined) {
      return own;
    }
    const section = this.header.version < 5 ? this.#sections.loc : this.#sections.loclists;
    const offset = this.#listOffset(section, value, form.loclistx, this.#locationListBase);
    const list = readLocationList(new ByteCursor(section, this.littleEndian, offset), this.#listContext());
    return list.find(({ low, high }) => pc >= low && pc < high)?.expression;
  }

  /** Returns the address that a value holds; undefined for a value of another class. */
  address(value: RawValue): number | undefined {
    switch (value.form) {
      case form.addr:
        return value.number;
      case form.addrx:
      case form.addrx1:
      case form.addrx2:
      case form.addrx3:
      case form.addrx4:
      case form.gnuAddrIndex:
        return this.addressAt(value.number);
      default:
        return undefined;
    }
  }

  /**
   * Returns the string that a value holds. Undefined for a value of another class, or a string in a supplementary
   * file.
   */
  string(value: RawValue | undefined): string | undefined {
    const sections = this.#sections;
    switch (value?.form) {
      case form.string:
        return stringAt(sections.info, value.number);
      case form.strp:
        return stringAt(sections.str, value.number);
      case form.lineStrp:
        return stringAt(sections.line_str, value.number);
      case form.strx:
      case form.strx1:
      case form.strx2:
      case form.strx3:
      case form.strx4:
      case form.gnuStrIndex:
        return this.#indexedString(value.number);
      default:
        return undefined;
    }
  }

  /**
   * Returns the offset in `.debug_info` of the entry that a value refers to. Undefined for a value of another class,
   * or an entry in another file.
   */
  reference(value: RawValue): number | undefined {
    switch (value.form) {
      case form.ref1:
      case form.ref2:
      case form.ref4:
      case form.ref8:
      case form.refUdata:
        return this.header.offset + value.number;
      case form.refAddr:
        return value.number;
      default:
        return undefined;
    }
  }

  #readFirstEntry(): Map<number, RawValue> {
    const cursor = this.cursorAt(this.header.firstEntry);
    const abbreviation = this.abbreviations[cursor.uleb()];
    if (abbreviation?.tag !== tag.compileUnit && abbreviation?.tag !== tag.skeletonUnit) {
      return new Map();
    }
    return new Map(
      abbreviation.attributes.map((shape) => [
        shape.attribute,
        readValue(cursor, shape.form, shape.implicit, this.header),
      ]),
    );
  }

  #rangeList(value: RawValue): AddressRange[] {
    const section = this.header.version < 5 ? this.#sections.ranges : this.#sections.rnglists;
    const offset = this.#listOffset(section, value, form.rnglistx, this.#rangeListBase);
    const list = readRangeList(new ByteCursor(section, this.littleEndian, offset), this.#listContext());
    return list.filter(({ low, high }) => low < high && !this.#isTombstone(low));
  }

  /**
   * Returns the offset of a list in its section.
   * @param indexForm form of values that hold an index of the list
   * @param base offset of the unit's table of lists
   */
  #listOffset(section: Uint8Array, { form: kind, number }: RawValue, indexForm: number, base: number): number {
    const { offsetSize } = this.header;
    return kind === indexForm
      ? base + new ByteCursor(section, this.littleEndian, base + number * offsetSize).unsigned(offsetSize)
      : number;
  }

  #listContext(): ListContext {
    const { version, addressSize } = this.header;
    return { version, addressSize, base: this.#baseAddress, addressAt: (index) => this.addressAt(index) };
  }

  /** Returns an address from the unit's part of `.debug_addr`. */
  addressAt(index: number): number {
    const { addressSize } = this.header;
    const cursor = new ByteCursor(this.#sections.addr, this.littleEndian, this.#addressBase + index * addressSize);
    return cursor.unsigned(addressSize);
  }

  #indexedString(index: number): string {
    const { offsetSize } = this.header;
    const at = this.#stringBase + index * offsetSize;
    const cursor = new ByteCursor(this.#sections.str_offsets, this.littleEndian, at);
    return stringAt(this.#sections.str, cursor.unsigned(offsetSize));
  }

  #isTombstone(address: number): boolean {
    return isTombstone(address, this.header.addressSize);
  }
}

/** Decodes a signed LEB128 number (DWARF 5, section 7.6) into 8 bytes, little-endian. */
function lebBytes(bytes: Uint8Array): Uint8Array {
  const digits = bytes.subarray(0, bytes.findIndex((byte) => byte < 0x80) + 1).subarray(0, 10);
  const value = digits.reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 0x7f), 0n);
  const whole = new Uint8Array(8);
  new DataView(whole.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt.asIntN(7 * digits.length, value)), true);
  return whole;
}

/**
 * Returns true for the two highest addresses. Linkers put them in place of code that they removed (LLVM
 * `computeTombstoneAddress`).
 */
export function isTombstone(address: number, addressSize: number): boolean {
  return address >= 2 ** (8 * addressSize) - 2;
}

/** Reads units and caches the abbreviation tables that they share. */
export class UnitReader {
  readonly #sections: DebugSections;
  readonly #tables = new Map<string, AbbreviationTable>();

  constructor(sections: DebugSections) {
    this.#sections = sections;
  }

  /**
   * Reads the unit of a header.
   * @throws RangeError if the unit is damaged.
   */
  read(header: UnitHeader): Unit {
    const key = `${header.abbreviationOffset} ${header.version} ${header.addressSize} ${header.offsetSize}`;
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = readAbbreviations(this.#sections.abbrev, header.abbreviationOffset, header);
      this.#tables.set(key, table);
    }
    return new Unit(this.#sections, header, table);
  }
}

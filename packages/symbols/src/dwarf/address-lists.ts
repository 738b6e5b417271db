/**
 * Reads lists of address ranges (DWARF 4, sections 2.6.2 and 2.17.3; DWARF 5, sections 7.25 and 7.29).
 * `.debug_ranges` and `.debug_rnglists` hold the ranges of code that is not contiguous. `.debug_loc` and
 * `.debug_loclists` hold the locations of variables by range. Entries of a location list have an expression after
 * each range; otherwise both kinds of list have the same format.
 */
import type { ByteCursor } from '../byte-cursor.ts';

/** Range of addresses; `low` is included, `high` is not. */
export interface AddressRange {
  readonly low: number;
  readonly high: number;
}

/** Expression that gives the location of a variable while code of the range runs. */
export interface LocatedRange extends AddressRange {
  readonly expression: Uint8Array;
}

export interface ListContext {
  readonly version: number;
  readonly addressSize: number;
  /** Initial base address of offsets, the unit's `low_pc`; entries of the list may change it. */
  readonly base: number;
  /** Returns the address with this index in the unit's part of `.debug_addr`. */
  readonly addressAt: (index: number) => number;
}

/** Reads the part of an entry that follows its addresses. */
type Rest<Found> = (low: number, high: number) => Found;

/**
 * Reads a list of ranges at the cursor.
 * @throws RangeError if the list is damaged.
 */
export function readRangeList(cursor: ByteCursor, context: ListContext): AddressRange[] {
  return context.version < 5
    ? readOldList(cursor, context, (low, high) => ({ low, high }))
    : readNewList(cursor, context, rangeKinds, (low, high) => ({ low, high }));
}

/**
 * Reads a list of locations at the cursor.
 * @throws RangeError if the list is damaged.
 */
export function readLocationList(cursor: ByteCursor, context: ListContext): LocatedRange[] {
  const isOld = context.version < 5;
  const rest = (low: number, high: number): LocatedRange => {
    const size = isOld ? cursor.u16() : cursor.uleb();
    const start = cursor.position;
    cursor.advance(size);
    return { low, high, expression: cursor.bytes.subarray(start, cursor.position) };
  };
  return isOld ? readOldList(cursor, context, rest) : readNewList(cursor, context, locationKinds, rest);
}

function readOldList<Found>(
  cursor: ByteCursor,
  { addressSize, base: unitBase }: ListContext,
  rest: Rest<Found>,
): Found[] {
  const selectsBase = 2 ** (8 * addressSize) - 1;
  const found: Found[] = [];
  let base = unitBase;
  for (;;) {
    const low = cursor.unsigned(addressSize);
    const high = cursor.unsigned(addressSize);
    if (low === 0 && high === 0) {
      return found;
    }
    if (low >= selectsBase) {
      base = high;
    } else {
      found.push(rest(base + low, base + high));
    }
  }
}

const kindNames = [
  'endOfList',
  'baseAddressx',
  'startxEndx',
  'startxLength',
  'offsetPair',
  'defaultLocation',
  'baseAddress',
  'startEnd',
  'startLength',
] as const;
/** `DW_LLE_…` names, by number. */
const locationKinds: readonly string[] = kindNames;
/** `DW_RLE_…` names, by number: the same, without the default location. */
const rangeKinds: readonly string[] = kindNames.filter((name) => name !== 'defaultLocation');

function readNewList<Found>(
  cursor: ByteCursor,
  { addressSize, base: unitBase, addressAt }: ListContext,
  kinds: readonly string[],
  rest: Rest<Found>,
): Found[] {
  const found: Found[] = [];
  const address = () => cursor.unsigned(addressSize);
  const indexed = () => addressAt(cursor.uleb());
  let base = unitBase;
  for (;;) {
    const number = cursor.u8();
    switch (kinds[number]) {
      case 'endOfList':
        return found;
      case 'baseAddressx':
        base = indexed();
        break;
      case 'startxEndx':
        found.push(rest(indexed(), indexed()));
        break;
      case 'startxLength': {
        const low = indexed();
        found.push(rest(low, low + cursor.uleb()));
        break;
      }
      case 'offsetPair':
        found.push(rest(base + cursor.uleb(), base + cursor.uleb()));
        break;
      case 'defaultLocation':
        found.push(rest(0, Number.POSITIVE_INFINITY));
        break;
      case 'baseAddress':
        base = address();
        break;
      case 'startEnd':
        found.push(rest(address(), address()));
        break;
      case 'startLength': {
        const low = address();
        found.push(rest(low, low + cursor.uleb()));
        break;
      }
      default:
        throw new RangeError(`Unknown entry ${number} of a list`);
    }
  }
}

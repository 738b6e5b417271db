/**
 * Code that is not in one piece: lists in `.debug_ranges` (DWARF 2 to 4, section 2.17.3) and `.debug_rnglists`
 * (DWARF 5, section 7.25).
 */
import type { ByteCursor } from '../byte-cursor.ts';

/** Addresses from `low` up to, and without, `high`. */
export interface AddressRange {
  readonly low: number;
  readonly high: number;
}

interface ListContext {
  readonly version: number;
  readonly addressSize: number;
  /** What offsets count from until the list says otherwise: the unit's `low_pc`. */
  readonly base: number;
  /** An address of the unit's part of `.debug_addr`. */
  readonly addressAt: (index: number) => number;
}

const entry = {
  endOfList: 0,
  baseAddressx: 1,
  startxEndx: 2,
  startxLength: 3,
  offsetPair: 4,
  baseAddress: 5,
  startEnd: 6,
  startLength: 7,
} as const;

/** Throws a `RangeError` when the list is damaged. */
export function readRangeList(cursor: ByteCursor, context: ListContext): AddressRange[] {
  return context.version < 5 ? readOldList(cursor, context) : readNewList(cursor, context);
}

function readOldList(cursor: ByteCursor, { addressSize, base: unitBase }: ListContext): AddressRange[] {
  const selectsBase = 2 ** (8 * addressSize) - 1;
  const ranges: AddressRange[] = [];
  let base = unitBase;
  for (;;) {
    const low = cursor.unsigned(addressSize);
    const high = cursor.unsigned(addressSize);
    if (low === 0 && high === 0) {
      return ranges;
    }
    if (low >= selectsBase) {
      base = high;
    } else {
      ranges.push({ low: base + low, high: base + high });
    }
  }
}

function readNewList(cursor: ByteCursor, { addressSize, base: unitBase, addressAt }: ListContext): AddressRange[] {
  const ranges: AddressRange[] = [];
  const address = () => cursor.unsigned(addressSize);
  const indexed = () => addressAt(cursor.uleb());
  const lengthFrom = (low: number) => ({ low, high: low + cursor.uleb() });
  let base = unitBase;
  for (;;) {
    const kind = cursor.u8();
    switch (kind) {
      case entry.endOfList:
        return ranges;
      case entry.baseAddressx:
        base = indexed();
        break;
      case entry.startxEndx:
        ranges.push({ low: indexed(), high: indexed() });
        break;
      case entry.startxLength:
        ranges.push(lengthFrom(indexed()));
        break;
      case entry.offsetPair:
        ranges.push({ low: base + cursor.uleb(), high: base + cursor.uleb() });
        break;
      case entry.baseAddress:
        base = address();
        break;
      case entry.startEnd:
        ranges.push({ low: address(), high: address() });
        break;
      case entry.startLength:
        ranges.push(lengthFrom(address()));
        break;
      default:
        throw new RangeError(`Unknown entry ${kind} of a range list`);
    }
  }
}

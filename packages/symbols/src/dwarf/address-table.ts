/** Reads `.debug_aranges`, the compiler's summary of address ranges by unit (DWARF 5, section 6.1.2). */
import { ByteCursor } from '../byte-cursor.ts';
import type { AddressRange } from './address-lists.ts';
import { unlessDamaged } from './damage.ts';
import type { DebugSections } from './debug-sections.ts';
import { readInitialLength } from './initial-length.ts';

/** Returns ranges by the offset of their unit in `.debug_info`. Tables after a damaged one are left out. */
export function readAddressTables(sections: DebugSections): Map<number, AddressRange[]> {
  const cursor = new ByteCursor(sections.aranges, sections.littleEndian);
  const byUnit = new Map<number, AddressRange[]>();
  unlessDamaged(() => {
    while (!cursor.atEnd) {
      const { unit, ranges, end } = readTable(cursor);
      byUnit.set(unit, [...(byUnit.get(unit) ?? []), ...ranges]);
      cursor.position = end;
    }
  }, undefined);
  return byUnit;
}

function readTable(cursor: ByteCursor): { unit: number; ranges: AddressRange[]; end: number } {
  const start = cursor.position;
  const { end, offsetSize } = readInitialLength(cursor);
  cursor.advance(2);
  const unit = cursor.unsigned(offsetSize);
  const addressSize = cursor.u8();
  const segmentSize = cursor.u8();
  if (segmentSize !== 0) {
    throw new RangeError('Segmented addresses');
  }
  // Pairs are aligned to their own size, counted from the start of the table.
  const pair = 2 * addressSize;
  cursor.position = start + Math.ceil((cursor.position - start) / pair) * pair;
  const ranges: AddressRange[] = [];
  while (cursor.position + pair <= end) {
    const low = cursor.unsigned(addressSize);
    const length = cursor.unsigned(addressSize);
    if (length > 0) {
      ranges.push({ low, high: low + length });
    }
  }
  return { unit, ranges, end };
}

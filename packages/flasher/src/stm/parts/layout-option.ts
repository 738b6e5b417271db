/**
 * Selects one of a part's two flash layouts by an option bit. If the option bytes cannot be read, the default layout
 * is used.
 */
import { viewOf } from '../../core/bytes.ts';
import { type Sector, sectorsOf } from './flash-layout.ts';
import type { StmPart } from './part-table.ts';

const MIB = 1_048_576;

/** @param optionBytes Bytes read from the family's range; null if unreadable. */
export function sectorsOfPart(part: StmPart, flashSize: number, optionBytes: Uint8Array | null): Sector[] {
  const { layout, otherLayout } = part;
  const isOther = otherLayout !== undefined && optionBytes !== null && hasOtherLayout(part, flashSize, optionBytes);
  return sectorsOf(isOther ? otherLayout : layout, flashSize);
}

function hasOtherLayout({ family, largestFlash }: StmPart, flashSize: number, optionBytes: Uint8Array): boolean {
  const view = viewOf(optionBytes);
  const bit = (at: number, index: number) => ((view.getUint32(at, true) >>> index) & 1) === 1;
  switch (family) {
    case 'F4':
      // DB1M (RM0090 section 3.9.1). Parts of 2 MiB always have two banks.
      return flashSize > MIB || bit(8, 14);
    case 'F7':
      // nDBANK (RM0410 section 3.4.1).
      return !bit(8, 13);
    case 'G0':
      // DUAL_BANK (RM0444 section 3.4.1).
      return !bit(0, 21);
    case 'L4':
      // DBANK (RM0432 section 3.4.1). With less flash it is DB1M, and DUALBANK on L47x and L49x (RM0351 section
      // 3.4.1).
      return !bit(0, flashSize < largestFlash ? 21 : 22);
    default:
      // DBANK (RM0440 section 3.4.1).
      return !bit(0, 22);
  }
}

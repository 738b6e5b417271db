/** Checks the places of the files: on sectors, without overlaps, and within the flash. */
import { addressText } from '../../core/bytes.ts';
import { endOf, overlapOf } from '../../core/ranges.ts';
import { sectorSize } from '../../core/region.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import { type PlacedPart, rangeOf } from './placed-part.ts';

/** @param flashSize In bytes; null if unknown. */
export function checkPlaces(files: readonly PlacedPart[], flashSize: number | null, findings: EspFindings): void {
  for (const { name, offset, size } of files) {
    if (size === 0) {
      findings.refuse('file-empty', { files: [name] });
    }
    if (!Number.isSafeInteger(offset) || offset < 0 || offset % sectorSize !== 0) {
      findings.refuse('offset-not-aligned', { files: [name], at: addressText(offset) });
    }
    const end = offset + size;
    if (flashSize !== null && end > flashSize) {
      findings.refuse('does-not-fit', { files: [name], wanted: addressText(end), found: addressText(flashSize) });
    }
  }
  const sorted = [...files].sort((one, other) => one.offset - other.offset);
  let furthest: PlacedPart | undefined;
  for (const file of sorted) {
    if (furthest !== undefined && overlapOf(rangeOf(furthest), rangeOf(file)) !== null) {
      findings.refuse('overlap', { files: [furthest.name, file.name], at: addressText(file.offset) });
    }
    furthest = furthest === undefined || endOf(rangeOf(file)) > endOf(rangeOf(furthest)) ? file : furthest;
  }
}

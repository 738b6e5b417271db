/** Compares two states of an image by sector, because flash is erased and written in sectors. */
import { isSame } from '../core/bytes.ts';
import { joinRanges } from '../core/ranges.ts';
import { type FlashRange, sectorSize } from '../core/region.ts';

/**
 * Returns the sectors in which `image` differs from `original`, adjacent ones joined.
 *
 * @param image As long as `original`. Offsets are relative to its start.
 */
export function changedSectorsOf(original: Uint8Array, image: Uint8Array): FlashRange[] {
  const changed: FlashRange[] = [];
  for (let offset = 0; offset < image.length; offset += sectorSize) {
    const end = Math.min(offset + sectorSize, image.length);
    if (!isSame(original.subarray(offset, end), image.subarray(offset, end))) {
      changed.push({ offset, length: end - offset });
    }
  }
  return joinRanges(changed);
}

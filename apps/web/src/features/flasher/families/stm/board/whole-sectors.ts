/** Extends a typed range to whole sectors, because flash is erased by sectors. */
import type { FlashRange } from '@wirebench/flasher/core';

/**
 * Returns the sectors that the range touches, as one range; null if it touches no sector.
 * @param sectors In address order.
 */
export function wholeSectors(sectors: readonly FlashRange[], { offset, length }: FlashRange): FlashRange | null {
  const touched = sectors.filter((sector) => sector.offset < offset + length && offset < sector.offset + sector.length);
  const [first] = touched;
  const last = touched.at(-1);
  return first === undefined || last === undefined
    ? null
    : { offset: first.offset, length: last.offset + last.length - first.offset };
}

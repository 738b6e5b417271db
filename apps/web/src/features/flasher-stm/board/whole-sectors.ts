/** Flash is erased by whole sectors: a stretch that somebody types grows to those that it touches. */
import type { FlashRange } from '@wirebench/flasher/core';

/** Null when it touches none. @param sectors in the order of addresses */
export function wholeSectors(sectors: readonly FlashRange[], { offset, length }: FlashRange): FlashRange | null {
  const touched = sectors.filter((sector) => sector.offset < offset + length && offset < sector.offset + sector.length);
  const [first] = touched;
  const last = touched.at(-1);
  return first === undefined || last === undefined
    ? null
    : { offset: first.offset, length: last.offset + last.length - first.offset };
}

/** Changes that replace or erase all of a partition or area, whatever it holds. */
import type { BoardChange } from './board-change.ts';
import { isErased } from './bytes.ts';
import { inSectors } from './ranges.ts';
import { type FlashRange, type FlashRegion, sectorSize, usualRegionSize } from './region.ts';

/** Returns the change that erases a range. @param range Extended to whole sectors. */
export function eraseChange(name: string, range: FlashRange): BoardChange {
  const whole = inSectors(range);
  return { name, range: whole, basis: null, erases: [whole], writes: [] };
}

/**
 * Returns the change that makes a range hold `bytes`, and nothing behind them.
 *
 * @param range Begins on a sector.
 * @param bytes At most as long as the range.
 * @param canErase True: empty sectors are erased. False: they are written with 0xFF.
 * @throws RangeError if the bytes are longer than the range.
 */
export function wholeChange(name: string, range: FlashRange, bytes: Uint8Array, canErase = true): BoardChange {
  const whole = inSectors(range);
  if (bytes.length > whole.length) {
    throw new RangeError('The contents are longer than the range.');
  }
  const erases: FlashRange[] = [];
  const writes: FlashRegion[] = [];
  const padded = new Uint8Array(whole.length).fill(0xff);
  padded.set(bytes);
  for (let at = 0; at < whole.length; ) {
    const isEmpty = (from: number) => canErase && isErased(padded.subarray(from, from + sectorSize));
    const empty = isEmpty(at);
    let end = at + sectorSize;
    while (end < whole.length && isEmpty(end) === empty && (empty || end - at < usualRegionSize)) {
      end += sectorSize;
    }
    if (empty) {
      erases.push({ offset: whole.offset + at, length: end - at });
    } else {
      writes.push({ offset: whole.offset + at, bytes: padded.subarray(at, end) });
    }
    at = end;
  }
  return { name, range: whole, basis: null, erases, writes };
}

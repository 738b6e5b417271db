/** Refuses writes before anything on a board is changed. */
import { addressText } from '../../core/bytes.ts';
import { type FlashRegion, sectorSize } from '../../core/region.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import type { Session } from '../connect/session.ts';
import type { EspWriteOptions } from '../esp-board.ts';
import { EspError } from '../esp-failure.ts';

/**
 * Checks the regions against the board.
 *
 * @param regions In the order of their offsets.
 * @throws EspError `wrong-chip`, `secure-boot`, `flash-encryption`, `not-in-rom`, `flash-not-found`,
 *   `flash-too-small`.
 * @throws RangeError for invalid regions: empty, not aligned, or sharing a sector.
 */
export function checkWrite(
  { info, ability }: Session,
  regions: readonly FlashRegion[],
  options: EspWriteOptions,
): void {
  checkRegions(regions);
  const { chip, secured = false } = options;
  if (chip !== undefined && chip !== info.chip) {
    const detail = `Built for ${chipFacts[chip].label}; this is an ${chipFacts[info.chip].label}.`;
    throw new EspError('wrong-chip', { detail });
  }
  if (info.security.flashEncryption === true && !secured) {
    throw new EspError('flash-encryption');
  }
  if (info.security.secureBoot === true && !secured) {
    throw new EspError('secure-boot');
  }
  if (!ability.hasLongBegin && regions.some(({ encrypted }) => encrypted)) {
    throw new EspError('not-in-rom', { detail: `The ROM of ${info.chip} does not encrypt what it writes.` });
  }
  if (info.flash === null && ability.canAccessRegisters) {
    throw new EspError('flash-not-found');
  }
  const size = info.flash?.size ?? null;
  const end = endOf(regions);
  if (size !== null && end > size) {
    throw new EspError('flash-too-small', { detail: `${end} bytes are needed; the chip has ${size}.` });
  }
}

/** Returns the first address after all regions. */
export function endOf(regions: readonly FlashRegion[]): number {
  return regions.reduce((end, { offset, bytes }) => Math.max(end, offset + bytes.length), 0);
}

function checkRegions(regions: readonly FlashRegion[]): void {
  let free = 0;
  for (const { offset, bytes } of regions) {
    if (offset % sectorSize !== 0 || bytes.length === 0) {
      throw new RangeError(`A region starts at a multiple of ${sectorSize} and is not empty.`);
    }
    if (offset < free) {
      throw new RangeError(`Two regions share the sector at ${addressText(offset)}.`);
    }
    free = Math.ceil((offset + bytes.length) / sectorSize) * sectorSize;
  }
}

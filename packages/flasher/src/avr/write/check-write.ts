/** Refuses writes before anything on a board is erased. */
import { addressText } from '../../core/bytes.ts';
import { endOf, overlapOf, rangeOf } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import type { AvrInfo, AvrWriteOptions } from '../avr-board.ts';
import { AvrError } from '../avr-failure.ts';
import { pagesOf } from '../parts/page-cover.ts';

/**
 * Checks the regions against the board.
 *
 * @throws AvrError `wrong-chip`, `unknown-part`, `too-large`, `reaches-bootloader`, `eeprom-unsupported`,
 *   `eeprom-too-large`.
 */
export function checkWrite(
  info: AvrInfo,
  regions: readonly FlashRegion[],
  { model, eeprom = [] }: Pick<AvrWriteOptions, 'model' | 'eeprom'>,
): void {
  if (model !== undefined && info.model !== null && model !== info.model) {
    throw new AvrError('wrong-chip', { detail: `Built for ${model}; this is ${info.part}.` });
  }
  mustKnowPart(info);
  const { bootloaderRange: boot, flashSize, pageSize } = info;
  for (const page of pagesOf(regions.map(rangeOf), pageSize)) {
    if (boot !== null && overlapOf(page, boot) !== null) {
      throw new AvrError('reaches-bootloader', { detail: `The bootloader begins at ${addressText(boot.offset)}.` });
    }
    if (endOf(page) > flashSize) {
      throw new AvrError('too-large', { detail: `The flash ends at ${addressText(flashSize)}.` });
    }
  }
  mustFitEeprom(info, eeprom.map(rangeOf));
}

/** @throws AvrError `unknown-part`. */
export function mustKnowPart({ flashSize, part }: AvrInfo): void {
  if (flashSize === 0) {
    throw new AvrError('unknown-part', { detail: part });
  }
}

/** @throws AvrError `eeprom-unsupported`, `eeprom-too-large`. */
export function mustFitEeprom({ hasEeprom, eepromSize }: AvrInfo, ranges: readonly FlashRange[]): void {
  if (ranges.length > 0 && !hasEeprom) {
    throw new AvrError('eeprom-unsupported');
  }
  if (ranges.some((range) => endOf(range) > eepromSize)) {
    throw new AvrError('eeprom-too-large', { detail: `The EEPROM ends at ${addressText(eepromSize)}.` });
  }
}

/**
 * Decodes the three bytes of RDID: manufacturer, type, capacity (JEDEC JEP106; esptool, `cmds.py`,
 * `DETECTED_FLASH_SIZES`).
 */
import { hexNumber } from '../../core/bytes.ts';
import { notListed } from '../../core/published-list.ts';
import type { FlashChip } from '../esp-info.ts';

/**
 * Manufacturer ID → name on current parts. RDID does not tell the bank of JEDEC's list, so only one maker of flash is
 * named for each ID. Sources: JEDEC JEP106; flashrom, `flashchips.h`, with the state of `listDate`; ESP-IDF,
 * `spi_flash_chip_*.c`. `npm run lists -- flash-makers` compares the rows with a newer flashrom.
 */
const manufacturers: Readonly<Record<number, string>> = {
  1: 'Infineon (Spansion)',
  4: 'Fujitsu',
  11: 'XTX',
  14: 'Zbit',
  28: 'EON',
  31: 'Adesto',
  32: 'XMC',
  44: 'Micron',
  49: 'Catalyst',
  55: 'AMIC',
  64: 'SyncMOS',
  82: 'Alliance',
  94: 'Zbit',
  98: 'Sanyo',
  104: 'Boya',
  133: 'Puya',
  137: 'Intel',
  140: 'ESMT',
  151: 'Texas Instruments',
  157: 'ISSI',
  161: 'Fudan Micro',
  173: 'Hyundai',
  176: 'Sharp',
  186: 'Zetta',
  191: 'Microchip (SST)',
  194: 'Macronix',
  200: 'GigaDevice',
  205: 'TH',
  213: 'ISSI',
  218: 'Winbond',
  239: 'Winbond',
  248: 'Fidelix',
};

const listDate = '2026-08-07';

/** Says for a maker without a name what is known of it. */
export const unknownFlashMakerText = (id: number) => `manufacturer ${hexNumber(id)} (${notListed(listDate)})`;

/** Returns the name of a flash maker; null for an ID that the list does not have. */
export const flashMakerOf = (id: number): string | null => manufacturers[id] ?? null;

const ADESTO = 0x1f;

/**
 * Decodes an RDID answer. Returns null if no chip drove the line.
 *
 * @param id Word of the SPI controller, with the manufacturer in the lowest byte.
 */
export function flashChipOf(id: number): FlashChip | null {
  const bytes = id & 0xff_ffff;
  if (bytes === 0 || bytes === 0xff_ffff) {
    return null;
  }
  const manufacturer = bytes & 0xff;
  const type = (bytes >>> 8) & 0xff;
  const capacity = (bytes >>> 16) & 0xff;
  return {
    manufacturer,
    manufacturerName: flashMakerOf(manufacturer),
    device: (type << 8) | capacity,
    size: manufacturer === ADESTO ? adestoSize(type) : sizeOf(capacity),
  };
}

/**
 * Returns the size in bytes; null for an unknown code. The code is usually the exponent of the size. Parts of 64 MB
 * and more start at 0x20, and parts for 1.8 V at 0x30.
 */
function sizeOf(capacity: number): number | null {
  if (capacity >= 0x12 && capacity <= 0x1c) {
    return 2 ** capacity;
  }
  if (capacity >= 0x20 && capacity <= 0x22) {
    return 2 ** (capacity - 6);
  }
  return capacity >= 0x32 && capacity <= 0x3a ? 2 ** (capacity - 0x20) : null;
}

/** Returns the size of an Adesto part: the lower five bits of the type start at 4 for 512 KB. */
function adestoSize(type: number): number | null {
  const code = type & 0x1f;
  return code >= 4 && code <= 9 ? 2 ** (code + 15) : null;
}

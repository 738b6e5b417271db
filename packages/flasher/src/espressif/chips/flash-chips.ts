/** What the three bytes of RDID say: manufacturer, type, capacity (JEDEC JEP106; esptool, `cmds.py`, `DETECTED_FLASH_SIZES`). */
import type { FlashChip } from '../esp-info.ts';

/** JEDEC JEP106, first bank, with the names on today's parts. */
const manufacturers: Readonly<Record<number, string>> = {
  11: 'XTX',
  28: 'EON',
  31: 'Adesto',
  32: 'XMC',
  94: 'Zbit',
  104: 'Boya',
  133: 'Puya',
  157: 'ISSI',
  161: 'Fudan Micro',
  194: 'Macronix',
  200: 'GigaDevice',
  239: 'Winbond',
};

const ADESTO = 0x1f;

/** Null when nothing drove the line. @param id as the SPI controller has it: the manufacturer in the lowest byte. */
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
    manufacturerName: manufacturers[manufacturer] ?? null,
    device: (type << 8) | capacity,
    size: manufacturer === ADESTO ? adestoSize(type) : sizeOf(capacity),
  };
}

/** Mostly the exponent of the size; parts of 64 MB and more, and those for 1.8 V, count anew from 0x20 and 0x30. */
function sizeOf(capacity: number): number | null {
  if (capacity >= 0x12 && capacity <= 0x1c) {
    return 2 ** capacity;
  }
  if (capacity >= 0x20 && capacity <= 0x22) {
    return 2 ** (capacity - 6);
  }
  return capacity >= 0x32 && capacity <= 0x3a ? 2 ** (capacity - 0x20) : null;
}

/** The lower five bits of the type count from 4 for 512 KB. */
function adestoSize(type: number): number | null {
  const code = type & 0x1f;
  return code >= 4 && code <= 9 ? 2 ** (code + 15) : null;
}

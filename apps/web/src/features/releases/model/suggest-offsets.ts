/**
 * Suggests flash offsets by family, model and file name: at once, and for files whose bytes do not determine one. The
 * bytes have priority over the name (`file-facts.ts`), and a typed offset has priority over both. Sources: ESP-IDF
 * Programming Guide, "Bootloader" (offset by chip) and "Partition Tables" (0x8000; the first application at 0x10000);
 * arduino-esp32, `tools/partitions/default.csv` (OTA data at 0xe000); STM32 reference manuals (main flash memory from
 * 0x0800 0000). Data from 0x110000 is this product's own rule.
 */
import type { DeviceFamily } from '@wirebench/contract';
import { families } from '../../../workbench/families.ts';

/** The board, which determines offsets together with the file's name. */
export interface FlashTarget {
  readonly deviceFamily: DeviceFamily;
  readonly deviceModel: string;
}

const APPLICATION = 0x10000;

/**
 * Chips whose bootloader begins a block later, because space before it is reserved for the secure boot digest. Newer
 * chips begin at 0.
 */
const lateBootloader: readonly string[] = ['esp32', 'esp32s2'];

/** Espressif's layout. Firmware of other families is one file at the start of flash. */
const byName: readonly (readonly [RegExp, (model: string) => number])[] = [
  [/merged|[._-](factory|full)\b/i, () => 0],
  [/boot_app0|ota[_-]?data/i, () => 0xe000],
  [/bootloader/i, (model) => (lateBootloader.includes(model) ? 0x1000 : 0)],
  [/partition/i, () => 0x8000],
  [/spiffs|littlefs|fatfs|storage/i, () => 0x110000],
];

/** Returns the usual offset of a file with this name. */
export function usualOffset(fileName: string, { deviceFamily, deviceModel }: FlashTarget): number {
  if (deviceFamily !== 'esp') {
    return families[deviceFamily].flashStart;
  }
  return byName.find(([pattern]) => pattern.test(fileName))?.[1](deviceModel) ?? APPLICATION;
}

/**
 * Flash offsets by family, model and the names of files: what the form offers at once, and for files whose bytes tell nothing.
 * What the bytes tell stands above it (`file-facts.ts`), a person's own word above both.
 *
 * Sources: ESP-IDF Programming Guide, "Bootloader" (offset by chip) and "Partition Tables" (0x8000; the first application at
 * 0x10000); arduino-esp32, `tools/partitions/default.csv` (OTA data at 0xe000); the specification's section 9 (data from
 * 0x110000); STM32 reference manuals (main flash memory from 0x0800 0000).
 */
import type { DeviceFamily } from '@wirebench/contract';

/** What the offsets depend on besides the files. */
export interface FlashTarget {
  readonly deviceFamily: DeviceFamily;
  readonly deviceModel: string;
}

const STM_FLASH = 0x0800_0000;
const APPLICATION = 0x10000;

/** These two begin a block later, since their loader leaves room for the secure boot digest. Newer chips begin at 0. */
const lateBootloader: readonly string[] = ['esp32', 'esp32s2'];

const byName: readonly (readonly [RegExp, (model: string) => number])[] = [
  [/merged|[._-](factory|full)\b/i, () => 0],
  [/boot_app0|ota[_-]?data/i, () => 0xe000],
  [/bootloader/i, (model) => (lateBootloader.includes(model) ? 0x1000 : 0)],
  [/partition/i, () => 0x8000],
  [/spiffs|littlefs|fatfs|storage/i, () => 0x110000],
];

/** Where a file of this name usually goes. */
export function usualOffset(fileName: string, { deviceFamily, deviceModel }: FlashTarget): number {
  if (deviceFamily === 'stm') {
    return STM_FLASH;
  }
  return byName.find(([pattern]) => pattern.test(fileName))?.[1](deviceModel) ?? APPLICATION;
}

/**
 * Suggests flash offsets by family, model and file name: at once, and for files whose bytes do not determine one. The
 * bytes have priority over the name (`file-facts.ts`), and a typed offset has priority over both. Sources: ESP-IDF
 * Programming Guide, "Bootloader" (offset by chip) and "Partition Tables" (0x8000; the first application at 0x10000);
 * arduino-esp32, `tools/partitions/default.csv` (OTA data at 0xe000). Data from 0x110000 is this product's own rule.
 */
import { type FamilyId, familyTraits } from '@wirebench/boards';

/** The board, which determines offsets together with the file's name. */
export interface FlashTarget {
  readonly deviceFamily: FamilyId;
  readonly deviceModel: string;
}

const APPLICATION = 0x10000;

/** Chips whose bootloader does not begin at 0, because the space before it is reserved. */
const lateBootloaders: Readonly<Record<string, number>> = {
  esp32: 0x1000,
  esp32s2: 0x1000,
  esp32p4: 0x2000,
  esp32c5: 0x2000,
  esp32h4: 0x2000,
};

/** Its programs begin at the start of flash, without a bootloader in another file. */
const WITHOUT_BOOTLOADER = 'esp8266';

/** Espressif's layout. Firmware of other families is one file at the start of flash. */
const byName: readonly (readonly [RegExp, (model: string) => number])[] = [
  [/merged|[._-](factory|full)\b/i, () => 0],
  [/boot_app0|ota[_-]?data/i, () => 0xe000],
  [/bootloader/i, (model) => lateBootloaders[model] ?? 0],
  [/partition/i, () => 0x8000],
  [/spiffs|littlefs|fatfs|storage/i, () => 0x110000],
];

/** Returns the usual offset of a file with this name. */
export function usualOffset(fileName: string, { deviceFamily, deviceModel }: FlashTarget): number {
  const { hasPartitions, flashStart } = familyTraits[deviceFamily];
  if (!hasPartitions) {
    return flashStart;
  }
  if (deviceModel === WITHOUT_BOOTLOADER) {
    return 0;
  }
  return byName.find(([pattern]) => pattern.test(fileName))?.[1](deviceModel) ?? APPLICATION;
}

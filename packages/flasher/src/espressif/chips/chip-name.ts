/**
 * The chips by name, and the few facts of each that are needed without a chip at hand: what a file was built for and where
 * it goes. Small on purpose: pages import it; registers and stubs are in the files beside it and come with a connection.
 */

/** As `esptool --chip` spells them. ESP8285 is an ESP8266 with flash inside: the same name, its model tells. */
export const chipNames = [
  'esp8266',
  'esp32',
  'esp32s2',
  'esp32s3',
  'esp32c2',
  'esp32c3',
  'esp32c5',
  'esp32c6',
  'esp32c61',
  'esp32h2',
  'esp32p4',
] as const;
export type ChipName = (typeof chipNames)[number];

export interface ChipFacts {
  /** As Espressif writes it. */
  readonly label: string;
  /** `chip_id` in the extended header of an image (esp_app_format.h, `esp_chip_id_t`); null where images carry none. */
  readonly imageChipId: number | null;
  /** Where the ROM looks for the second-stage bootloader, in bytes (ESP-IDF, "Bootloader", per target). */
  readonly bootloaderOffset: number;
}

/** Chip ids and offsets: esptool, `targets/*.py`, `IMAGE_CHIP_ID` and `BOOTLOADER_FLASH_OFFSET`. */
export const chipFacts = {
  esp8266: { label: 'ESP8266', imageChipId: null, bootloaderOffset: 0x0 },
  esp32: { label: 'ESP32', imageChipId: 0, bootloaderOffset: 0x1000 },
  esp32s2: { label: 'ESP32-S2', imageChipId: 2, bootloaderOffset: 0x1000 },
  esp32s3: { label: 'ESP32-S3', imageChipId: 9, bootloaderOffset: 0x0 },
  esp32c2: { label: 'ESP32-C2', imageChipId: 12, bootloaderOffset: 0x0 },
  esp32c3: { label: 'ESP32-C3', imageChipId: 5, bootloaderOffset: 0x0 },
  esp32c5: { label: 'ESP32-C5', imageChipId: 23, bootloaderOffset: 0x2000 },
  esp32c6: { label: 'ESP32-C6', imageChipId: 13, bootloaderOffset: 0x0 },
  esp32c61: { label: 'ESP32-C61', imageChipId: 20, bootloaderOffset: 0x0 },
  esp32h2: { label: 'ESP32-H2', imageChipId: 16, bootloaderOffset: 0x0 },
  esp32p4: { label: 'ESP32-P4', imageChipId: 18, bootloaderOffset: 0x2000 },
} satisfies Record<ChipName, ChipFacts>;

/** The chip that an image with this `chip_id` was built for; null when none of these. */
export function chipOfImageId(id: number): ChipName | null {
  return chipNames.find((name) => chipFacts[name].imageChipId === id) ?? null;
}

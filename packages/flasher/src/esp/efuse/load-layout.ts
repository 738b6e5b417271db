/** Fetches the eFuse fields of a chip. Each chip is in a file of its own, because a board needs one of them. */
import type { ChipName } from '../chips/chip-facts.ts';
import type { ChipRevision } from '../esp-info.ts';
import type { EfuseLayout } from './efuse-layout.ts';

const layouts: Readonly<Record<Exclude<ChipName, 'esp32p4'>, () => Promise<EfuseLayout>>> = {
  esp8266: async () => (await import('./layouts/esp8266.ts')).esp8266,
  esp32: async () => (await import('./layouts/esp32.ts')).esp32,
  esp32s2: async () => (await import('./layouts/esp32s2.ts')).esp32s2,
  esp32s3: async () => (await import('./layouts/esp32s3.ts')).esp32s3,
  esp32c2: async () => (await import('./layouts/esp32c2.ts')).esp32c2,
  esp32c3: async () => (await import('./layouts/esp32c3.ts')).esp32c3,
  esp32c5: async () => (await import('./layouts/esp32c5.ts')).esp32c5,
  esp32c6: async () => (await import('./layouts/esp32c6.ts')).esp32c6,
  esp32c61: async () => (await import('./layouts/esp32c61.ts')).esp32c61,
  esp32h2: async () => (await import('./layouts/esp32h2.ts')).esp32h2,
  esp32h21: async () => (await import('./layouts/esp32h21.ts')).esp32h21,
  esp32h4: async () => (await import('./layouts/esp32h4.ts')).esp32h4,
};

/** @param revision Revision of the chip; fields of the ESP32-P4 moved with revision 3.0. Null counts as the newest. */
export async function loadEfuseLayout(chip: ChipName, revision: ChipRevision | null): Promise<EfuseLayout> {
  if (chip !== 'esp32p4') {
    return layouts[chip]();
  }
  return revision !== null && revision.major < 3
    ? (await import('./layouts/esp32p4.ts')).esp32p4
    : (await import('./layouts/esp32p4v3.ts')).esp32p4v3;
}

/** ESP32-H21: an H2 with eFuses at another address (ESP-IDF, `components/efuse/esp32h21/esp_efuse_table.csv`). */
import { type EspChip, fusesWithEui64 } from './chip.ts';
import { esp32h2 } from './esp32h2.ts';

export const esp32h21: EspChip = {
  ...esp32h2,
  name: 'esp32h21',
  imageChipId: 25,
  // No recording of this word was found. 0 matches no older chip.
  magic: () => 0,
  revision: { major: 0, minor: 1 },
  fuses: fusesWithEui64(0x600b4000, 21),
  calibration: [],
  texts: {
    ...esp32h2.texts,
    // No published boot log of this chip was found. The name follows its siblings.
    banner: () => 'ESP-ROM:esp32h21\r\n',
  },
};

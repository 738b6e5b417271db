/** ESP32-H21: an H2 whose eFuses are elsewhere (ESP-IDF, `components/efuse/esp32h21/esp_efuse_table.csv`). */
import { addSecurity, type EspChip, FuseWords, laterSecurityFields } from './chip.ts';
import { esp32h2 } from './esp32h2.ts';

const fuse = 0x600b4000;
/** Word `index` of eFuse block 1. */
const block1 = (index: number) => fuse + 0x44 + index * 4;

export const esp32h21: EspChip = {
  ...esp32h2,
  name: 'esp32h21',
  imageChipId: 25,
  // No recording of this word was found; it names no older chip.
  magic: () => 0,
  revision: { major: 0, minor: 1 },
  fuses: ({ mac, revision, security }) => {
    const words = new FuseWords()
      .addMac(block1(0), mac)
      .add([block1(1), 16], 0xfffe)
      .add([block1(3), 18], revision.minor)
      .add([block1(3), 21], revision.major);
    return addSecurity(words, laterSecurityFields(fuse), security).words;
  },
  texts: {
    ...esp32h2.texts,
    // No published boot log of this chip was found: name as of its siblings.
    banner: () => 'ESP-ROM:esp32h21\r\n',
  },
};

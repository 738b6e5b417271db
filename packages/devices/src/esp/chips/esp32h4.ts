/** ESP32-H4. It has its own addresses; its output is assumed to resemble the C5's. */
import { addSecurity, type EspChip, FuseWords, laterSpi } from './chip.ts';
import { esp32c6 } from './esp32c6.ts';

const fuse = 0x600b1800;
/** Address of word `index` of eFuse block 1. */
const block1 = (index: number) => fuse + 0x44 + index * 4;
const watchdog = 0x600b5400;

export const esp32h4: EspChip = {
  ...esp32c6,
  name: 'esp32h4',
  imageChipId: 28,
  // No recording of this word was found. 0 matches no older chip.
  magic: () => 0,
  revision: { major: 1, minor: 0 },
  crystals: [32],
  bootloaderOffset: 0x2000,
  fuses: ({ mac, revision, security }) => {
    const words = new FuseWords()
      .addMac(block1(0), mac)
      .add([block1(1), 16], 0xfffe)
      .add([block1(3), 18], revision.minor)
      .add([block1(3), 22], revision.major);
    return addSecurity(
      words,
      {
        cryptCount: [fuse + 0x30, 23],
        secureBoot: [fuse + 0x38, 5],
        manualEncryptOff: [fuse + 0x30, 14],
        purposes: [
          [fuse + 0x34, 0],
          [fuse + 0x34, 5],
        ],
      },
      security,
    ).words;
  },
  spi: laterSpi(0x60099000),
  uartDivider: 0x60012014,
  watchdog: { config: watchdog, timeout: watchdog + 4, protect: watchdog + 0x18, key: 0x50d83aa1 },
  texts: {
    ...esp32c6.texts,
    // No published boot log of this chip was found. The name follows its siblings.
    banner: () => 'ESP-ROM:esp32h4\r\n',
  },
  layout: { code: 0x40820e00, data: 0x4083e600, readOnly: 0x42000020 },
};

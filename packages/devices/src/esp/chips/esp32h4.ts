/** ESP32-H4. It has its own addresses; its output is assumed to resemble the C5's. */
import { addSecurity, type EspChip, FuseWords, laterSpi } from './chip.ts';
import { esp32c6 } from './esp32c6.ts';

const fuse = 0x600b1800;
/** Address of word `index` of eFuse block 1. */
const block1 = (index: number) => fuse + 0x44 + index * 4;
const watchdog = 0x600b5400;

/** Fields of block 2 that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32h4.yaml`). */
const calibration = [
  // OCODE, DCDC_OCODE
  [4, 0, 8, 94],
  [4, 8, 8, 88],
  // ADC1_AVE_INITCODE_ATTEN0 to 3, then ADC1_HI_DOUT_ATTEN0 to 3
  [4, 26, 9, 0x0c8],
  [5, 3, 9, 0x0da],
  [5, 12, 9, 0x0ee],
  [5, 21, 9, 0x108],
  [5, 30, 9, 0x037],
  [6, 7, 9, 0x03d],
  [6, 16, 9, 0x048],
  [6, 25, 9, 0x04f],
] as const;

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
  calibration: [{ address: fuse + 0x5c, fields: calibration }],
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

/** ESP32-C5 and ESP32-C61, which have similar fuses. The C5 exists with a crystal of 48 or 40 MHz. */
import { addSecurity, type EspChip, type FuseContent, FuseWords, type SecurityFields } from './chip.ts';
import { esp32c6 } from './esp32c6.ts';

const fuse = 0x600b4800;
/** Address of word `index` of eFuse block 1. */
const block1 = (index: number) => fuse + 0x44 + index * 4;
const watchdog = 0x600b1c00;

/**
 * Fields of block 2 that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32c5.yaml` and
 * `esp32c61.yaml`, which agree).
 */
/** BLK_VERSION_MINOR of block 1. */
const measured = [[2, 8, 3, 2]] as const;
const calibration = [
  // TEMPERATURE_SENSOR, OCODE
  [4, 0, 9, 0x106],
  [4, 9, 8, 95],
  // ADC1_AVE_INITCODE_ATTEN0 to 3, then ADC1_HI_DOUT_ATTEN0 to 3
  [4, 17, 10, 0x1cb],
  [4, 27, 10, 0x1e1],
  [5, 5, 10, 0x1f2],
  [5, 15, 10, 0x214],
  [5, 25, 10, 0x3c],
  [6, 3, 10, 0x41],
  [6, 13, 10, 0x4c],
  [6, 23, 10, 0x55],
] as const;

const identity = ({ mac, revision, security }: FuseContent, fields: SecurityFields) => {
  const words = new FuseWords()
    .addMac(block1(0), mac)
    .add([block1(2), 0], revision.minor)
    .add([block1(2), 4], revision.major);
  return addSecurity(words, fields, security).words;
};

export const esp32c5: EspChip = {
  ...esp32c6,
  name: 'esp32c5',
  imageChipId: 23,
  magic: () => 0x1101406f,
  revision: { major: 1, minor: 0 },
  crystals: [48, 40],
  bootloaderOffset: 0x2000,
  ram: [
    [0x40800000, 0x40860000],
    [0x50000000, 0x50004000],
  ],
  fuses: (content) =>
    identity(content, {
      cryptCount: [fuse + 0x34, 16],
      secureBoot: [fuse + 0x38, 25],
      manualEncryptOff: [fuse + 0x30, 20],
      purposes: [
        [fuse + 0x34, 22],
        [fuse + 0x34, 27],
      ],
    }),
  calibration: [
    { address: fuse + 0x44, fields: measured },
    { address: fuse + 0x5c, fields: calibration },
  ],
  usbJtag: true,
  portVariable: [0x4085f514, 3],
  watchdog: { config: watchdog, timeout: watchdog + 4, protect: watchdog + 0x18, key: 0x50d83aa1 },
  texts: {
    ...esp32c6.texts,
    banner: () => 'ESP-ROM:esp32c5-eco2-20250121\r\nBuild:Jan 21 2025\r\n',
    shortModeLine: true,
    flashBoot: '0x18 (SPI_FAST_FLASH_BOOT)',
    downloadBoot: '0x10 (DOWNLOAD(USB/UART0/SDIO_FEI_FEO))',
  },
  layout: { code: 0x4084bba0, data: 0x408556c0, readOnly: 0x42000020 },
};

export const esp32c61: EspChip = {
  ...esp32c5,
  name: 'esp32c61',
  imageChipId: 20,
  magic: () => 0x33f0206f,
  crystals: [40],
  bootloaderOffset: 0,
  fuses: (content) =>
    identity(content, {
      cryptCount: [fuse + 0x30, 23],
      secureBoot: [fuse + 0x34, 26],
      manualEncryptOff: [fuse + 0x30, 14],
      purposes: [
        [fuse + 0x34, 0],
        [fuse + 0x34, 4],
      ],
    }),
  usbJtag: true,
  portVariable: null,
  texts: {
    ...esp32c6.texts,
    // No published boot log of this chip was found. The name follows its siblings.
    banner: () => 'ESP-ROM:esp32c61\r\n',
  },
  layout: { code: 0x4083ba00, data: 0x4083e600, readOnly: 0x42000020 },
};

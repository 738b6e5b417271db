import { addSecurity, type EspChip, FuseWords, laterReasons, laterSecurityFields, laterSpi } from './chip.ts';

const fuse = 0x5012d000;
/** Address of word `index` of eFuse block 1. */
const block1 = (index: number) => fuse + 0x44 + index * 4;
const watchdog = 0x50116000;

/** Fields that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32p4.yaml`). */
const measured = [
  // BLK_VERSION_MINOR
  [2, 8, 3, 2],
] as const;
const calibration = [
  // ADC1_AVE_INITCODE_ATTEN0 to 3, then ADC2_AVE_INITCODE_ATTEN0 to 3
  [4, 0, 10, 0x1c4],
  [4, 10, 10, 0x1d8],
  [4, 20, 10, 0x1ea],
  [4, 30, 10, 0x206],
  [5, 8, 10, 0x1be],
  [5, 18, 10, 0x1d1],
  [5, 28, 10, 0x1e3],
  [6, 6, 10, 0x1ff],
  // ADC1_HI_DOUT_ATTEN0 to 3
  [6, 16, 10, 0x3a],
  [6, 26, 10, 0x40],
  [7, 4, 10, 0x4b],
  [7, 14, 10, 0x53],
] as const;

export const esp32p4: EspChip = {
  name: 'esp32p4',
  generation: 'later',
  imageChipId: 18,
  magic: () => 0x00000000,
  securityInfo: 'full',
  romDeflate: null,
  revision: { major: 1, minor: 0 },
  crystals: [40],
  bootloaderOffset: 0x2000,
  ram: [
    [0x4ff00000, 0x4ffc0000],
    [0x50108000, 0x50110000],
  ],
  readable: [
    [0x40000000, 0x40002000],
    [0x4fc00000, 0x4fc20000],
    [0x50000000, 0x50108000],
    [0x50110000, 0x50130000],
  ],
  fuses: ({ mac, revision, security }) => {
    const words = new FuseWords()
      .addMac(block1(0), mac)
      .add([block1(2), 0], revision.minor)
      .add([block1(2), 4], revision.major & 3)
      .add([block1(2), 23], revision.major >> 2);
    return addSecurity(words, laterSecurityFields(fuse), security).words;
  },
  calibration: [
    { address: fuse + 0x44, fields: measured },
    { address: fuse + 0x5c, fields: calibration },
  ],
  spi: laterSpi(0x5008d000),
  uartDivider: 0x500ca014,
  straps: { address: 0x500e0038, flash: 0x08, download: 0x00 },
  usbJtag: true,
  portVariable: [0x4ff3fec8, 6],
  watchdog: { config: watchdog, timeout: watchdog + 4, protect: watchdog + 0x18, key: 0x50d83aa1 },
  texts: {
    banner: ({ major }) =>
      major >= 3
        ? 'ESP-ROM:esp32p4-eco5-20250430\r\nBuild:Apr 30 2025\r\n'
        : 'ESP-ROM:esp32p4-eco2-20240710\r\nBuild:Jul 10 2024\r\n',
    reasons: laterReasons,
    shortModeLine: true,
    flashBoot: '0x8 (SPI_FAST_FLASH_BOOT)',
    downloadBoot: '0x0 (DOWNLOAD(USB/UART0/SPI))',
    waiting: 'waiting for download',
  },
  layout: { code: 0x4ffac2c0, data: 0x4ffb60d0, readOnly: 0x40000020 },
};

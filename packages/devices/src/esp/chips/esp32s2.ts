/** ESP32-S2. It answers GET_SECURITY_INFO without a chip id. */
import { addSecurity, type EspChip, FuseWords, laterReasons, laterSpi } from './chip.ts';

const fuse = 0x3f41a000;
/** Address of word `index` of eFuse block 1. */
const block1 = (index: number) => fuse + 0x44 + index * 4;
const rtc = 0x3f408000;

/** Fields of block 2 that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32s2.yaml`). */
const calibration = [
  // ADC_CALIB, BLK_VERSION_MINOR (2: calibration of version 2), TEMP_CALIB
  [4, 0, 4, 5],
  [4, 4, 3, 2],
  [4, 7, 9, 0x10a],
  // RTCCALIB_V1IDX_A10H to A13H and A20H to A23H
  [4, 16, 8, 0x6d],
  [4, 24, 8, 0x70],
  [5, 0, 8, 0x73],
  [5, 8, 8, 0x79],
  [5, 16, 8, 0x6b],
  [5, 24, 8, 0x6f],
  [6, 0, 8, 0x72],
  [6, 8, 8, 0x77],
  // RTCCALIB_V1IDX_A10L to A13L and A20L to A23L
  [6, 16, 6, 0x0e],
  [6, 22, 6, 0x11],
  [6, 28, 6, 0x13],
  [7, 2, 6, 0x18],
  [7, 8, 6, 0x0d],
  [7, 14, 6, 0x10],
  [7, 20, 6, 0x12],
  [7, 26, 6, 0x17],
] as const;

export const esp32s2: EspChip = {
  name: 'esp32s2',
  generation: 'later',
  imageChipId: 2,
  magic: () => 0x000007c6,
  securityInfo: 'short',
  romDeflate: null,
  revision: { major: 1, minor: 0 },
  crystals: [40],
  bootloaderOffset: 0x1000,
  ram: [
    [0x3ff9e000, 0x40000000],
    [0x40020000, 0x40080000],
    [0x50000000, 0x50002000],
  ],
  readable: [
    [0x3f400000, 0x3f4d0000],
    // The range below the ROM is undocumented. Published clients read there and do not crash.
    [0x3ff00000, 0x3ff9e000],
    [0x40000000, 0x40020000],
    [0x60000000, 0x60100000],
  ],
  fuses: ({ mac, revision, security }) => {
    const words = new FuseWords()
      .addMac(block1(0), mac)
      .add([block1(3), 18], revision.major)
      .add([block1(3), 20], revision.minor >> 3)
      .add([block1(4), 4], revision.minor & 7);
    const fields = {
      cryptCount: [fuse + 0x34, 18],
      secureBoot: [fuse + 0x38, 20],
      manualEncryptOff: [fuse + 0x30, 19],
      purposes: [
        [fuse + 0x34, 24],
        [fuse + 0x34, 28],
      ],
    } as const;
    return addSecurity(words, fields, security).words;
  },
  calibration: [{ address: fuse + 0x5c, fields: calibration }],
  spi: laterSpi(0x3f402000),
  uartDivider: 0x3f400014,
  straps: { address: 0x3f404038, flash: 0x08, download: 0x00 },
  usbJtag: false,
  portVariable: null,
  watchdog: { config: rtc + 0x94, timeout: rtc + 0x98, protect: rtc + 0xac, key: 0x50d83aa1 },
  texts: {
    banner: () => 'ESP-ROM:esp32s2-rc4-20191025\r\nBuild:Oct 25 2019\r\n',
    reasons: laterReasons,
    flashBoot: '0x8 (SPI_FAST_FLASH_BOOT)',
    downloadBoot: '0x0 (DOWNLOAD(USB/UART0/1/SPI))',
    waiting: 'waiting for download',
  },
  layout: { code: 0x4004c000, data: 0x3ffe6100, readOnly: 0x3f000020 },
};

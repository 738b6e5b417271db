import { type EspChip, fusesWithSplitRevision, laterReasons, laterSpi } from './chip.ts';

const fuse = 0x60007000;
const rtc = 0x60008000;

/** Fields that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32s3.yaml`). */
const measured = [
  // BLK_VERSION_MINOR, K_RTC_LDO, K_DIG_LDO, V_RTC_DBIAS20, V_DIG_DBIAS20, DIG_DBIAS_HVT, ADC2_CAL_VOL_ATTEN3
  [3, 24, 3, 3],
  [4, 13, 7, 31],
  [4, 20, 7, 22],
  [4, 27, 8, 128],
  [5, 3, 8, 20],
  [5, 11, 5, 13],
  [5, 26, 6, 11],
] as const;
const calibration = [
  // BLK_VERSION_MAJOR, TEMP_CALIB, OCODE
  [4, 0, 2, 1],
  [4, 4, 9, 0x10c],
  [4, 13, 8, 92],
  // ADC1_INIT_CODE_ATTEN0 to 3, ADC2_INIT_CODE_ATTEN0 to 3
  [4, 21, 8, 0x82],
  [4, 29, 6, 0x1b],
  [5, 3, 6, 0x16],
  [5, 9, 6, 0x1d],
  [5, 15, 8, 0x7c],
  [5, 23, 6, 0x19],
  [5, 29, 6, 0x12],
  [6, 3, 6, 0x1e],
  // ADC1_CAL_VOL_ATTEN0 to 3, ADC2_CAL_VOL_ATTEN0 to 2
  [6, 9, 8, 0x77],
  [6, 17, 8, 0x80],
  [6, 25, 8, 0x7a],
  [7, 1, 8, 0x71],
  [7, 9, 8, 0x69],
  [7, 17, 7, 0x3f],
  [7, 24, 7, 0x42],
] as const;

export const esp32s3: EspChip = {
  name: 'esp32s3',
  generation: 'later',
  imageChipId: 9,
  magic: () => 0x00000009,
  securityInfo: 'full',
  romDeflate: null,
  revision: { major: 0, minor: 2 },
  crystals: [40],
  bootloaderOffset: 0,
  ram: [
    [0x3fc88000, 0x3fd00000],
    [0x40370000, 0x403e0000],
    [0x50000000, 0x50002000],
  ],
  readable: [
    // The range behind the ROM is undocumented. Published clients read there and do not crash.
    [0x3ff00000, 0x40000000],
    [0x40000000, 0x40060000],
    [0x60000000, 0x60100000],
  ],
  fuses: fusesWithSplitRevision(fuse),
  calibration: [
    { address: fuse + 0x44, fields: measured },
    { address: fuse + 0x5c, fields: calibration },
  ],
  spi: laterSpi(0x60002000),
  uartDivider: 0x60000014,
  straps: { address: 0x60004038, flash: 0x08, download: 0x00 },
  usbJtag: true,
  portVariable: [0x3fcef14c, 4],
  watchdog: { config: rtc + 0x98, timeout: rtc + 0x9c, protect: rtc + 0xb0, key: 0x50d83aa1 },
  texts: {
    banner: () => 'ESP-ROM:esp32s3-20210327\r\nBuild:Mar 27 2021\r\n',
    reasons: laterReasons,
    flashBoot: '0x8 (SPI_FAST_FLASH_BOOT)',
    downloadBoot: '0x0 (DOWNLOAD(USB/UART0))',
    waiting: 'waiting for download',
  },
  layout: { code: 0x403c9700, data: 0x3fce3808, readOnly: 0x3c000020 },
};

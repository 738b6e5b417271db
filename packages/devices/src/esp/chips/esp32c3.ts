/** ESP32-C3. Revision 0.3 and its download texts are those of the recorded session. */
import { type EspChip, fusesWithSplitRevision, laterReasons, laterSpi } from './chip.ts';

const fuse = 0x60008800;
const rtc = 0x60008000;

/** Fields that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32c3.yaml`). */
const measured = [
  // BLK_VERSION_MINOR, K_RTC_LDO, K_DIG_LDO, V_RTC_DBIAS20, V_DIG_DBIAS20, DIG_DBIAS_HVT
  [3, 24, 3, 3],
  [4, 7, 7, 27],
  [4, 14, 7, 14],
  [4, 21, 8, 130],
  [4, 29, 8, 24],
  [5, 5, 5, 14],
] as const;
const calibration = [
  // BLK_VERSION_MAJOR, TEMP_CALIB, OCODE
  [4, 0, 2, 1],
  [4, 3, 9, 0x108],
  [4, 12, 8, 94],
  // ADC1_INIT_CODE_ATTEN0 to 3, then ADC1_CAL_VOL_ATTEN0 to 3
  [4, 20, 10, 0x1f4],
  [4, 30, 10, 0x1ff],
  [5, 8, 10, 0x20b],
  [5, 18, 10, 0x22c],
  [5, 28, 10, 0x3e],
  [6, 6, 10, 0x39],
  [6, 16, 10, 0x45],
  [6, 26, 10, 0x41],
] as const;

export const esp32c3: EspChip = {
  name: 'esp32c3',
  generation: 'later',
  imageChipId: 5,
  // A different value for each mask of the ROM.
  magic: ({ major, minor }) => (major === 0 && minor < 3 ? 0x6921506f : major === 0 ? 0x1b31506f : 0x4881606f),
  securityInfo: 'full',
  romDeflate: 'exact',
  revision: { major: 0, minor: 3 },
  crystals: [40],
  bootloaderOffset: 0,
  ram: [
    [0x3fc80000, 0x3fd00000],
    [0x4037c000, 0x403e0000],
    [0x50000000, 0x50002000],
  ],
  // SRAM 1 on the instruction bus (Technical Reference Manual, section 3.3.2 "Internal Memory").
  mirror: { start: 0x40380000, end: 0x403e0000, at: 0x3fc80000 },
  readable: [
    [0x3ff00000, 0x3ff20000],
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
  straps: { address: 0x60004038, flash: 0x0d, download: 0x02 },
  systemReset: 0x60008000,
  // Delays of genuine ROM code were 1.02 times the requested length, with a crystal of 40 MHz.
  romDelay: { ticksPerMicrosecond: 40.8 },
  receiveRing: 2_048,
  usbJtag: true,
  portVariable: [0x3fcdf07c, 3],
  watchdog: { config: rtc + 0x90, timeout: rtc + 0x94, protect: rtc + 0xa8, key: 0x50d83aa1 },
  texts: {
    banner: () => 'ESP-ROM:esp32c3-api1-20210207\r\nBuild:Feb  7 2021\r\n',
    reasons: laterReasons,
    flashBoot: '0xd (SPI_FAST_FLASH_BOOT)',
    downloadBoot: '0x2 (UART0_BOOT)',
    usbDownloadBoot: '0x5 (DOWNLOAD(USB/UART0/1))',
    waiting: 'wait uart0 download',
    usbWaiting: 'waiting for download',
    panics: true,
  },
  layout: { code: 0x403ce000, data: 0x3fcd5820, readOnly: 0x3c000020 },
};

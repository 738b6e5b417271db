/** ESP32-C2 (ESP8684). Its usual crystal has 26 MHz, but the ROM assumes 40. It therefore prints at 74880 baud. */
import { addSecurity, type EspChip, FuseWords, laterReasons, laterSpi } from './chip.ts';

const fuse = 0x60008800;
/** Address of word `index` of eFuse block 2. This chip has there what others have in block 1. */
const block2 = (index: number) => fuse + 0x40 + index * 4;
const rtc = 0x60008000;

/** Fields of block 2 that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32c2.yaml`). */
const calibration = [
  // BLK_VERSION_MINOR, OCODE, TEMP_CALIB
  [1, 25, 3, 1],
  [1, 30, 7, 93],
  [2, 5, 9, 0x105],
  // ADC1_INIT_CODE_ATTEN0 and 3, then ADC1_CAL_VOL_ATTEN0 and 3
  [2, 14, 8, 0x61],
  [2, 22, 5, 0x0c],
  [2, 27, 8, 0x48],
  [3, 3, 6, 0x1a],
  // DIG_DBIAS_HVT
  [3, 9, 5, 13],
] as const;

export const esp32c2: EspChip = {
  name: 'esp32c2',
  generation: 'later',
  imageChipId: 12,
  magic: ({ major }) => (major === 0 ? 0x6f51306f : 0x7c41a06f),
  securityInfo: 'full',
  romDeflate: null,
  revision: { major: 1, minor: 2 },
  crystals: [26, 40],
  bootloaderOffset: 0,
  ram: [
    [0x3fca0000, 0x3fce0000],
    [0x4037c000, 0x403c0000],
  ],
  readable: [
    [0x3ff00000, 0x3ff50000],
    [0x40000000, 0x40090000],
    [0x60000000, 0x60100000],
  ],
  fuses: ({ mac, revision, security }) => {
    const words = new FuseWords()
      .addMac(block2(0), mac)
      .add([block2(1), 16], revision.minor)
      .add([block2(1), 20], revision.major);
    const fields = {
      cryptCount: [fuse + 0x30, 7],
      secureBoot: [fuse + 0x30, 21],
      manualEncryptOff: [fuse + 0x30, 6],
    } as const;
    return addSecurity(words, fields, security).words;
  },
  calibration: [{ address: block2(0), fields: calibration }],
  spi: laterSpi(0x60002000),
  uartDivider: 0x60000014,
  straps: { address: 0x60004038, flash: 0x0c, download: 0x04 },
  usbJtag: false,
  portVariable: null,
  watchdog: { config: rtc + 0x84, timeout: rtc + 0x88, protect: rtc + 0x9c, key: 0x50d83aa1 },
  texts: {
    banner: () => 'ESP-ROM:esp8684-api2-20220127\r\nBuild:Jan 27 2022\r\n',
    reasons: laterReasons,
    flashBoot: '0xc (SPI_FAST_FLASH_BOOT)',
    downloadBoot: '0x4 (DOWNLOAD(UART0))',
    waiting: 'waiting for download',
  },
  layout: { code: 0x403acb70, data: 0x3fcd5c80, readOnly: 0x3c000020 },
};

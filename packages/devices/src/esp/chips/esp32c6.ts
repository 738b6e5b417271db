import { type EspChip, fusesWithEui64, laterReasons, laterSpi } from './chip.ts';

const fuse = 0x600b0800;
const watchdog = 0x600b1c00;

/** Fields that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32c6.yaml`). */
const measured = [
  // ACTIVE_HP_DBIAS, ACTIVE_LP_DBIAS, LSLP_HP_DBIAS, DSLP_LP_DBIAS, DBIAS_VOL_GAP, BLK_VERSION_MINOR
  [2, 0, 5, 24],
  [2, 5, 5, 26],
  [2, 12, 4, 3],
  [2, 19, 4, 2],
  [2, 23, 5, 9],
  [3, 27, 3, 3],
] as const;
const calibration = [
  // TEMP_CALIB, OCODE
  [4, 0, 9, 0x104],
  [4, 9, 8, 96],
  // ADC1_INIT_CODE_ATTEN0 to 3, then ADC1_CAL_VOL_ATTEN0 to 3
  [4, 17, 10, 0x1d0],
  [4, 27, 10, 0x1e6],
  [5, 5, 10, 0x1f8],
  [5, 15, 10, 0x219],
  [5, 25, 10, 0x44],
  [6, 3, 10, 0x3b],
  [6, 13, 10, 0x4a],
  [6, 23, 10, 0x52],
  // ADC1_INIT_CODE_ATTEN0 of channels 0 to 6
  [7, 1, 4, 2],
  [7, 5, 4, 3],
  [7, 9, 4, 1],
  [7, 13, 4, 4],
  [7, 17, 4, 2],
  [7, 21, 4, 3],
  [7, 25, 4, 5],
] as const;

export const esp32c6: EspChip = {
  name: 'esp32c6',
  generation: 'later',
  imageChipId: 13,
  magic: () => 0x2ce0806f,
  securityInfo: 'full',
  romDeflate: null,
  revision: { major: 0, minor: 1 },
  crystals: [40],
  bootloaderOffset: 0,
  ram: [
    [0x40800000, 0x40880000],
    [0x50000000, 0x50004000],
  ],
  readable: [
    [0x40000000, 0x40050000],
    [0x60000000, 0x60100000],
  ],
  fuses: fusesWithEui64(fuse, 22),
  calibration: [
    { address: fuse + 0x44, fields: measured },
    { address: fuse + 0x5c, fields: calibration },
  ],
  spi: laterSpi(0x60003000),
  uartDivider: 0x60000014,
  straps: { address: 0x60091038, flash: 0x0c, download: 0x04 },
  usbJtag: true,
  portVariable: [0x4087f580, 3],
  watchdog: { config: watchdog, timeout: watchdog + 4, protect: watchdog + 0x18, key: 0x50d83aa1 },
  texts: {
    banner: () => 'ESP-ROM:esp32c6-20220919\r\nBuild:Sep 19 2022\r\n',
    reasons: { ...laterReasons, usb: 'rst:0x15 (USB_UART_HPSYS)', watchdog: 'rst:0x7 (TG0_WDT_HPSYS)' },
    flashBoot: '0xc (SPI_FAST_FLASH_BOOT)',
    downloadBoot: '0x4 (DOWNLOAD(USB/UART0/SDIO_FEI_FEO))',
    waiting: 'waiting for download',
  },
  layout: { code: 0x4086c410, data: 0x40875728, readOnly: 0x42000020 },
};

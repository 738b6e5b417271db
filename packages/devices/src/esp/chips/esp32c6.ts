import { type EspChip, fusesWithEui64, laterReasons, laterSpi } from './chip.ts';

const watchdog = 0x600b1c00;

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
  fuses: fusesWithEui64(0x600b0800, 22),
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

import { type EspChip, fusesWithSplitRevision, laterReasons, laterSpi } from './chip.ts';

const fuse = 0x60007000;
const rtc = 0x60008000;

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

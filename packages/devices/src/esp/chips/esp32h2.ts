/** ESP32-H2. Similar to the C6, with a crystal of 32 MHz. */
import { type EspChip, fusesWithEui64 } from './chip.ts';
import { esp32c6 } from './esp32c6.ts';

const watchdog = 0x600b1c00;

export const esp32h2: EspChip = {
  ...esp32c6,
  name: 'esp32h2',
  imageChipId: 16,
  magic: ({ major }) => (major === 0 ? 0xd7b73e80 : 0x97e30068),
  revision: { major: 1, minor: 2 },
  crystals: [32],
  readable: [
    ...esp32c6.readable,
    // Undocumented range. Published clients read a variable of the ESP32-S3's ROM there and do not crash.
    [0x3fce0000, 0x3fcf0000],
  ],
  fuses: fusesWithEui64(0x600b0800, 21),
  usbJtag: true,
  portVariable: [0x4084fefc, 3],
  watchdog: { config: watchdog, timeout: watchdog + 4, protect: watchdog + 0x1c, key: 0x50d83aa1 },
  texts: {
    ...esp32c6.texts,
    banner: () => 'ESP-ROM:esp32h2-20221101\r\nBuild:Nov  1 2022\r\n',
    downloadBoot: '0x4 (DOWNLOAD(USB/UART0))',
  },
  layout: { code: 0x4083b910, data: 0x4083e610, readOnly: 0x42000020 },
};

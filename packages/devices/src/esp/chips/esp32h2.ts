/** ESP32-H2. Similar to the C6, with a crystal of 32 MHz. */
import { type EspChip, fusesWithEui64 } from './chip.ts';
import { esp32c6 } from './esp32c6.ts';

const fuse = 0x600b0800;
const watchdog = 0x600b1c00;

/** Fields that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32h2.yaml`). */
const measured = [
  // RXIQ_VERSION, RXIQ_0, RXIQ_1, ACTIVE_HP_DBIAS, ACTIVE_LP_DBIAS, DSLP_DBIAS, DBIAS_VOL_GAP, LSLP_HP_DBIAS
  [2, 0, 3, 1],
  [2, 3, 7, 66],
  [2, 10, 7, 58],
  [2, 17, 5, 25],
  [2, 22, 5, 27],
  [2, 27, 4, 2],
  [2, 31, 5, 8],
  [3, 4, 3, 3],
] as const;
const calibration = [
  // BLK_VERSION_MINOR, TEMP_CALIB
  [4, 2, 3, 2],
  [4, 8, 9, 0x107],
  // ADC1_AVE_INITCODE_ATTEN0 to 3, then ADC1_HI_DOUT_ATTEN0 to 3
  [4, 17, 10, 0x1c8],
  [4, 27, 10, 0x1da],
  [5, 5, 10, 0x1ee],
  [5, 15, 10, 0x208],
  [5, 25, 10, 0x37],
  [6, 3, 10, 0x3d],
  [6, 13, 10, 0x48],
  [6, 23, 10, 0x4f],
] as const;

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
  fuses: fusesWithEui64(fuse, 21),
  calibration: [
    { address: fuse + 0x44, fields: measured },
    { address: fuse + 0x5c, fields: calibration },
  ],
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

/**
 * ESP8266 and ESP8285, the same chip with flash in its package. Both print at 74880 baud with the usual crystal. MAC
 * in OTP words: esptool `esp8266.py`, `read_mac`; boot log: esptool documentation, "Boot Log" of the ESP8266.
 */
import { type EspChip, type FuseContent, FuseWords } from './chip.ts';

const otp = 0x3ff00050;

const otpWords = ({ mac }: FuseContent) => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac;
  return new FuseWords()
    .add([otp, 0], (f << 24) >>> 0)
    .add([otp + 4, 0], (d << 8) | e)
    .add([otp + 12, 0], (a << 16) | (b << 8) | c);
};

export const esp8266: EspChip = {
  name: 'esp8266',
  generation: 'esp8266',
  imageChipId: null,
  magic: () => 0xfff0c101,
  securityInfo: 'none',
  romDeflate: null,
  revision: { major: 0, minor: 0 },
  crystals: [26, 40],
  bootloaderOffset: 0,
  ram: [
    [0x3ffe8000, 0x40000000],
    [0x40100000, 0x40110000],
  ],
  readable: [
    [0x3ff00000, 0x3ff20000],
    [0x40000000, 0x40010000],
    [0x60000000, 0x60002000],
  ],
  fuses: (content) => otpWords(content).words,
  spi: { base: 0x60000200, user: 0x1c, user1: 0x20, user2: 0x24, readLength: null, data: 0x40 },
  uartDivider: 0x60000014,
  straps: { address: 0x60000318, flash: 0x30000, download: 0x10000 },
  usbJtag: false,
  portVariable: null,
  watchdog: null,
  texts: {
    banner: () => '\r\n ets Jan  8 2013,',
    reasons: {
      power: 'rst cause:1',
      pin: 'rst cause:2',
      software: 'rst cause:2',
      system: 'rst cause:2',
      watchdog: 'rst cause:4',
      'brown-out': 'rst cause:1',
      usb: 'rst cause:2',
      'rtc-watchdog': 'rst cause:4',
      'group-watchdog': 'rst cause:4',
      'super-watchdog': 'rst cause:4',
    },
    flashBoot: '(3,6)',
    downloadBoot: '(1,6)',
    waiting: null,
  },
  layout: { code: 0x40100000, data: 0x3ffe8000, readOnly: 0x3ffe8010 },
};

export const esp8285: EspChip = {
  ...esp8266,
  name: 'esp8285',
  // Bit 4 of the first word marks the ESP8285 of 1 MiB (`get_chip_description`, `_get_flash_size`).
  fuses: (content) => otpWords(content).add([otp, 4], 1).words,
};

/**
 * ESP32. Fuses: Technical Reference Manual, chapter "eFuse Controller". Checksum of the MAC: ESP-IDF
 * `esp_efuse_mac_get_default`, a CRC-8 with the polynomial of Maxim's 1-Wire.
 */
import { type EspChip, FuseWords } from './chip.ts';

const fuse = (word: number) => 0x3ff5a000 + word * 4;
/** Register with a date, whose top bit is the third bit of the chip's major revision. */
const apbControlDate = 0x3ff6607c;
/** Register with the result of the ROM's measurement of its crystal, from bit 7 on. */
const calibration = 0x3ff5f06c;
/** Values for which the measurement gives 40 MHz: cycles × 15625 × frequency ÷ 40 (`get_rom_cal_crystal_freq`). */
const calibrationCycles = 2_048;
const clockFrequency = 50;

/** Fields of block 0 that the factory burns, with typical values (esptool, `espefuse/efuse_defs/esp32.yaml`). */
const references = [
  // BLK3_PART_RESERVE: block 3 has the two-point calibration
  [3, 14, 1, 1],
  // ADC_VREF: bits 0 to 3 count 7 mV from 1100 mV on, bit 4 is the sign
  [4, 8, 5, 3],
  // VOL_LEVEL_HP_INV: the core's voltage at 240 MHz
  [5, 22, 2, 2],
] as const;
/** Address of block 3. */
const block3 = 0x3ff5a078;
const adcPoints = [
  // ADC1_TP_LOW, ADC1_TP_HIGH, ADC2_TP_LOW, ADC2_TP_HIGH
  [3, 0, 7, 0x0b],
  [3, 7, 9, 0x1f2],
  [3, 16, 7, 0x0e],
  [3, 23, 9, 0x1f5],
] as const;

function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 1) === 0 ? crc >> 1 : (crc >> 1) ^ 0x8c;
    }
  }
  return crc;
}

export const esp32: EspChip = {
  name: 'esp32',
  generation: 'esp32',
  imageChipId: 0,
  magic: () => 0x00f01d83,
  securityInfo: 'none',
  romDeflate: 'windows',
  revision: { major: 3, minor: 1 },
  crystals: [40, 26],
  bootloaderOffset: 0x1000,
  ram: [
    [0x3ffae000, 0x40000000],
    [0x40070000, 0x400c2000],
    [0x50000000, 0x50002000],
  ],
  readable: [
    [0x3ff00000, 0x3ffae000],
    [0x40000000, 0x40070000],
    [0x60000000, 0x60040000],
  ],
  fuses: ({ mac, revision, security, crystalFuse }) => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac;
    const words = new FuseWords()
      .add([fuse(1), 0], ((c << 24) | (d << 16) | (e << 8) | f) >>> 0)
      .add([fuse(2), 0], (crc8(mac) << 16) | (a << 8) | b)
      // A D0WD, rated for 240 MHz.
      .add([fuse(3), 9], revision.major >= 2 ? 1 : 0)
      .add([fuse(3), 13], 1)
      .add([fuse(3), 15], revision.major >= 1 ? 1 : 0)
      .add([fuse(5), 20], revision.major >= 2 ? 1 : 0)
      .add([fuse(5), 24], revision.minor & 3)
      .add([apbControlDate, 31], revision.major >= 3 ? 1 : 0)
      .add([calibration, 7], calibrationCycles)
      .add([fuse(4), 0], crystalFuse === 'blank' ? 0 : clockFrequency);
    if (security.flashEncryption !== 'off') {
      words.add([fuse(0), 20], security.flashEncryption === 'release' ? 0x7f : 1).add([fuse(5), 28], 0xf);
    }
    if (security.flashEncryption === 'release') {
      words.add([fuse(6), 7], 1);
    }
    if (security.secureBoot) {
      // Secure boot 2 from revision 3 on, secure boot 1 before.
      words.add([fuse(6), revision.major >= 3 ? 5 : 4], 1);
    }
    return words.words;
  },
  calibration: [
    { address: fuse(0), fields: references },
    { address: block3, fields: adcPoints },
  ],
  spi: { base: 0x3ff42000, user: 0x1c, user1: 0x20, user2: 0x24, readLength: 0x2c, data: 0x80 },
  uartDivider: 0x3ff40014,
  straps: { address: 0x3ff44038, flash: 0x13, download: 0x03 },
  systemReset: 0x3ff48000,
  // Genuine ROM code (ECO3) leaves 13 in its variable, also with a crystal of 40 MHz. Its delays are 0.325 times the
  // requested length.
  romDelay: { ticksPerMicrosecond: 13, variable: 0x3ffe01e0 },
  receiveRing: 256,
  usbJtag: false,
  portVariable: null,
  watchdog: null,
  texts: {
    banner: ({ major }) => (major >= 3 ? 'ets Jul 29 2019 12:21:46\r\n\r\n' : 'ets Jun  8 2016 00:22:57\r\n\r\n'),
    reasons: {
      power: 'rst:0x1 (POWERON_RESET)',
      pin: 'rst:0x1 (POWERON_RESET)',
      software: 'rst:0xc (SW_CPU_RESET)',
      system: 'rst:0x3 (SW_RESET)',
      watchdog: 'rst:0x10 (RTCWDT_RTC_RESET)',
      'brown-out': 'rst:0xf (RTCWDT_BROWN_OUT_RESET)',
      usb: 'rst:0x1 (POWERON_RESET)',
      'rtc-watchdog': 'rst:0x10 (RTCWDT_RTC_RESET)',
      'group-watchdog': 'rst:0x7 (TG0WDT_SYS_RESET)',
      // This chip has no super watchdog.
      'super-watchdog': 'rst:0x10 (RTCWDT_RTC_RESET)',
    },
    flashBoot: '0x13 (SPI_FAST_FLASH_BOOT)',
    downloadBoot: '0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))',
    waiting: 'waiting for download',
  },
  layout: { code: 0x40080400, data: 0x3fff0030, readOnly: 0x3f400020 },
};

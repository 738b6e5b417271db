/**
 * The board's output while it starts: the lines of the chip's ROM, then a log in the form of ESP-IDF. A line has
 * level, milliseconds since start, tag and text (`I (24) boot: …`), in green, yellow or red. Forms: ESP32 ROM, and
 * ESP-IDF Programming Guide, "Logging library". The content of the log is invented for the demo.
 */

/** Reasons of a reset, in the words of the ROM. */
export const resetReasons = {
  power: 'rst:0x1 (POWERON_RESET)',
  software: 'rst:0xc (SW_CPU_RESET)',
} as const;
export type ResetReason = keyof typeof resetReasons;

export type LogLevel = 'I' | 'W' | 'E';

/** Milliseconds from the release of reset to the ROM's first byte, as measured on an ESP32. */
export const romStart = 12;

const colours = { I: '\x1b[0;32m', W: '\x1b[0;33m', E: '\x1b[0;31m' } satisfies Record<LogLevel, string>;

/** Returns one coloured line of a log, with its line end. `time` is in milliseconds since the chip started. */
export function logLine(level: LogLevel, time: number, tag: string, text: string): string {
  return `${colours[level]}${level} (${Math.floor(time)}) ${tag}: ${text}\x1b[0m\r\n`;
}

const romBuild = 'ets Jul 29 2019 12:21:46\r\n\r\n';

export function romText(reason: ResetReason): string {
  return [
    `${romBuild}${resetReasons[reason]},boot:0x13 (SPI_FAST_FLASH_BOOT)`,
    'configsip: 0, SPIWP:0xee',
    'clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00',
    'mode:DIO, clock div:2',
    'load:0x3fff0030,len:6652',
    'load:0x40078000,len:14772',
    'load:0x40080400,len:4108',
    'entry 0x40080690',
    '',
  ].join('\r\n');
}

/** Printed by the ROM when IO0 is low at its start: it waits for a flasher. */
export const downloadText = `${romBuild}${resetReasons.power},boot:0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))\r\nwaiting for download\r\n`;

const log: readonly (readonly [number, LogLevel, string, string])[] = [
  [24, 'I', 'boot', 'second stage bootloader, demo build'],
  [25, 'I', 'boot', 'chip revision: v3.1, two cores'],
  [28, 'I', 'boot.esp32', 'SPI speed: 40MHz, mode: DIO, flash size: 4MB'],
  [33, 'I', 'boot', 'partition table:'],
  [37, 'I', 'boot', '## label            usage          type st offset   length'],
  [44, 'I', 'boot', ' 0 nvs              WiFi data        01 02 00009000 00006000'],
  [52, 'I', 'boot', ' 1 phy_init         RF data          01 01 0000f000 00001000'],
  [59, 'I', 'boot', ' 2 factory          factory app      00 00 00010000 00100000'],
  [67, 'I', 'boot', 'end of partition table'],
  [71, 'I', 'esp_image', 'segment 0: paddr=00010020 vaddr=3f400020 size=0a4b8h ( 42168) map'],
  [94, 'I', 'esp_image', 'segment 1: paddr=0001a4e0 vaddr=3ffb0000 size=02284h (  8836) load'],
  [101, 'I', 'esp_image', 'segment 2: paddr=0001c76c vaddr=40080000 size=038ach ( 14508) load'],
  [113, 'I', 'boot', 'loaded app from partition at offset 0x10000'],
  [129, 'I', 'cpu_start', 'pro cpu up, app cpu up, 240 MHz'],
  [146, 'I', 'app', 'wirebench demo board, a simulation: no hardware is connected'],
  [158, 'I', 'heap', '296 KiB free for dynamic allocation'],
  [171, 'W', 'flash', 'image header says 2MB, the chip has 4MB: using 2MB'],
  [188, 'I', 'i2c', 'bus 0 at 400 kHz on SDA 21, SCL 22'],
  [203, 'E', 'sdcard', 'no card found (0x107), continuing without one'],
  [222, 'I', 'console', "ready, type 'help' for the list of commands"],
];

/** The log after the ROM's lines. `time` is in milliseconds since the chip started. */
export const bootLog: readonly { readonly time: number; readonly text: string }[] = log.map(
  ([time, level, tag, text]) => ({ time, text: logLine(level, time, tag, text) }),
);

import { describe, expect, it } from 'vitest';
import { diagnose, readBootLog } from './boot-log.ts';

const download =
  'ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))\r\n' +
  'waiting for download\r\n';
const normal =
  'ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n' +
  'configsip: 0, SPIWP:0xee\r\nI (29) boot: ESP-IDF v5.3 2nd stage bootloader\r\n';

describe('boot log', () => {
  it('knows the bootloader of the ESP32', () => {
    expect(readBootLog(download)).toMatchObject({ download: true });
    expect(readBootLog(download).mode).toContain('DOWNLOAD_BOOT');
  });

  it.each([
    'ESP-ROM:esp32c3-api1-20210207\r\nrst:0x1 (POWERON),boot:0x2 (UART0_BOOT)\r\nwait uart0 download',
    'rst:0x15 (USB_UART_CHIP_RESET),boot:0x0 (DOWNLOAD(USB/UART0))\r\nwaiting for download',
    '\r\n ets Jan  8 2013,rst cause:2, boot mode:(1,6)\r\n',
  ])('knows a bootloader that says %j', (text) => {
    expect(readBootLog(text).download).toBe(true);
  });

  it('knows a normal start, also after an earlier one in the bootloader', () => {
    expect(readBootLog(normal)).toMatchObject({ mode: 'SPI_FAST_FLASH_BOOT', download: false });
    expect(readBootLog(`\r\n ets Jan  8 2013,rst cause:2, boot mode:(3,6)\r\n`).download).toBe(false);
  });

  it.each([
    ['', 'nothing-at-all'],
    ['\r\n', 'nothing-at-all'],
    [download, 'no-sync-reply'],
    [normal, 'normal-boot'],
    [`${normal}\r\nBrownout detector was triggered\r\n`, 'brown-out'],
    ['rst:0x10 (RTCWDT_RTC_RESET)\r\n'.repeat(3), 'boot-loop'],
    [
      'rst:0x7 (TG0WDT_SYS_RST),boot:0xd (SPI_FAST_FLASH_BOOT)\r\ninvalid header: 0xffffffff\r\n'.repeat(4),
      'empty-flash',
    ],
    ['invalid header: 0x00e90203\r\n', 'nothing-to-start'],
    [`${normal}E (52) boot: load partition table error!\r\n`, 'nothing-to-start'],
    // A board whose IO0 is not wired, reset three times.
    [`${normal}entry 0x40080654\r\nready\r\n`.repeat(3), 'normal-boot'],
    ['\x80\xfe\x00\x1c\xe0\xf8\x03', 'garbage'],
    ['temperature 21.5 °C, all is well\r\n', 'no-answer'],
  ] as const)('says why %j did not answer', (text, code) => {
    expect(diagnose(text)).toBe(code);
  });
});

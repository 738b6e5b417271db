import { describe, expect, it } from 'vitest';
import { PanicRecogniser } from './panic-recogniser.ts';

/** Lines printed by ROMs, with the severity and a word of the explanation. */
const starts: readonly (readonly [string, string, string])[] = [
  ['rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)', 'notice', 'power was applied'],
  ['rst:0x1 (POWERON),boot:0xc (SPI_FAST_FLASH_BOOT)', 'notice', 'power was applied'],
  ['rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)', 'notice', 'program restarted'],
  ['rst:0xc (RTC_SW_CPU_RST),boot:0x8 (SPI_FAST_FLASH_BOOT)', 'notice', 'program restarted'],
  ['rst:0xc (SW_CPU),boot:0x6c (SPI_FAST_FLASH_BOOT)', 'notice', 'program restarted'],
  ['rst:0x3 (RTC_SW_SYS_RST),boot:0xf (SPI_FAST_FLASH_BOOT)', 'notice', 'program restarted'],
  ['rst:0x5 (DEEPSLEEP_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)', 'notice', 'deep sleep'],
  ['rst:0x7 (TG0WDT_SYS_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)', 'fault', 'program hung'],
  ['rst:0x8 (TG1WDT_SYS_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)', 'fault', 'program hung'],
  ['rst:0x10 (RTCWDT_RTC_RST),boot:0xd (SPI_FAST_FLASH_BOOT)', 'fault', 'did not start'],
  ['rst:0xf (BROWNOUT_RST),boot:0xd (SPI_FAST_FLASH_BOOT)', 'fault', 'supply voltage'],
  ['rst:0x15 (USB_UART_CHIP_RESET),boot:0x8 (SPI_FAST_FLASH_BOOT)', 'notice', 'over USB'],
  ['rst:0x17 (POWER_GLITCH_RESET),boot:0x8 (SPI_FAST_FLASH_BOOT)', 'fault', 'glitch'],
  ['rst:0x17 (CHIP_USB_UART_RESET),boot:0x8 (SPI_FAST_FLASH_BOOT)', 'notice', 'over USB'],
  ['rst:0x1 (POWERON),boot:0x4 (DOWNLOAD(USB/UART0/1))', 'notice', 'waits for new firmware'],
  ['rst:0x3f (SOMETHING_NEW),boot:0x8 (SPI_FAST_FLASH_BOOT)', 'warning', 'reset reason 63'],
  [' ets Jan  8 2013,rst cause:1, boot mode:(3,6)', 'notice', 'power was applied'],
  [' ets Jan  8 2013,rst cause:4, boot mode:(3,7)', 'fault', 'program hung'],
  [' ets Jan  8 2013,rst cause:2, boot mode:(1,7)', 'notice', 'waits for new firmware'],
  ['rst cause:2, boot mode:(7,6)', 'notice', 'GPIO15'],
];

describe('reason of a start', () => {
  it.each(starts)('%s', (line, severity, words) => {
    const mark = new PanicRecogniser().line(line);
    expect(mark).toMatchObject({ kind: 'reset', severity });
    expect(mark?.sentence).toContain(words);
  });

  it('has a sentence for every number that a ROM knows', () => {
    for (let number = 0; number <= 26; number++) {
      const mark = new PanicRecogniser().line(`rst:0x${number.toString(16)} (NAME),boot:0x8 (SPI_FAST_FLASH_BOOT)`);
      const isReserved = number === 2;
      expect(mark?.sentence?.includes('depends on the chip'), `number ${number}`).toBe(isReserved);
    }
  });

  it('comes with the name of the chip', () => {
    const recogniser = new PanicRecogniser();
    expect(recogniser.chip).toBeUndefined();
    recogniser.line('ESP-ROM:esp32c3-api1-20210207');
    expect(recogniser.chip).toBe('esp32c3');
    recogniser.line('ets Jul 29 2019 12:21:46');
    expect(recogniser.chip).toBe('esp32');
    recogniser.line(' ets Jan  8 2013,rst cause:2, boot mode:(3,6)');
    expect(recogniser.chip).toBe('esp8266');
  });

  it('ends a dump that was cut off', () => {
    const recogniser = new PanicRecogniser();
    recogniser.line('Stack memory:');
    recogniser.line('rst:0xc (SW_CPU),boot:0x6c (SPI_FAST_FLASH_BOOT)');
    expect(recogniser.line('3fc8f2f0: 0x42000024 0x42000024')).toBeUndefined();
  });
});

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
  ['rst:0x6 (PMU_CPU_PWR_DOWN_RESET),boot:0x8 (SPI_FAST_FLASH_BOOT)', 'notice', 'power manager'],
  ['rst:0x17 (CHIP_USB_UART_RESET),boot:0x8 (SPI_FAST_FLASH_BOOT)', 'notice', 'over USB'],
  ['rst:0x1 (POWERON),boot:0x4 (DOWNLOAD(USB/UART0/1))', 'notice', 'waits for new firmware'],
  [
    'rst:0x3f (SOMETHING_NEW),boot:0x8 (SPI_FAST_FLASH_BOOT)',
    'warning',
    'reset code 0x3f (SOMETHING_NEW), which is not in',
  ],
  [' ets Jan  8 2013,rst cause:1, boot mode:(3,6)', 'notice', 'power was applied'],
  [' ets Jan  8 2013,rst cause:4, boot mode:(3,7)', 'fault', 'program hung'],
  [' ets Jan  8 2013,rst cause:2, boot mode:(1,7)', 'notice', 'waits for new firmware'],
  ['rst cause:2, boot mode:(7,6)', 'notice', 'GPIO15'],
  ['rst cause:6, boot mode:(3,6)', 'warning', 'reset cause 6, which is not in the list'],
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
      expect(mark?.sentence?.includes('is not in Espressif'), `number ${number}`).toBe(isReserved);
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

describe('reason of a start, by the lines around it', () => {
  const banner = 'ets Jun  8 2016 00:22:57';
  const powerOn = 'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)';
  const watchdog = 'rst:0x10 (RTCWDT_RTC_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)';
  const wakeUp = 'rst:0x5 (DEEPSLEEP_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)';
  const restart = 'rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)';
  const panic = "Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.";
  /** Reads lines in slices as the terminal does: those that `skips` accepts are not read one by one. */
  const marksOf = (...lines: readonly string[]) => {
    const recogniser = new PanicRecogniser();
    const encoder = new TextEncoder();
    return lines.flatMap((line) => (recogniser.skips(encoder.encode(line)) ? [] : (recogniser.line(line) ?? [])));
  };
  const lastOf = (...lines: readonly string[]) => marksOf(...lines).at(-1);

  it.each([powerOn, wakeUp])('is no fault for the watchdog of ESP32 revision 0 directly behind %s', (start) => {
    const mark = lastOf(
      banner,
      '',
      start,
      banner,
      '',
      watchdog,
      'load:0x3fff0008,len:8',
      'I (58) boot: chip revision: 0',
    );
    expect(mark).toMatchObject({ kind: 'reset', severity: 'notice' });
    expect(mark?.sentence).toContain('errata RES-3.1');
    expect(lastOf(start, watchdog)?.severity).toBe('notice');
    expect(lastOf(`12:00:01 -> ${start}`, `12:00:01 -> ${watchdog}`)?.severity).toBe('notice');
  });

  it.each([
    ['that comes again', [powerOn, banner, watchdog, banner]],
    ['behind a start that went on', [powerOn, banner, 'load:0x3fff0008,len:8']],
    ['behind flash that could not be read', [powerOn, 'flash read err, 1000', banner]],
    ['of another ROM', ['ets Jul 29 2019 12:21:46', powerOn, 'ets Jul 29 2019 12:21:46']],
    ['without a start before it', [banner]],
    ['behind a restart by the program', [restart, banner]],
  ])('is a fault for a watchdog %s', (_, lines) => {
    expect(lastOf(...lines, watchdog)).toMatchObject({ kind: 'reset', severity: 'fault' });
  });

  it('is a fault for the watchdog of a chip that tells of another revision afterwards', () => {
    const marks = marksOf(powerOn, banner, watchdog, 'load:0x3fff0008,len:8', 'I (58) boot: chip revision: v1.0');
    expect(marks.at(-1)).toMatchObject({ kind: 'watchdog', severity: 'fault', isOfStart: true });
    expect(marks.at(-1)?.sentence).toContain('revision 1.0, which does not restart by itself');
    expect(marksOf(powerOn, 'I (58) boot: chip revision: v1.0')).toHaveLength(1);
  });

  it('tells a start that failed from a program that hung', () => {
    expect(lastOf(restart, banner, watchdog)?.sentence).toContain('because it did not start: check');
    expect(lastOf(panic, banner, watchdog)?.sentence).toContain('after the fault above');
  });

  it('is the fault above for a restart by the program', () => {
    expect(lastOf(panic, 'Rebooting...', banner, restart)?.sentence).toBe(
      'The program restarted the chip after the fault above.',
    );
    expect(lastOf(panic, restart, restart)?.sentence).toContain('on purpose or after a crash');
  });
});

import { describe, expect, it } from 'vitest';
import type { BootVerdict } from '../../core/boot-verdict.ts';
import { readEspBoot } from './boot-verdict.ts';

const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\r\n`).join('');

const rom32 = (reason: string) =>
  lines('ets Jul 29 2019 12:21:46', '', `${reason},boot:0x13 (SPI_FAST_FLASH_BOOT)`) +
  lines(
    'configsip: 0, SPIWP:0xee',
    'clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00',
    'mode:DIO, clock div:2',
    'load:0x3fff0030,len:7084',
    'load:0x40078000,len:15584',
    'load:0x40080400,len:4',
    'entry 0x40080654',
  );
const bootloader = lines(
  '\x1b[0;32mI (29) boot: ESP-IDF v5.3 2nd stage bootloader\x1b[0m',
  '\x1b[0;32mI (33) boot.esp32: SPI Speed      : 40MHz\x1b[0m',
  '\x1b[0;32mI (49) boot: ## Label            Usage          Type ST Offset   Length\x1b[0m',
  '\x1b[0;32mI (94) esp_image: segment 0: paddr=00010020 vaddr=3f400020 size=0a4b8h ( 42168) map\x1b[0m',
  '\x1b[0;32mI (180) boot: Loaded app from partition at offset 0x10000\x1b[0m',
);
const about = lines(
  '\x1b[0;32mI (222) cpu_start: Pro cpu start user code\x1b[0m',
  '\x1b[0;32mI (231) app_init: Application information:\x1b[0m',
  '\x1b[0;32mI (236) app_init: Project name:     blink sensor\x1b[0m',
  '\x1b[0;32mI (240) app_init: App version:      v2.0.0-3-g1a2b\x1b[0m',
  '\x1b[0;32mI (246) app_init: ESP-IDF:          v5.3\x1b[0m',
);
const power = 'rst:0x1 (POWERON_RESET)';
const software = 'rst:0xc (SW_CPU_RESET)';

const c3 = (reason: string) =>
  lines('ESP-ROM:esp32c3-api1-20210207', 'Build:Feb  7 2021', `${reason},boot:0xd (SPI_FAST_FLASH_BOOT)`);
const guru = lines(
  "Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.",
  'Core  1 register dump:',
  'Backtrace: 0x400d1234:0x3ffb5678',
  '',
  'Rebooting...',
);

const app = (project: string | null, version: string | null): BootVerdict => ({ kind: 'app', project, version });

describe('boot verdict', () => {
  it('is silence when nothing was printed', () => {
    expect(readEspBoot('')).toEqual({ kind: 'silence' });
    expect(readEspBoot('\r\n \r\n')).toEqual({ kind: 'silence' });
  });

  it('is unreadable at another rate', () => {
    expect(readEspBoot('\x80\xfe\x00\x1c\xe0\xf8\x03\xfe\x80')).toEqual({ kind: 'unreadable' });
  });

  it('is readable in any language', () => {
    expect(readEspBoot('温度 21.5 °C\r\n')).toEqual(app(null, null));
    expect(readEspBoot('\ufffd\ufffd\0\ufffd~\ufffd')).toEqual({ kind: 'unreadable' });
  });

  it('ignores first lines that another rate garbled', () => {
    const text = `\x80\xfe\x00\x1c\xe0\xf8\x03\xfe\x80${'\xff'.repeat(400)}\r\n${rom32(power)}`;
    expect(readEspBoot(text)).toEqual({ kind: 'starting' });
  });

  it('names the application and its version', () => {
    expect(readEspBoot(rom32(power) + bootloader + about)).toEqual(app('blink sensor', 'v2.0.0-3-g1a2b'));
    const old = lines('I (231) cpu_start: Project name:     blink', 'I (240) cpu_start: App version:      1');
    expect(readEspBoot(rom32(power) + bootloader + old)).toEqual(app('blink', '1'));
  });

  it.each([
    ['as bytes', '\xc0\x01\xf0,\0\0\0\0\0\x01\x05\xf8\x1f\0Zb'],
    ['decoded', '\ufffd\x01\ufffd,\0\0\0\0\0\x01\0\ufffd\x1f\0Zb'],
    ['as the log gives it', '\ufffd\x01\ufffd,\x01\ufffd\x1fZb'],
    ['as the log gives that of an ESP32-C3', '\ufffd\x01\ufffd,\x01\x05\ufffd\x1fZb'],
    ['as a row of the log', String.raw`\xc0\x01\xf0,\x01\xf8\x1fZb`],
    ['as a row of the log of an ESP32-C3', String.raw`\xc0\x01\xf0,\x01\x05\xf8\x1fZb`],
    ['as the console writes them', String.raw`\xc0\x01\xf0,\x00\x00\x00\x00\x00\x01\x05\xf8\x1f\x00Zb`],
  ])('recognises the probe by its greeting: %s', (_, greeting) => {
    const log = `rst:0x1 (POWERON),boot:0xd (SPI_FAST_FLASH_BOOT)\r\nentry 0x40390000\r\n${greeting}`;
    expect(readEspBoot(log)).toEqual({ kind: 'app', project: 'Wirebench probe', version: null });
    // Half of the greeting does not identify the probe.
    expect(readEspBoot(log.slice(0, -greeting.length / 2))).not.toHaveProperty('project', 'Wirebench probe');
  });

  it('does not take part of a version for a version', () => {
    const text = rom32(power) + bootloader + about.slice(0, about.indexOf('.0.0-3'));
    expect(readEspBoot(text)).toEqual(app('blink sensor', null));
  });

  it.each([
    ['Arduino without a boot log', `${rom32(power)}Hello from setup()\r\n`],
    ['a prompt without a line end', `${rom32(power)}${bootloader}micropython>>> `],
    ['a program whose boot log was lost', 'temperature 21.5 °C, all is well\r\n'],
    [
      'an ESP8266',
      '\r\n ets Jan  8 2013,rst cause:2, boot mode:(3,6)\r\n\r\nload 0x4010f000, len 3460\r\ncsum 0x91\r\nhi\r\n',
    ],
    [
      'a log of its own form',
      `${c3('rst:0x1 (POWERON)')}entry 0x403ce000\r\n[   312][I][main.cpp:12] setup(): ready\r\n`,
    ],
  ])('reports the application in %s', (_, text) => {
    expect(readEspBoot(text)).toEqual(app(null, null));
  });

  it.each([
    ['the ROM', rom32(power)],
    ['the bootloader', rom32(power) + bootloader],
    ['a boot log that begins in mid-line', rom32(power).slice(40)],
    ['a boot log that ends in mid-line', `${rom32(power)}${bootloader}I (222) cp`],
    [
      'lines that only some ROMs print',
      `${c3('rst:0x1 (POWERON)')}Octal Flash Mode Enabled\r\nFor OPI Flash, Use Default\r\n`,
    ],
    ['what an earlier program said', `temperature 21.5 °C\r\n${rom32(power)}`],
  ])('does not take %s for the application', (_, text) => {
    expect(readEspBoot(text)).toEqual({ kind: 'starting' });
  });

  it.each([
    ['an ESP32', rom32(power).slice(0, rom32(power).indexOf('configsip'))],
    ['an ESP32-C3', c3('rst:0x7 (TG0WDT_SYS_RST)')],
  ])('reports the empty flash of %s, not its restarts', (_, banner) => {
    const round = `${banner}${'invalid header: 0xffffffff\r\n'.repeat(8)}`;
    const empty = { kind: 'invalid-header', word: 0xffff_ffff, empty: true };
    expect(readEspBoot(round)).toEqual(empty);
    expect(readEspBoot(round.repeat(5))).toEqual(empty);
    // The next reset has begun.
    expect(readEspBoot(round.repeat(5) + banner)).toEqual(empty);
    expect(readEspBoot(`${banner}invalid header: 0xffffff`)).toEqual({ kind: 'starting' });
  });

  it('distinguishes a damaged start of flash from an empty one', () => {
    const text = `${c3('rst:0x1 (POWERON)')}invalid header: 0x00e90203\r\n`;
    expect(readEspBoot(text)).toEqual({ kind: 'invalid-header', word: 0x00e9_0203, empty: false });
  });

  it('reports an application that starts although the flash was empty', () => {
    const text = `${c3(power)}invalid header: 0xffffffff\r\n${rom32(power)}${bootloader}${about}`;
    expect(readEspBoot(text)).toEqual(app('blink sensor', 'v2.0.0-3-g1a2b'));
  });

  it('reports a missing partition table or application', () => {
    const noTable = lines(
      'E (40) flash_parts: partition 0 invalid magic number 0xffff',
      'E (52) boot: load partition table error!',
    );
    expect(readEspBoot((rom32(software) + noTable).repeat(4))).toEqual({ kind: 'no-partition-table' });
    const noApp = lines(
      'E (60) esp_image: image at 0x10000 has invalid magic byte (nothing flashed here?)',
      'E (64) boot: No bootable app partitions in the partition table',
    );
    expect(readEspBoot((rom32(software) + noApp).repeat(4))).toEqual({ kind: 'no-app' });
  });

  it('quotes the reason that a damaged image was refused', () => {
    const damaged = lines(
      'E (60) esp_image: Image hash failed - image is corrupt',
      'E (64) boot: No bootable app partitions in the partition table',
    );
    expect(readEspBoot(rom32(software) + damaged)).toEqual({
      kind: 'bad-image',
      line: 'E (60) esp_image: Image hash failed - image is corrupt',
    });
    expect(readEspBoot(`${rom32(power)}csum err:0x9a!=0x5f\r\nets_main.c 384 \r\n`)).toMatchObject({
      kind: 'bad-image',
    });
  });

  it('reports an application that the bootloader found in another slot', () => {
    const other = lines('E (60) esp_image: Image hash failed - image is corrupt') + bootloader + about;
    expect(readEspBoot(rom32(power) + other)).toMatchObject({ kind: 'app', project: 'blink sensor' });
  });

  it('reports a crash, also when the program starts again', () => {
    const text = rom32(power) + bootloader + about + guru + rom32(software) + bootloader + about;
    expect(readEspBoot(text)).toMatchObject({ kind: 'panic', line: expect.stringContaining('LoadProhibited') });
    expect(readEspBoot('abort() was called at PC 0x400d1234 on core 0\r\n')).toMatchObject({ kind: 'panic' });
  });

  it.each([
    `${rom32(power)}${bootloader}\x1b[0;31mE (120) BOD: Brownout detector was triggered\x1b[0m\r\n`,
    rom32('rst:0xf (RTCWDT_BROWN_OUT_RESET)'),
    c3('rst:0xf (BROWNOUT_RST)'),
  ])('reports a brown-out', (text) => {
    expect(readEspBoot(text)).toEqual({ kind: 'brown-out' });
  });

  it('ignores a program that prints about its brown-out detector', () => {
    expect(readEspBoot(`${rom32(power)}${bootloader}I (300) power: brownout level 7\r\n`)).toEqual(app(null, null));
  });

  it('counts the resets of a loop and names the last', () => {
    const round = rom32('rst:0x10 (RTCWDT_RTC_RESET)');
    expect(readEspBoot(round.repeat(4))).toEqual({ kind: 'boot-loop', resets: 4, reason: 'RTCWDT_RTC_RESET' });
    expect(readEspBoot((rom32(software) + bootloader + about).repeat(3))).toMatchObject({ kind: 'boot-loop' });
  });

  it.each([
    ['a person who presses EN', rom32(power)],
    ['a program that sleeps and wakes', rom32('rst:0x5 (DEEPSLEEP_RESET)')],
  ])('does not take %s for a loop', (_, round) => {
    expect(readEspBoot((round + bootloader + about).repeat(5))).toMatchObject({ kind: 'app' });
  });

  it.each([
    'rst:0x1 (POWERON_RESET),boot:0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))\r\nwaiting for download\r\n',
    'ESP-ROM:esp32c3-api1-20210207\r\nrst:0x1 (POWERON),boot:0x2 (UART0_BOOT)\r\nwait uart0 download',
    'rst:0x15 (USB_UART_CHIP_RESET),boot:0x0 (DOWNLOAD(USB/UART0))\r\nwaiting for download',
    '\r\n ets Jan  8 2013,rst cause:2, boot mode:(1,6)\r\n',
  ])('recognises a bootloader that prints %j', (text) => {
    expect(readEspBoot(text)).toEqual({ kind: 'download' });
  });

  it('does not report the application before it printed, at any cut of the text', () => {
    const text = rom32(power) + bootloader + about;
    for (let end = 0; end < text.length; end++) {
      const { kind } = readEspBoot(text.slice(0, end));
      const heard = end > text.indexOf('cpu_start');
      expect(heard ? ['starting', 'app'] : ['silence', 'starting'], text.slice(0, end)).toContain(kind);
    }
  });
});

import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { receivedChannel, utf8 } from '../testing/line-channels.ts';
import { Plot } from './plot.ts';

/** Returns the series of a plot of these lines, with the number of their points. */
function names(lines: readonly string[]): string[] {
  const channel = receivedChannel(1024 * 1024);
  channel.append(utf8(lines.map((line) => `${line}\n`).join('')), 0);
  const plot = new Plot(new VirtualClock(), [channel]);
  while (plot.step());
  return plot.series.map(({ name, points }) => `${name}: ${points}`);
}

describe('series of a log that is no table', () => {
  const esp32Boot = [
    'ets Jul 29 2019 12:21:46',
    '',
    'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)',
    'configsip: 0, SPIWP:0xee',
    'clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00',
    'mode:DIO, clock div:2',
    'load:0x3fff0030,len:7104',
    'load:0x40078000,len:15576',
    'load:0x40080400,len:4',
    'entry 0x40080670',
    'I (31) boot: ESP-IDF v5.3 2nd stage bootloader',
    'I (38) boot.esp32: SPI Speed      : 40MHz',
    'I (43) boot.esp32: SPI Flash Size : 4MB',
    ...[20, 20, 10, 58, 30, 8].map(
      (kib, segment) =>
        `I (9${segment}) esp_image: segment ${segment}: paddr=00010020 vaddr=3f400020 size=0b2f8h ( ${kib}) map`,
    ),
  ];
  const esp8266Boot = [
    ' ets Jan  8 2013,rst cause:2, boot mode:(3,6)',
    'load 0x4010f000, len 3424, room 16',
    'tail 0',
    'chksum 0x2e',
    'csum:5 rate:7',
  ];
  const zephyrBoot = ['*** Booting Zephyr OS build v3.7.0 ***', 'Stack size: 2048', 'Heap free: 8192'];

  it.each([
    ['an ESP32', esp32Boot],
    ['an ESP8266', esp8266Boot],
    ['Zephyr', zephyrBoot],
  ])('makes no series of what %s says while it starts, however often', (_board, boot) => {
    const run = [...boot, 'temp:21.5 hum:46', 'temp:21.6 hum:47'];
    const runs = Array.from({ length: 20 }, () => run).flat();
    expect(names([...runs, 'temp:21.7 hum:48'])).toEqual(['temp: 41', 'hum: 41']);
  });

  it('makes a series of a number in other text when it comes often', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, line) => `loop done, took time:${line} in all`);
    expect(names(lines(7))).toEqual([]);
    expect(names(lines(8))).toEqual(['took time: 8']);
  });
});

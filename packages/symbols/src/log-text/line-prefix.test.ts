import { describe, expect, it } from 'vitest';
import { LinePrefix } from './line-prefix.ts';

const strip = (...lines: readonly string[]) => {
  const prefix = new LinePrefix([/Guru Meditation Error/, />>>stack>>>/]);
  return lines.map((line) => prefix.strip(line));
};

const row = 'PC      : 0x400d2a1b  PS      : 0x00060730';

describe('prefix of a line', () => {
  it.each([
    ['Arduino IDE', '12:34:56.789 -> '],
    ['PlatformIO', '12:34:56.789 > '],
    ['idf.py monitor', '2026-11-25 12:34:56 '],
    ['tio', '[12:34:56.789] '],
    ['grabserial', '[12.345678 0.000123] '],
    ['minicom', '[2026-11-25 12:34:56.789] '],
    ['Tera Term', '[Wed Nov 25 12:34:56.789 2026] '],
    ['ts', 'Nov 25 12:34:56 '],
    ['docker', '2026-11-25T12:34:56.789123456Z '],
    ['docker compose', 'board-1  | '],
    ['ESPHome', '[12:34:56][C][esp32.crash:123]: '],
    ['journalctl', 'Nov 25 12:34:56 pi esphome[812]: '],
    ['GitHub Actions', '2026-11-25T12:34:56.1234567Z '],
    ['a pod with a long name', `${'monitor-'.repeat(30)}0 | `],
    ['a long text in brackets', `[${'monitor '.repeat(30)}]: `],
    ['many parts', '[1] '.repeat(20)],
    ['a counter and a level', '[154003] [DEBUG] '],
    ['a quotation in a mail', '> > '],
    ['a quotation without a blank', '>'],
    ['a port', '/dev/ttyUSB0: '],
    ['a time with an offset', '2026-11-25T12:34:56,789+01:00 '],
    ['a 12-hour clock', '11/25/2026 1:34:56 PM '],
    ['an exported text', '2026-11-20 14:03:05.123  Port 1  RX  '],
    ['an exported text with a named port', '2026-11-20 14:03:05.123  Küche: Sensor 2  RX  '],
    ['an exported table', '2026-11-20 14:03:05.123,1763643785123.000,Port 1,RX,'],
    ['colours', '\u001b[0;31m'],
    ['an erased line', '\u001b[K'],
    ['a control that was written out', '\\x1b[K'],
    ['a control as cat shows it', '^[[0;31m'],
    ['a colour without its escape character', '[0;31m'],
    ['a carriage return', '\r'],
    ['a carriage return in front of other text', '50 %\r'],
    ['indentation', '    '],
    ['a byte order mark', '\ufeff'],
  ])('is removed: %s', (_, prefix) => {
    expect(strip(`${prefix}${row}`)).toEqual([row]);
    expect(strip(`${prefix}>>>stack>>>`)).toEqual(['>>>stack>>>']);
  });

  it.each([
    'PC      : 0x400d2a1b  PS      : 0x00060730',
    '3fc8f2f0: 0x00000030 0x00000021',
    '40380000: 0x00000030 0x00000021',
    '3fffff70:  40223e00 3fff6f50 00000010 40200027 <',
    '0x400d2a30:0x3ffb5050',
    '>>>stack>>>',
    '<<<stack<<<',
    'epc1=0x40201064 epc2=0x00000000',
    'E (10303) task_wdt:  - IDLE0 (CPU 0)',
    'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)',
    'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2',
  ])('is not found in %s', (line) => {
    expect(strip(line)).toEqual([line]);
  });

  it('is learned from the opening of a crash if no tool is known, with changing numbers', () => {
    const lines = ['kitchen/esp#9 999 Guru Meditation Error: Core  0', `kitchen/esp#9 1000 ${row}`, 'I (12) main: up'];
    expect(strip(...lines)).toEqual(['Guru Meditation Error: Core  0', row, 'I (12) main: up']);
  });

  it.each([20, 120, 121, 4_000])('is learned with %s characters', (length) => {
    const prefix = 'kitchen/esp#'.repeat(length).slice(0, length);
    expect(strip(`${prefix} Guru Meditation Error`, `${prefix} ${row}`)[1]).toBe(row);
  });

  it('is learned with an identifier as long as a line of Base64', () => {
    const prefix = `${'0123456789abcdef'.repeat(4)} stdout F`;
    expect(strip(`${prefix} Guru Meditation Error`, `${prefix} ${row}`)[1]).toBe(row);
  });

  it('is not learned from a line of Base64 that a crash cut short', () => {
    const cut = `${'QUJDREVG'.repeat(6)}Guru Meditation Error`;
    expect(strip(cut, `${'QUJDREVG'.repeat(6)}`)).toEqual([cut, 'QUJDREVG'.repeat(6)]);
  });

  it('keeps rows that are aligned with blanks', () => {
    expect(strip('node 7 (   98) INFO: Guru Meditation Error', `node 7 (  998) DEBUG: ${row}`)[1]).toBe(row);
  });

  it('is not learned from a row that a second crash cut short', () => {
    const cut = 'TP      : 0x40806428  T0      : 0x40028140  T1Guru Meditation Error: Core  0';
    expect(strip('node 7: Guru Meditation Error', `node 7: ${cut}`, `node 8: ${row}`)).toEqual([
      'Guru Meditation Error',
      cut,
      row,
    ]);
  });

  it('takes time in proportion to the line, after any learned prefix', () => {
    const head = Array.from({ length: 50 }, (_, index) => index % 10).join(' ');
    const digits = '1'.repeat(4_000);
    expect(strip(`${head} Guru Meditation Error`, digits)[1]).toBe(digits);
  });
});

describe('a line of an export', () => {
  it('is empty if the board did not print it', () => {
    expect(
      strip('2026-11-20 14:03:05.123  Port 1  TX  help', '2026-11-20 14:03:05.123  Port 1  INFO  Connected', 'x'),
    ).toEqual(['', '', 'x']);
  });

  it('loses the quotation marks and the apostrophe of a table', () => {
    const head = '2026-11-20 14:03:05.123,1763643785123.000,"My, port",RX,';
    expect(strip(`${head}"rst:0x1 (POWERON),boot:0x8 (""A"")"`, `${head}'+AAA`)).toEqual([
      'rst:0x1 (POWERON),boot:0x8 ("A")',
      '+AAA',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { isRawForm, recogniseLog } from './recognise-log.ts';
import { linesOf } from './testing/log-files.ts';

const local = (year: number, month: number, day: number, time: number) =>
  new Date(year, month - 1, day).getTime() + time;
const noon = 12 * 3_600_000;
const day = local(2026, 11, 25, noon);

/** Three lines with the same prefix but for the seconds, which stand in the place of `SS`. */
const three = (prefix: string) =>
  ['01', '02', '03'].map((second) => `${prefix.replaceAll('SS', second)}ready\n`).join('');

const programOf = (text: string) => recogniseLog(utf8(text)).program;

describe('program that wrote a log', () => {
  it.each([
    ['tio', '[14:03:SS.120] ', 'tio', local(2026, 11, 25, 50_581_120)],
    ['tio, iso8601', '[2026-11-20T14:03:SS.120] ', 'tio-date', local(2026, 11, 20, 50_581_120)],
    ['tio, epoch', '[17636437SS.123] ', 'tio-epoch', 1_763_643_701_123],
    ['tio, epoch-usec', '[17636437SS.123456] ', 'tio-epoch', 1_763_643_701_123.456],
    ['minicom', '[2026-11-20 14:03:SS] ', 'minicom', local(2026, 11, 20, 50_581_000)],
    ['minicom, extended', '[2026-11-20 14:03:SS.120] ', 'minicom', local(2026, 11, 20, 50_581_120)],
    ['Tera Term 4', '[Fri Nov 20 14:03:SS.120 2026] ', 'tera-term', local(2026, 11, 20, 50_581_120)],
    ['Tera Term 5', '[2026-11-20 14:03:SS.120] ', 'minicom', local(2026, 11, 20, 50_581_120)],
    ['Tera Term, elapsed', '[1 00:00:SS.120] ', 'tera-term-elapsed', local(2026, 11, 25, 86_401_120)],
    ['the Arduino IDE', '14:03:SS.120 -> ', 'arduino', local(2026, 11, 25, 50_581_120)],
    ['PlatformIO', '14:03:SS.120 > ', 'platformio', local(2026, 11, 25, 50_581_120)],
    ['CoolTerm', '2026-11-20 14:03:SS.120 ', 'coolterm', local(2026, 11, 20, 50_581_120)],
    ['CoolTerm, time', '14:03:SS.120 ', 'coolterm', local(2026, 11, 25, 50_581_120)],
    ['idf.py monitor', '2026-11-20 14:03:SS ', 'idf-monitor', local(2026, 11, 20, 50_581_000)],
    ['Wirebench', '2026-11-20 14:03:SS.120  Port 1  RX  ', 'wirebench', local(2026, 11, 20, 50_581_120)],
    ['Wirebench, CSV', '2026-11-20 14:03:SS.120,17636437SS.5,Port 1,RX,', 'wirebench-csv', 1_763_643_701.5],
  ])('is recognised: %s', async (_, prefix, program, at) => {
    const text = three(prefix);
    expect(programOf(text)).toBe(program);
    const [first, ...others] = await linesOf(text, day);
    expect(first).toEqual([at, 'received', 'ready']);
    expect(others).toHaveLength(2);
  });

  it('is recognised by the first line of PuTTY, which becomes a notice, and gives the lines no times', async () => {
    const text = '=~=~=~=~=~=~=~=~=~=~=~= PuTTY log 2026.11.20 14:03:05 =~=~=~=~=~=~=~=~=~=~=~=\r\nready\r\n';
    expect(await linesOf(text)).toEqual([
      [local(2026, 11, 20, 50_585_000), 'notice', 'PuTTY log 2026.11.20 14:03:05'],
      [Number.NaN, 'received', 'ready'],
    ]);
  });

  it('is told from the time since the previous line, which has the same form', async () => {
    const delta = ['00:00:05.000', '00:00:00.250', '00:00:01.000', '00:00:00.500'];
    const text = delta.map((time) => `[${time}] ready\n`).join('');
    expect(programOf(text)).toBe('tio-delta');
    const lines = await linesOf(text, day);
    expect(lines.map((line) => (line as [number])[0] - local(2026, 11, 25, 0))).toEqual([5_000, 5_250, 6_250, 6_750]);
  });

  it.each([
    ['tio-delta', 'a burst, whose lines came within a millisecond', ['00.199', '00.000', '00.000', '00.000']],
    ['tio', 'a clock that was set back once', ['09.000', '10.000', '03.000', '04.000']],
    ['tio', 'times that start again at zero in a continued log', ['00.199', '07.000', '00.000', '00.004']],
  ] as const)('is %s for %s', (program, _, times) => {
    expect(programOf(times.map((time) => `[00:00:${time}] ready\n`).join(''))).toBe(program);
  });

  it('is minicom with a time once a second, in lines of their own', async () => {
    const text = ['01', '02', '03'].map((second) => `[2026-11-20 14:03:${second}\r\na\nb\n`).join('');
    expect(programOf(text)).toBe('minicom-second');
    expect((await linesOf(text)).map((line) => (line as [number])[0] - local(2026, 11, 20, 50_580_000))).toEqual([
      1_000, 1_000, 2_000, 2_000, 3_000, 3_000,
    ]);
  });

  it('is minicom with the time since the previous line', async () => {
    const text = '[0.458] a\n[0.002] b\n[61.000] c\n';
    expect(programOf(text)).toBe('minicom-delta');
    expect((await linesOf(text, day)).map((line) => (line as [number])[0] - local(2026, 11, 25, 0))).toEqual([
      458, 460, 61_460,
    ]);
  });

  it.each([
    ['one line only', '[14:03:05.120] ready\n'],
    ['two of many lines', `[14:03:05.120] a\n[14:03:05.130] b\n${'plain\n'.repeat(20)}`],
    ['a log of ESP-IDF', 'I (12) main: a\nI (13) main: b\nI (14) main: c\n'],
    [
      'a log of Zephyr',
      '[00:00:01.250,000] <inf> a: b\n[00:00:01.260,000] <inf> a: b\n[00:00:01.270,000] <inf> a: b\n',
    ],
    ['a log of ESPHome', '[12:34:56][C][a:1]: b\n[12:34:57][C][a:1]: b\n[12:34:58][C][a:1]: b\n'],
    ['readings', '1.0 2.0\n1.1 2.1\n1.2 2.2\n'],
    ['nothing', ''],
  ])('is not guessed for %s', (_, text) => {
    expect(programOf(text)).toBeNull();
  });
});

describe('lines of a log', () => {
  it('have the direction that Wirebench wrote, and notices their level', async () => {
    const stamp = '2026-11-20 14:03:05.120  Port 1  ';
    const text = `${stamp}RX  OK\n${stamp}TX  AT\n${stamp}WARNING  Unplugged\n`;
    expect((await linesOf(text)).map((line) => (line as unknown[]).slice(1))).toEqual([
      ['received', 'OK'],
      ['sent', 'AT'],
      ['notice', 'Unplugged'],
    ]);
  });

  it('keep the names of their ports if there are several', async () => {
    const stamp = '2026-11-20 14:03:05.120  ';
    const text = `${stamp}Port 1  RX  one\n${stamp}Küche “2”  RX  two\n`;
    expect((await linesOf(text)).map((line) => (line as unknown[])[2])).toEqual(['Port 1  one', 'Küche “2”  two']);
  });

  it('of a table lose its head, its quotation marks and its apostrophes', async () => {
    const stamp = '2026-11-20 14:03:05.120,1763643785120.000,Port 1,RX,';
    const text = `time,epoch_ms,port,direction,text\r\n${stamp}"a, ""b"""\r\n${stamp}'+AAA\r\n${stamp}plain\r\n`;
    expect((await linesOf(text)).map((line) => (line as unknown[])[2])).toEqual(['a, "b"', '+AAA', 'plain']);
  });

  it('without a prefix have the time of the line before', async () => {
    const lines = await linesOf(`${three('[14:03:SS.120] ')}goes on\n`, day);
    expect(lines.at(-1)).toEqual([local(2026, 11, 25, 50_583_120), 'received', 'goes on']);
  });

  it('go on the next day after midnight, also twice', async () => {
    const times = ['23:59:59.900', '00:00:00.100', '12:30:00.000', '23:00:00.000', '00:10:00.000'];
    const lines = await linesOf(times.map((time) => `${time} -> x\n`).join(''), day);
    expect(lines.map((line) => (line as [number])[0] - local(2026, 11, 25, 0))).toEqual([
      86_399_900, 86_400_100, 131_400_000, 169_200_000, 173_400_000,
    ]);
  });

  it('stay on their day when the clock is set back a little', async () => {
    const lines = await linesOf(
      ['12:00:02.000', '12:00:01.000', '12:00:03.000'].map((time) => `${time} -> x\n`).join(''),
      day,
    );
    expect(lines.map((line) => (line as [number])[0] - local(2026, 11, 25, noon))).toEqual([2_000, 1_000, 3_000]);
  });

  it('are those of the file, without a prefix and as raw bytes', () => {
    expect(isRawForm(recogniseLog(utf8('plain\n')))).toBe(true);
    expect(isRawForm(recogniseLog(utf8(three('[14:03:SS.120] '))))).toBe(false);
    expect(isRawForm({ encoding: 'latin1', program: null, withPorts: false, mark: 0 })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { isRawForm, recogniseLog } from './recognise-log.ts';
import { fileOf, formOf, linesOf, piecesOf, textOf } from './testing/log-files.ts';

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
    ['a time of day with nothing around it', '14:03:SS.120 ', 3, 'coolterm'],
    ['a time of day with nothing around it', '14:03:SS.120 ', 4, null],
    ['a time of day in brackets', '[14:03:SS.120] ', 400, 'tio'],
    ['a date and time', '2026-11-20 14:03:SS ', 400, 'idf-monitor'],
  ])('is recognised by three lines with %s (%s) among %i others: %s', (_, prefix, others, program) => {
    expect(programOf(`${three(prefix)}${'plain text\n'.repeat(others)}`)).toBe(program);
  });

  it('is not guessed for few times of day that go back, or times since the previous line', () => {
    const few = (times: readonly string[]) => `${times.join('\n')}\n${'plain text\n'.repeat(20)}`;
    expect(programOf(few(['[14:03:05] a', '[14:03:01] b', '[14:03:09] c']))).toBeNull();
    expect(programOf(few(['[23:59:59] a', '[00:00:01] b', '[00:00:02] c']))).toBe('tio');
    expect(programOf(few(['[0.458] a', '[0.002] b', '[61.000] c']))).toBeNull();
  });

  it('is recognised by a date in the first line, and by three lines without a newline at the end', () => {
    expect(programOf('[2026-06-10 16:57:07] Received 64 bytes.\n48 65 6c\n6c 6f\n48 65\n')).toBe('minicom');
    expect(programOf('boot\n[2026-06-10 16:57:07] Received 64 bytes.\n48 65 6c\n6c 6f\n')).toBeNull();
    expect(programOf(three('[14:03:SS.120] ').trimEnd())).toBe('tio');
  });

  it('is the one of most lines where two have times in blocks', () => {
    const plain = 'plain text\n'.repeat(20);
    const text = `${three('[14:03:SS.120] ')}${plain}${three('2026-11-20 14:03:SS ')}${three('2026-11-20 14:04:SS ')}`;
    expect(programOf(text)).toBe('idf-monitor');
  });

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
    ['tio before 1.33, captured', '[14:03:SS] ', 'tio', local(2026, 11, 25, 50_581_000)],
    ['grabserial', '[14:03:SS.120456 0.000123] ', 'tio', local(2026, 11, 25, 50_581_120.456)],
    ['Tera Term with slashes', '[2026/11/20 14:03:SS.120] ', 'minicom', local(2026, 11, 20, 50_581_120)],
    ['VS Code', '14:03:SS.120456 -> ', 'arduino', local(2026, 11, 25, 50_581_120.456)],
    ['VS Code without a fraction', '14:03:SS -> ', 'arduino', local(2026, 11, 25, 50_581_000)],
    ['the Arduino IDE 2.0 beta', '4:3:SS.120 -> ', 'arduino', local(2026, 11, 25, 14_581_120)],
    ['dmesg', '[   12.SS0000] ', 'kernel', local(2026, 11, 25, 12_010)],
    ['dmesg -T', '[Fri Nov 20 14:03:SS 2026] ', 'tera-term', local(2026, 11, 20, 50_581_000)],
    ['dmesg, iso', '2026-11-20T14:03:SS,120000+00:00 ', 'iso', Date.UTC(2026, 10, 20, 14, 3, 1, 120)],
    ['journalctl, short-iso', '2026-11-20T14:03:SS+0100 ', 'iso', Date.UTC(2026, 10, 20, 13, 3, 1)],
    ['ts and syslog', 'Nov 20 14:03:SS ', 'syslog', local(2026, 11, 20, 50_581_000)],
    ['ts %.s', '17636437SS.123456 ', 'epoch', 1_763_643_701_123.456],
    ['logcat', '11-20 14:03:SS.120 ', 'logcat', local(2026, 11, 20, 50_581_120)],
    ['candump', '(17636437SS.123456) ', 'candump', 1_763_643_701_123.456],
    ['a day before its month', '20/11/2026 14:03:SS ', 'day-first', local(2026, 11, 20, 50_581_000)],
    ['a month before its day', '[11/20/2026 2:03:SS PM] ', 'month-first', local(2026, 11, 20, 50_581_000)],
    ['a 12-hour clock', '2:03:SS PM ', 'twelve-hour', local(2026, 11, 25, 50_581_000)],
    ['a plot of Wirebench', '2026-11-20 14:03:SS.120,17636437SS.500,', 'wirebench-plot', 1_763_643_701.5],
    ['Wirebench without a date', '14:03:SS.120  Port 1  RX  ', 'wirebench', local(2026, 11, 25, 50_581_120)],
    ['Wirebench, CSV without a date', '14:03:SS.120,,Port 1,RX,', 'wirebench-csv', local(2026, 11, 25, 50_581_120)],
    ['ESPHome', '[14:03:SS]', 'esphome', local(2026, 11, 25, 50_581_000), '[E][sensor:094]: no answer'],
    [
      'ESPHome in colour',
      '[14:03:SS.120]',
      'esphome',
      local(2026, 11, 25, 50_581_120),
      '\x1b[0;32m[I][app:1]: a\x1b[0m',
    ],
    ['KiTTY', '2022/12/27 --- 15:12:SS.933  ', 'kitty', local(2022, 12, 27, 54_721_933)],
    ['KiTTY, day first', '27.12.2022 15:12:SS: ', 'day-first', local(2022, 12, 27, 54_721_000)],
    ['Python', '2024-05-03 08:03:SS,226 ', 'python', local(2024, 5, 3, 28_981_226), 'temp 21'],
    ['Python with dashes', '2024-05-03 08:03:SS,226 - ', 'python', local(2024, 5, 3, 28_981_226)],
    ['Go', '2022/12/27 15:12:SS ', 'go', local(2022, 12, 27, 54_721_000)],
    ['RFC 3339', '2026-11-20T14:03:SS.123456789Z ', 'iso', Date.UTC(2026, 10, 20, 14, 3, 1) + 123.456789],
    ['RFC 3339 in small letters', '2026-11-20t14:03:SSz ', 'iso', Date.UTC(2026, 10, 20, 14, 3, 1)],
    ['RFC 3339 with a blank', '2026-11-20 14:03:SS.5+01:00 ', 'iso', Date.UTC(2026, 10, 20, 13, 3, 1, 500)],
    ['RFC 3339 in brackets', '[2026-11-20T14:03:SS-02:00] ', 'iso', Date.UTC(2026, 10, 20, 16, 3, 1)],
    ['PlatformIO', '14:03:SS.120 > ', 'platformio', local(2026, 11, 25, 50_581_120)],
    ['CoolTerm', '2026-11-20 14:03:SS.120 ', 'coolterm', local(2026, 11, 20, 50_581_120)],
    ['CoolTerm, time', '14:03:SS.120 ', 'coolterm', local(2026, 11, 25, 50_581_120)],
    ['idf.py monitor', '2026-11-20 14:03:SS ', 'idf-monitor', local(2026, 11, 20, 50_581_000)],
    ['Wirebench', '2026-11-20 14:03:SS.120  Port 1  RX  ', 'wirebench', local(2026, 11, 20, 50_581_120)],
    ['Wirebench, CSV', '2026-11-20 14:03:SS.120,17636437SS.5,Port 1,RX,', 'wirebench-csv', 1_763_643_701.5],
  ] as const)('is recognised: %s', async (_, prefix, program, at, content?: string) => {
    const expected = program === 'wirebench-plot' ? '7' : (content ?? 'ready');
    const text = three(prefix).replaceAll('ready', expected);
    expect(programOf(text)).toBe(program);
    const [first, ...others] = await linesOf(text, day);
    expect(first).toEqual([at, 'received', expected]);
    expect(others).toHaveLength(2);
  });

  it('is recognised by the first line of PuTTY, which becomes a notice, and gives the lines no times', async () => {
    const text = '=~=~=~=~=~=~=~=~=~=~=~= PuTTY log 2026.11.20 14:03:05 =~=~=~=~=~=~=~=~=~=~=~=\r\nready\r\n';
    expect(await linesOf(text)).toEqual([
      [local(2026, 11, 20, 50_585_000), 'notice', 'PuTTY log 2026.11.20 14:03:05'],
      [Number.NaN, 'received', 'ready'],
    ]);
  });

  it('is not confused with a log of the time since the previous line, which looks the same', async () => {
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

  const bracketed = (times: readonly string[]) => times.map((time) => `[${time}] ready\n`).join('');
  const clock = (hour: string, count: number, word = '') =>
    Array.from({ length: count }, (_, index) => `${hour}:0${index}.${word || '120'}`);

  it('is a clock for a log that was appended to on several days, always earlier', async () => {
    const text = bracketed([...clock('10:00', 6), ...clock('09:10', 6), ...clock('08:30', 6)]);
    expect(programOf(text)).toBe('tio');
    const times = ((await linesOf(text, day)) as [number][]).map(([at]) => new Date(at).toTimeString().slice(0, 8));
    expect([times[0], times[6], times[12]]).toEqual(['10:00:00', '09:10:00', '08:30:00']);
    expect(
      programOf(
        bracketed(['10:00:00.000', '10:00:00.500', '09:10:00.000', '09:10:00.500', '08:30:00.100', '08:30:00.200']),
      ),
    ).toBe('tio');
  });

  it('is a clock for three sessions that each count from their start', () => {
    const session = ['00:00:00.120', '00:00:00.180', '00:00:02.100', '00:00:07.300', '00:00:12.900'];
    expect(programOf(bracketed([...session, ...session, ...session]))).toBe('tio');
  });

  it('is the time since the previous line where many times go back', () => {
    const burst = ['00:00:00.950', '00:00:00.001', '00:00:00.002', '00:00:00.001'];
    expect(programOf(bracketed(Array.from({ length: 12 }, () => burst).flat()))).toBe('tio-delta');
    // A log of tio 2.5: two pauses, then a burst.
    const quick = [
      '00:00:01.973',
      '00:00:00.959',
      '00:00:00.003',
      '00:00:00.015',
      ...Array.from({ length: 40 }, () => '00:00:00.000'),
    ];
    expect(programOf(bracketed(quick))).toBe('tio-delta');
    const hourly = Array.from({ length: 20 }, (_, index) => `01:00:00.0${10 + ((index * 7) % 13)}`);
    expect(programOf(bracketed(hourly))).toBe('tio-delta');
  });

  it.each([
    [
      'few times of which most go back by much',
      bracketed(['10:00:00.000', '09:10:00.000', '08:30:00.000']),
      ['tio', 'tio-delta'],
    ],
    ['times that are all zero', '00:00:00 a\n00:00:00 b\n00:00:00 c\n', ['coolterm', 'ts-delta']],
    [
      'days that may be months',
      '03/04/2026 10:00:00 a\n03/04/2026 10:00:01 b\n03/04/2026 10:00:02 c\n',
      ['day-first', 'month-first'],
    ],
  ] as const)('is not guessed for %s: the lines have no times, and both ways are offered', (_, text, candidates) => {
    expect(recogniseLog(utf8(text))).toMatchObject({ program: null, candidates });
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
    ['a bracket right behind a time, with no level in it', '[12:34:56]a\n[12:34:57]b\n[12:34:58]c\n'],
    ['the times of a clock that a board shows', '12:00:01\n12:00:02\n12:00:03\n'],
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

  it('lose the header, the quotation marks and the apostrophes of a table', async () => {
    const stamp = '2026-11-20 14:03:05.120,1763643785120.000,Port 1,RX,';
    const text = `time,epoch_ms,port,direction,text\r\n${stamp}"a, ""b"""\r\n${stamp}'+AAA\r\n${stamp}plain\r\n`;
    expect((await linesOf(text)).map((line) => (line as unknown[])[2])).toEqual(['a, "b"', '+AAA', 'plain']);
  });

  it('have no time without a prefix, and that of the line above as the time of their block', async () => {
    const blocks = ['07', '08'].map(
      (second) => `[2026-06-10 16:57:${second}] Received 64 bytes.\n${'48 65 6c 6c 6f\n'.repeat(4)}`,
    );
    const source = fileOf(`${blocks.join('')}`);
    const pieces = await piecesOf(source, await formOf(source));
    const at = local(2026, 6, 10, 61_027_000);
    expect(pieces.map((piece) => [piece.at, piece.blockAt])).toEqual([
      [at, at],
      ...Array.from({ length: 4 }, () => [Number.NaN, at]),
      [at + 1_000, at + 1_000],
      ...Array.from({ length: 4 }, () => [Number.NaN, at + 1_000]),
    ]);
  });

  it('have no time of a block before the first time, and behind the header of PuTTY', async () => {
    const header = '=~=~=~=~=~=~=~=~=~=~=~= PuTTY log 2026.11.20 14:03:05 =~=~=~=~=~=~=~=~=~=~=~=\r\n';
    for (const text of [`boot\n${three('[14:03:SS.120] ')}`, `${header}ready\r\n`]) {
      const source = fileOf(text);
      const pieces = await piecesOf(source, await formOf(source));
      const [plain] = pieces.filter(({ at }) => Number.isNaN(at));
      expect(plain?.blockAt).toBeNaN();
    }
  });

  it('have the times of a form that a person has marked, before those of programs', async () => {
    const head = utf8(three('14:03:SS.120 '));
    expect(recogniseLog(head, ['DD.MM.YYYY hh:mm ', 'hh:mm:ss.f '])).toMatchObject({
      program: null,
      marked: 'hh:mm:ss.f ',
    });
    expect(recogniseLog(head, ['hh-mm-ss '])).toMatchObject({ program: 'coolterm' });
    const dates = utf8(['03/04/26', '04/04/26', '05/04/26', '05/13/26'].map((date) => `${date} 14:03; a\n`).join(''));
    expect(recogniseLog(dates, ['DD/MM/YY hh:mm; ']).marked).toBeUndefined();
    expect(recogniseLog(dates, ['MM/DD/YY hh:mm; ']).marked).toBe('MM/DD/YY hh:mm; ');
    expect(recogniseLog(utf8('a\nb\n14:03 c\n'), ['hh:mm '])).toMatchObject({ program: null, mayHaveTimes: true });
    const form = { encoding: 'utf-8', program: null, marked: '* hh:mm:ss ', withPorts: false, mark: 0 } as const;
    const pieces = await piecesOf(fileOf('E (1) 14:03:01 lost\nI (2) x\n'), form, { day });
    expect(pieces.map((piece) => [piece.at, piece.blockAt, textOf([piece])])).toEqual([
      [local(2026, 11, 25, 50_581_000), local(2026, 11, 25, 50_581_000), 'E (1) 14:03:01 lost\n'],
      [Number.NaN, local(2026, 11, 25, 50_581_000), 'I (2) x\n'],
    ]);
  });

  it.each([
    ['tio and LF CR', '[14:03:01.120] a\n\r[14:03:02.120] b\n\r[14:03:03.120] c\n\r'],
    ['tio and mixed ends', '[14:03:01.120] a\r\n[14:03:02.120] b\n\r[14:03:03.120] c\n'],
    ['tio and CR alone', '[14:03:01.120] a\r[14:03:02.120] b\r[14:03:03.120] c\r'],
    [
      'Tera Term and LF CR',
      '[2026-11-25 14:03:01.120] a\n[2026-11-25 14:03:02.120] \rb\n[2026-11-25 14:03:03.120] \rc\n',
    ],
    [
      'a capture of the screen',
      '\x1b[1;30m[14:03:01.120] \x1b[0ma\n\x1b[1;30m[14:03:02.120] \x1b[0mb\n\x1b[1;30m[14:03:03.120] \x1b[0mc\n',
    ],
  ])('each have their own time: %s', async (_, text) => {
    const lines = (await linesOf(text, day)) as [number, string, string][];
    const texts = lines.filter(([, , line]) => line.trim() !== '');
    expect(texts.map(([at, , line]) => [at - local(2026, 11, 25, 50_580_000), line.trim()])).toEqual([
      [1_120, 'a'],
      [2_120, 'b'],
      [3_120, 'c'],
    ]);
  });

  it('keep the returns of a board that ends its lines with LF CR', async () => {
    const source = fileOf('[14:03:01.120] a\n\r[14:03:02.120] b\n\r[14:03:03.120] c\n\r');
    expect(textOf(await piecesOf(source, await formOf(source)))).toBe('a\n\rb\n\rc\n\r');
  });

  it('are empty and have a time where an editor has stripped the blank behind it', async () => {
    const text = '12:00:05.000 -> a\n12:00:06.000 ->\n12:00:07.000 -> b\n12:00:08.000 ->';
    expect(((await linesOf(text, day)) as [number, string, string][]).map(([at, , line]) => [at - day, line])).toEqual([
      [5_000, 'a'],
      [6_000, ''],
      [7_000, 'b'],
      [8_000, ''],
    ]);
  });

  it('continue on the next day after midnight, also twice', async () => {
    const times = ['23:59:59.900', '00:00:00.100', '12:30:00.000', '23:00:00.000', '00:10:00.000'];
    const lines = await linesOf(times.map((time) => `${time} -> x\n`).join(''), day);
    expect(lines.map((line) => (line as [number])[0] - local(2026, 11, 25, 0))).toEqual([
      86_399_900, 86_400_100, 131_400_000, 169_200_000, 173_400_000,
    ]);
  });

  it('continue on the next days after two midnights, also in five lines of tio', async () => {
    const times = ['23:59:58.000', '00:00:01.000', '22:00:00.000', '08:00:00.000', '09:00:00.000'];
    const text = times.map((time) => `[${time}] x\n`).join('');
    expect(recogniseLog(utf8(text))).toMatchObject({ program: 'tio' });
    const lines = await linesOf(text, day);
    expect(lines.map((line) => (line as [number])[0] - local(2026, 11, 25, 0))).toEqual([
      86_398_000, 86_401_000, 165_600_000, 201_600_000, 205_200_000,
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

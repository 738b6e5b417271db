import { describe, expect, it } from 'vitest';
import { HexLineCount, HexLines } from './hex-line.ts';
import { hexText } from './hex-text.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Bytes of one line as hex digits; null if it stays text. */
function read(text: string, isHexLog = false): string | null {
  const lines = new HexLines();
  const all = [...lines.read(utf8(text), isHexLog), lines.end(isHexLog)].filter(({ length }) => length > 0);
  const same = all.length === 0 || new TextDecoder().decode(all[0]) === text;
  return same ? null : all.map(hexText).join('|');
}

describe('HexLines', () => {
  it.each([
    '07 03 00 0A',
    '07 03 00 0a\r\n',
    '07-03-00-0A',
    '07:03:00:0A',
    '0x07, 0x03, 0x00, 0x0A',
    '0703000A',
    ' 07 03 00 0A ',
  ])('reads %j', (text) => expect(read(text)).toBe('07 03 00 0A'));

  it.each(['', 'add', '07 03 0', 'speed 07', '2026-11-29', '1234', 'cafe babe'])('leaves %j as text', (text) =>
    expect(read(text)).toBeNull(),
  );

  it('reads lines that are cut anywhere, and other lines between them', () => {
    const text = '07 03 00\nbegin\n0A 0B\n0C';
    for (let cut = 0; cut <= text.length; cut++) {
      const lines = new HexLines();
      const all = [
        ...lines.read(utf8(text.slice(0, cut)), false),
        ...lines.read(utf8(text.slice(cut)), false),
        lines.end(false),
      ];
      expect(all.map(hexText).join('|')).toBe('07 03 00|62 65 67 69 6E 0A|0A 0B|0C');
    }
  });

  it('leaves a log of other bytes alone', () => {
    const bytes = Uint8Array.of(0x30, 0x37, 0x0a, 0x00);
    expect(new HexLines().read(bytes, true)).toEqual([bytes]);
  });

  it.each(['1234', '12', 'cafe'])('reads %j in a log of hex digits', (text) =>
    expect(read(text, true)).toBe(text.toUpperCase().replace(/(..)(?=.)/, '$1 ')),
  );

  it.each(['begin', '123', 'speed 07'])('leaves %j as text in a log of hex digits', (text) =>
    expect(read(text, true)).toBeNull(),
  );
});

describe('a log of hex digits', () => {
  const isHexLog = (...lines: readonly string[]) => {
    const count = new HexLineCount();
    for (const line of lines) {
      count.add(utf8(`${line}\r\n`));
    }
    return count.isHexLog;
  };

  it.each([
    ['bytes with a short row', ['41 54 0D', '30 0D', '30 0D']],
    ['bytes without separators', ['41540D0A', '300D', '30']],
    ['bytes behind a title', ['# recorded', '41 54 0D', '30 0D']],
  ])('is %s', (_name, lines) => expect(isHexLog(...lines)).toBe(true));

  it.each([
    ['commands with a row of digits', ['AT+CSQ', '+CSQ: 15,99', 'OK', '41 54 0D']],
    ['messages in PDU form', ['+CMGL: 1,1,,23', '07911326040000F0040B911346610089F60000', 'OK']],
    ['numbers', ['12', '34', '12 34']],
    ['sentences', ['$GPTXT,01,01,02,ANTSTATUS=OK*3B']],
    ['nothing', ['', '']],
  ])('is not %s', (_name, lines) => expect(isHexLog(...lines)).toBe(false));
});

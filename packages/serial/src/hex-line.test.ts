import { describe, expect, it } from 'vitest';
import { bytesOrText, HexLines } from './hex-line.ts';
import { hexText } from './hex-text.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Bytes of one line as hex digits; null if it stays text. */
function read(text: string): string | null {
  const lines = new HexLines();
  const all = [...lines.read(utf8(text)), lines.end()].filter(({ length }) => length > 0);
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
      const all = [...lines.read(utf8(text.slice(0, cut))), ...lines.read(utf8(text.slice(cut))), lines.end()];
      expect(all.map(hexText).join('|')).toBe('07 03 00|62 65 67 69 6E 0A|0A 0B|0C');
    }
  });

  it('leaves a log of other bytes alone', () => {
    const bytes = Uint8Array.of(0x30, 0x37, 0x0a, 0x00);
    expect(new HexLines().read(bytes)).toEqual([bytes]);
  });
});

describe('bytesOrText', () => {
  it.each([
    ['41 54 49 0d', 'ATI\r'],
    ['41 54 49 0D\r\n', 'ATI\r'],
    ['41544949', '41544949'],
    ['12 34', '12 34'],
    ['$GPTXT,01', '$GPTXT,01'],
  ])('reads %j as %j', (line, text) => expect(new TextDecoder().decode(bytesOrText(utf8(line)))).toBe(text));
});

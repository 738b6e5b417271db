import { describe, expect, it } from 'vitest';
import { longestString, SequenceLimit } from './screen-bytes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (read: Uint8Array) => new TextDecoder().decode(read);
const limited = (...chunks: string[]) => {
  const limit = new SequenceLimit();
  return chunks.map((chunk) => text(limit.limit(bytes(chunk)))).join('');
};
const long = 'x'.repeat(longestString + 100);

describe('SequenceLimit', () => {
  it.each([
    'plain text\r\n',
    '\x1b[31mred\x1b[0m',
    '\x1b]0;title\x07text',
    '\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\',
    '\x1bP$qm\x1b\\',
    `${long}\x1b[2J`,
    'ö €  \u{1f600}',
  ])('leaves %j as it is', (stream) => {
    expect(limited(stream)).toBe(stream);
    expect(limited(...stream)).toBe(stream);
  });

  it.each(['\x1b]', '\x1bP', '\x1bX', '\x1b^', '\x1b_', '\u009d', '\u0090', '\u0098', '\u009e', '\u009f'])(
    'ends the string that %j begins after %#',
    (opener) => {
      const ended = limited(`${opener}${long}`);
      expect(ended).toBe(`${opener}${'x'.repeat(longestString)}\x18${'x'.repeat(100)}`);
      expect(limited(opener, ...(long.match(/.{1,100}/g) ?? []))).toBe(ended);
    },
  );

  it('begins to count again with each string', () => {
    const half = 'y'.repeat(longestString - 10);
    const stream = `\x1b]52;${half}\x07\x1b]52;${half}\x07`.replaceAll('52;', '');
    expect(limited(stream)).toBe(stream);
  });
});

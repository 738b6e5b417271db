import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, heldFrames, heldLines, latin1, receivedChannel, utf8 } from '../testing/line-channels.ts';
import { type Framing, splitterOf } from './framings.ts';
import { type TypedBytes, typedAs, typedBytesFailure } from './typed-bytes.ts';

const text = (typed: string): TypedBytes => ({ as: 'text', typed });
const hex = (typed: string): TypedBytes => ({ as: 'hex', typed });

function split(delimiter: TypedBytes, ...chunks: readonly Uint8Array[]) {
  const channel = receivedChannel(4_096);
  const framing: Framing = { name: 'delimiter', options: { delimiter } };
  channel.splitWith(splitterOf(framing));
  for (const chunk of chunks) {
    channel.append(chunk, 0);
  }
  return channel;
}

describe('delimiter', () => {
  it('ends frames, and is no part of their text', () => {
    const channel = split(text('\\r'), utf8('one\rtwo\n2\r'));
    expect(heldLines(channel)).toEqual(['one\r', 'two\n2\r']);
    expect(channel.textEndOf(0)).toBe(3);
  });

  it('is found where reads cut it apart, and where it begins more than once', () => {
    expect(heldLines(split(hex('0D 0A'), utf8('a\r'), utf8('\nb\r\r\n')))).toEqual(['a\r\n', 'b\r\r\n']);
    expect(heldLines(split(text('aab'), utf8('xaa'), utf8('ab'), utf8('y')))).toEqual(['xaaab', 'y']);
  });

  it('splits as a search for it in the whole stream does', () => {
    const bytes = fc.array(fc.constantFrom(0x61, 0x62), { maxLength: 60 }).map((all) => Uint8Array.from(all));
    const delimiters = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(bytes, delimiters, fc.array(fc.nat(60)), (stream, letters, places) => {
        const delimiter = letters.join('');
        const expected: string[] = [];
        let rest = latin1(stream);
        for (let at = rest.indexOf(delimiter); at !== -1; at = rest.indexOf(delimiter)) {
          expected.push(rest.slice(0, at + delimiter.length));
          rest = rest.slice(at + delimiter.length);
        }
        expect(heldLines(split(text(delimiter), ...cutAt(stream, places)))).toEqual(
          rest === '' ? expected : [...expected, rest],
        );
      }),
    );
  });

  it('marks a frame that has none: one that the connection ended in, and one longer than a line may be', () => {
    const channel = split(text(';'), utf8('ab;c'));
    channel.finishLine();
    expect(heldFrames(channel)).toEqual(['61 62 3B', 'INCOMPLETE 63']);
    const long = split(text(';'), utf8(`${'x'.repeat(1_030)};y;`));
    expect(heldFrames(long).map((frame) => frame.slice(0, 11))).toEqual(['TOO-LONG 78', 'TOO-LONG 78', '79 3B']);
  });

  it('is 1 to 16 bytes, as text or as hex digits', () => {
    expect(typedBytesFailure(text(''))).toBe('Enter 1 to 16 bytes.');
    expect(typedBytesFailure(text('x'.repeat(17)))).toBe('Enter 1 to 16 bytes.');
    expect(typedBytesFailure(text('\\q'))).toContain('Character 1: escapes are');
    expect(typedBytesFailure(hex('0D 0'))).toBe('Enter pairs of hex digits, such as 0D 0A.');
    expect(typedBytesFailure(hex('0d0a'))).toBeNull();
  });

  it('stays the same bytes in the other notation', () => {
    expect(typedAs('hex', text('\\r\\n'))).toEqual(hex('0D 0A'));
    expect(typedAs('text', hex('3B00'))).toEqual(text(';\\0'));
    expect(typedAs('hex', text('\\q'))).toEqual(hex('\\q'));
  });
});

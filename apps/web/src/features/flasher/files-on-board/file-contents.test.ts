import { describe, expect, it } from 'vitest';
import { changedLines, encodeText, previewOf } from './file-contents.ts';

const preview = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return previewOf(bytes, bytes.length);
};

describe('the preview of a file', () => {
  it('is a text whose line ends come back when it is saved', () => {
    expect(preview('a\r\nb\r\n')).toEqual({ kind: 'text', text: 'a\nb\n', lineEnd: '\r\n' });
    expect(new TextDecoder().decode(encodeText('a\nb\n', '\r\n'))).toBe('a\r\nb\r\n');
    expect(preview('\ufeffgrün\n')).toEqual({ kind: 'text', text: '\ufeffgrün\n', lineEnd: '\n' });
    expect(preview('')).toEqual({ kind: 'text', text: '', lineEnd: '\n' });
  });

  it.each(['a\r\nb\n', 'a\rb', 'a\0b', '\u001b[0m'])('is bytes for a text that a field would change: %j', (text) => {
    expect(preview(text).kind).toBe('bytes');
  });

  it('is bytes for other encodings, for long texts and for the beginning of a file', () => {
    expect(previewOf(Uint8Array.of(0x67, 0xfc), 2).kind).toBe('bytes');
    expect(preview('x'.repeat(131_073)).kind).toBe('bytes');
    expect(previewOf(new TextEncoder().encode('abc'), 4).kind).toBe('bytes');
  });

  it('is a picture by its first bytes, unless it is too large', () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0);
    expect(previewOf(png, png.length)).toEqual({ kind: 'picture', type: 'image/png' });
    expect(previewOf(png, 2 ** 20 + 1).kind).toBe('bytes');
  });
});

describe('changed lines', () => {
  it('are those that differ, or all between equal ones if their number differs', () => {
    expect([...changedLines('a\nb\nc\nd', 'a\nX\nc\nY')]).toEqual([1, 3]);
    expect([...changedLines('a\nb\nc', 'a\nnew\nb\nc')]).toEqual([1]);
    expect([...changedLines('a\nb\nc', 'a\nc')]).toEqual([]);
    expect([...changedLines('a', 'a')]).toEqual([]);
  });
});

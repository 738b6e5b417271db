import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineEditor } from './shell.ts';

function typed(...chunks: string[]) {
  const lines: string[] = [];
  let echo = '';
  let interrupts = 0;
  const editor = new LineEditor({
    echo: (bytes) => {
      echo += String.fromCharCode(...bytes);
    },
    line: (text) => lines.push(text),
    interrupt: () => interrupts++,
  });
  for (const chunk of chunks) {
    editor.receive(new TextEncoder().encode(chunk));
  }
  return { lines, echo, interrupts, left: new TextDecoder().decode(editor.typed) };
}

describe('line editor', () => {
  it('takes CR, LF and CRLF as one Enter each', () => {
    expect(typed('a\rb\nc\r\nd\n').lines).toEqual(['a', 'b', 'c', 'd']);
    expect(typed('\r\r\n\n').lines).toEqual(['', '', '']);
  });

  it('takes a CRLF that two writes cut apart as one Enter', () => {
    expect(typed('a\r', '\nb\r\n').lines).toEqual(['a', 'b']);
  });

  it('takes any lines back from any of the three endings', () => {
    const line = fc.string({ unit: fc.constantFrom(...'abc é€') });
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\r', '\n', '\r\n'), (lines, end) => {
        expect(typed(...lines.map((text) => text + end)).lines).toEqual(lines);
      }),
    );
  });

  it('rubs out with backspace and delete, a whole character of UTF-8 at once, and nothing beyond the start', () => {
    expect(typed('ab\x08c\x7fd\r').lines).toEqual(['ad']);
    expect(typed('ab\x08').echo).toBe('ab\x08 \x08');
    expect(typed('x€\x08y\r').lines).toEqual(['xy']);
    expect(typed('a\x08\x08\x08').echo).toBe('a\x08 \x08');
  });

  it('forgets what was typed at Ctrl+C', () => {
    const { lines, interrupts, left } = typed('abc\x03de');
    expect({ lines, interrupts, left }).toEqual({ lines: [], interrupts: 1, left: 'de' });
  });

  it('ignores other control bytes, and what is typed beyond 256 bytes', () => {
    expect(typed('a\tb\x1bc\r').lines).toEqual(['abc']);
    const { lines, echo } = typed(`${'x'.repeat(300)}\r`);
    expect(lines).toEqual(['x'.repeat(256)]);
    expect(echo.length).toBe(256);
  });
});

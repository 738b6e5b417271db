/** Compares the text of rows with what xterm.js shows of the same bytes. */
import { Terminal } from '@xterm/xterm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineText, logText, withoutColours } from './line-text.ts';
import { receivedChannel, utf8 } from './testing/line-channels.ts';
import { VisibleLines } from './visible-lines.ts';

/** Wide enough that no line of the test reaches the right margin. */
const terminal = new Terminal({ cols: 2_000, rows: 2, scrollback: 0 });

async function shownByXterm(bytes: string): Promise<string> {
  terminal.reset();
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  return terminal.buffer.active.getLine(0)?.translateToString(true) ?? '';
}

const count = fc.constantFrom('', '0', '1', '2', '3', '7', '12');
/** Edits of a line: cursor moves, erasing, deleting and inserting. */
const edit = fc.oneof(
  fc.constantFrom('\b', '\b', '\r', '\r', '\t'),
  fc.tuple(count, fc.constantFrom(...'CDGP@X`a')).map(([parameter, final]) => `\x1b[${parameter}${final}`),
  fc.constantFrom('\x1b[K', '\x1b[0K', '\x1b[1K', '\x1b[2K'),
);
const hidden = fc.constantFrom(
  '\x07',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[38;2;1;2;3;48;5;9m',
  '\x1b[?25l',
  '\x1b(B',
  '\x1b]0;title\x07',
  '\x1b]8;;https://example.com\x1b\\',
  '\x1bP1$r0m\x1b\\',
  '\x1b=',
);
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc XYZ%0123'), maxLength: 9 }),
  fc.constantFrom('é', '€', '漢字', 'e\u0301', '한'),
);
const received = fc.array(fc.oneof({ weight: 3, arbitrary: text }, { weight: 3, arbitrary: edit }, hidden), {
  maxLength: 24,
});

describe('text of a row', () => {
  it('is what a terminal shows, whatever edits the line', async () => {
    await fc.assert(
      fc.asyncProperty(received, async (parts) => {
        const bytes = parts.join('');
        const shown = await shownByXterm(bytes);
        // Tabs at the end move the cursor only. In a line without edits they stay tabs.
        const row = tabsAsBlanks(withoutColours(lineText(utf8(bytes))));
        expect(row).toBe(shown);
        expect(tabsAsBlanks(logText(utf8(bytes)))).toBe(shown);
      }),
      // The second half of the first character is deleted, and the first half of the next.
      { numRuns: 2_000, examples: [[['漢字', '\x1b[2`', '\x1b[2P']]] },
    );
  });

  it('is the text that find and filters read', () => {
    fc.assert(
      fc.property(fc.array(received, { minLength: 1, maxLength: 5 }), (lines) => {
        const channel = receivedChannel(1 << 16);
        channel.append(utf8(lines.map((parts) => `${parts.join('')}\r\n`).join('')), 0);
        const visible = new VisibleLines(channel, channel.firstLine, channel.firstLine + channel.lines);
        for (const [index, parts] of lines.entries()) {
          visible.read(channel.firstLine + index);
          const read = new TextDecoder().decode(visible.bytes.subarray(visible.from, visible.to));
          expect(withoutColours(read)).toBe(logText(utf8(parts.join(''))));
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Writes tabs as a terminal shows them, and leaves out those at the end. */
function tabsAsBlanks(line: string): string {
  let shown = '';
  for (const [index, piece] of line.replace(/\t+$/, '').split('\t').entries()) {
    const cells = [...shown].length + [...shown].filter((character) => /[漢字한]/.test(character)).length;
    const marks = [...shown].filter((character) => character === '\u0301').length;
    shown += index === 0 ? piece : `${' '.repeat(8 - ((cells - marks) % 8))}${piece}`;
  }
  return shown;
}

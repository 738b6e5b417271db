import { describe, expect, it } from 'vitest';
import { DumpLines } from './dump-lines.ts';

const start = '================= CORE DUMP START =================';
const end = '================= CORE DUMP END =================';
const feed = (reader: DumpLines, ...lines: readonly string[]) =>
  lines.map((line, index) => reader.line(line, 100 + index));

describe('a core dump in the log', () => {
  it('has everything between its marks, with the time at which it began', () => {
    const found = feed(
      new DumpLines(),
      'I (1) main: up',
      start,
      'AAAA',
      'W (2) wifi: other core',
      'BBBB',
      end,
      'Rebooting...',
    );
    expect(found.filter((dump) => dump !== null)).toEqual([
      { at: 101, text: [start, 'AAAA', 'W (2) wifi: other core', 'BBBB', end].join('\n') },
    ]);
  });

  it('has everything between the marks of Zephyr', () => {
    const lines = ['E: #CD:BEGIN#', 'E: #CD:5a45', 'E: #CD:END#'];
    expect(feed(new DumpLines(), 'E: main', ...lines, 'E: Halting system').at(3)).toEqual({
      at: 101,
      text: lines.join('\n'),
    });
  });

  it('begins again when the board was reset in the middle of one', () => {
    const found = feed(new DumpLines(), start, 'AAAA', 'ESP-ROM:esp32c3', start, 'BBBB', end);
    expect(found.at(-1)).toEqual({ at: 103, text: [start, 'BBBB', end].join('\n') });
  });

  it('needs a look only while there is one', () => {
    const reader = new DumpLines();
    expect(reader.concerns('I (1) main: up\n')).toBe(false);
    expect(reader.concerns(`noise\n${start}\n`)).toBe(true);
    feed(reader, start);
    expect(reader.concerns('AAAA\n')).toBe(true);
    feed(reader, end);
    expect(reader.concerns('AAAA\n')).toBe(false);
  });

  it('ends without its mark if it grows too long', () => {
    const reader = new DumpLines();
    const line = 'A'.repeat(1_000_000);
    const found = feed(reader, start, ...Array.from({ length: 9 }, () => line)).filter((dump) => dump !== null);
    expect(found.map(({ at, text }) => [at, text.startsWith(start), text.length > 8_000_000])).toEqual([
      [100, true, true],
    ]);
    expect(reader.concerns(line)).toBe(false);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyRows } from './copy-rows.ts';
import { rowPage } from './row-page.ts';
import { noticeChannel, receivedChannel, sentChannel, utf8 } from './testing/line-channels.ts';
import { connected, testRig } from './testing/test-rig.ts';
import { Timeline } from './timeline.ts';
import type { RowLayout } from './timeline-rows.ts';

const joined = (pieces: Iterable<string>): string => [...pieces].join('');

describe('copied rows', () => {
  it('are the rows from one to the other, in either layout', () => {
    const lines = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        lines,
        fc.constantFrom<RowLayout>('text', 'hex'),
        fc.nat(),
        fc.nat(),
        (received, layout, one, other) => {
          const counter = { next: 3 };
          const channels = [receivedChannel(4_096, 1, counter), sentChannel(4_096, 2, counter)];
          for (const bytes of received) {
            channels[bytes.length % 2]?.append(bytes, 0);
          }
          const timeline = new Timeline(channels);
          const { rows } = rowPage(timeline, { layout, anchor: { position: 0 }, count: 1_000 });
          const [first = 0, last = 0] = [one % rows.length, other % rows.length].sort((a, b) => a - b);
          const [from, to] = [rows[first], rows[last]];
          if (from === undefined || to === undefined) {
            throw new Error('there are rows');
          }
          const copied = joined(copyRows(timeline, { layout, from, to })).split('\n').slice(0, -1);
          expect(copied).toHaveLength(last - first + 1);
          if (layout === 'hex') {
            const bytes = copied.map((row) => row.slice(6, 54).replaceAll(' ', ''));
            expect(bytes).toEqual(
              rows.slice(first, last + 1).map((row) => Buffer.from(row.bytes).toString('hex').toUpperCase()),
            );
          }
        },
      ),
    );
  });

  it('are whole lines, also those that a screen cuts, without their colours', () => {
    const channel = receivedChannel(64 * 1024);
    channel.append(utf8(`\x1b[31m${'x'.repeat(6_000)}\x1b[0m\r\nnext\n`), 0);
    const range = { layout: 'text', from: { sequence: 0, part: 0 }, to: { sequence: 1, part: 0 } } as const;
    expect(joined(copyRows(new Timeline([channel]), range))).toBe(`${'x'.repeat(6_000)}\nnext\n`);
  });

  it('keep a character whole that has come under an edge of the range since', () => {
    const channel = receivedChannel(1_024);
    channel.append(utf8('ab\u{1f600}cd\n'), 0);
    const cut = (from: number, to: number) => {
      const edge = (column: number) => ({ sequence: 0, part: 0, column });
      const range = { layout: 'text', from: edge(from), to: edge(to), field: 'characters' } as const;
      return joined(copyRows(new Timeline([channel]), range));
    };
    expect([cut(0, 3), cut(3, 5), cut(3, 3), cut(2, 4), cut(0, 2)]).toEqual([
      'ab\u{1f600}\n',
      '\u{1f600}c\n',
      '\u{1f600}\n',
      '\u{1f600}\n',
      'ab\n',
    ]);
  });

  it('begin without the return of lines that end LF CR, and say what is seen', () => {
    const channel = receivedChannel(1_024);
    channel.append(utf8('one\n\r\x1b]0;title\x07t\x08two\x1b[K\n\r'), 0);
    const range = { layout: 'text', from: { sequence: 0, part: 0 }, to: { sequence: 9, part: 0 } } as const;
    expect(joined(copyRows(new Timeline([channel]), range))).toBe('one\ntwo\n');
  });

  it('show bytes as a hex dump, and notices as text, each once', () => {
    const counter = { next: 0 };
    const [received, notices] = [receivedChannel(1_024, 1, counter), noticeChannel(1_024, counter)];
    received.append(utf8('0123456789abcdef\x1bé'), 0);
    notices.appendEntry(utf8('A notice that is longer than one row of bytes'), 0);
    const range = { layout: 'hex', from: { sequence: 0, part: 0 }, to: { sequence: 1, part: 2 } } as const;
    expect(joined(copyRows(new Timeline([received, notices]), range))).toBe(
      [
        '0000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  0123456789abcdef',
        `0010  1B C3 A9${' '.repeat(40)}  ···`,
        'A notice that is longer than one row of bytes',
        '',
      ].join('\n'),
    );
  });

  it('have time, port and direction where they are asked for, and come through a filter', async () => {
    const test = testRig();
    const device = await connected(test, 2);
    device.receive('one hit\nmiss\ntwo hit\n');
    await test.clock.settle();
    const filter = test.bench.search({ kind: 'text', text: 'hit', ignoreCase: false });
    await filter.run(async () => undefined);
    const range = {
      layout: 'text',
      from: { sequence: 0, part: 0 },
      to: { sequence: 99, part: 0 },
      stamps: true,
      portNames: { 2: 'Left motor' },
    } as const;
    const copied = joined(test.bench.copyRows(range, filter));
    expect(copied.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/g, 'TIME')).toBe(
      'TIME  Left motor  RX  one hit\nTIME  Left motor  RX  two hit\n',
    );
  });

  it('come in pieces, so that the memory for them is bounded', () => {
    const channel = receivedChannel(4 * 1024 * 1024);
    channel.append(utf8('a line of text\n'.repeat(100_000)), 0);
    const range = { layout: 'text', from: { sequence: 0, part: 0 }, to: { sequence: 99_999, part: 0 } } as const;
    const pieces = [...copyRows(new Timeline([channel]), range)];
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe('a line of text\n'.repeat(100_000));
  });

  it('leave out what had to leave', () => {
    const channel = receivedChannel(64);
    channel.append(utf8('0123456789\n'.repeat(12)), 0);
    const range = { layout: 'text', from: { sequence: 0, part: 0 }, to: { sequence: 10, part: 0 } } as const;
    expect(joined(copyRows(new Timeline([channel]), range)).split('\n')).toHaveLength(11 - channel.firstLine + 1);
  });
});

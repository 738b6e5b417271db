import { describe, expect, it } from 'vitest';
import { LineChannel } from './line-channel.ts';
import { noticeFlags } from './notice-flags.ts';
import { portNumbers } from './port-number.ts';
import { rowPage } from './row-page.ts';
import { latin1, receivedChannel, utf8 } from './testing/line-channels.ts';
import { Timeline } from './timeline.ts';
import { maxRowBytes, maxWholeBytes } from './timeline-rows.ts';

function firstRow(...reads: Uint8Array[]) {
  const channel = receivedChannel(256 * 1024);
  for (const read of reads) {
    channel.append(read, 1_000);
  }
  const [row] = rowPage(new Timeline([channel]), { layout: 'text', anchor: { position: 0 }, count: 1 }).rows;
  if (row === undefined) {
    throw new Error('no row');
  }
  return row;
}

describe('row', () => {
  it('leaves out the line ending in the text layout, and counts it in the length', () => {
    expect(firstRow(utf8('ready\r\n'))).toMatchObject({ bytes: utf8('ready'), lineLength: 7, open: false, at: 1_000 });
    expect(firstRow(utf8('\n'))).toMatchObject({ bytes: utf8(''), lineLength: 1 });
  });

  it('keeps a trailing \\r while the line is open, because it may not be an ending', () => {
    expect(firstRow(utf8('50 %\r'))).toMatchObject({ bytes: utf8('50 %\r'), open: true });
  });

  it('carries the first bytes of a line that is too long', () => {
    const row = firstRow(utf8(`${'x'.repeat(5_000)}\n`));
    expect(row.bytes).toHaveLength(maxRowBytes);
    expect(row.lineLength).toBe(5_001);
  });

  it('carries more of a line that was asked for as a whole', () => {
    const channel = receivedChannel(1024 * 1024);
    channel.append(utf8(`${'x'.repeat(70_000)}\n${'y'.repeat(5_000)}\n`), 0);
    const query = { layout: 'text', anchor: { position: 0 }, count: 2 } as const;
    const lengths = (whole: readonly number[]) =>
      rowPage(new Timeline([channel]), { ...query, whole }).rows.map(({ bytes }) => bytes.length);
    expect(lengths([])).toEqual([maxRowBytes, maxRowBytes]);
    expect(lengths([0])).toEqual([maxWholeBytes, maxRowBytes]);
    expect(lengths([1])).toEqual([maxRowBytes, 5_000]);
  });

  it('never cuts a UTF-8 sequence in two', () => {
    const row = firstRow(utf8(`ab${'€'.repeat(2_000)}\n`));
    expect(row.bytes).toEqual(utf8(`ab${'€'.repeat(1_364)}`));
  });

  it('carries the newest of a line that a progress bar wrote over and over', () => {
    const steps = Array.from({ length: 1_000 }, (_, step) => `step ${step} of a thousand`);
    const row = firstRow(utf8(`before it ${steps.join('\r')}`));
    const shown = latin1(row.bytes).split('\r');
    expect(row.bytes.length).toBeLessThanOrEqual(maxRowBytes);
    expect(shown.length).toBeGreaterThan(100);
    expect(shown).toEqual(steps.slice(-shown.length));
  });

  it('stands in one buffer with all rows of its page', () => {
    const channel = receivedChannel();
    channel.append(utf8('one\ntwo\n\nthree'), 0);
    const { rows } = rowPage(new Timeline([channel]), { layout: 'text', anchor: 'tail', count: 10 });
    expect(rows.map((row) => latin1(row.bytes))).toEqual(['one', 'two', '', 'three']);
    expect(new Set(rows.map((row) => row.bytes.buffer)).size).toBe(1);
  });

  it('keeps a notice with its level and its port', () => {
    const notices = new LineChannel({ name: 'notices', port: null, direction: 'notice' }, { next: 0 }, 4_096);
    const levels = ['info', 'success', 'warning', 'error'] as const;
    const wanted = levels.flatMap((level) => [...portNumbers, null].map((port) => ({ level, port })));
    for (const { level, port } of wanted) {
      notices.appendEntry(utf8('text'), 0, noticeFlags(level, port));
    }
    const { rows } = rowPage(new Timeline([notices]), { layout: 'text', anchor: 'tail', count: 100 });
    expect(rows.map(({ level, port }) => ({ level, port }))).toEqual(wanted);
    expect(new Set(rows.map((row) => row.direction))).toEqual(new Set(['notice']));
  });
});

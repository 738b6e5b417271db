import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyRows } from './copy-rows.ts';
import { exportText } from './export-text.ts';
import { rowPage } from './row-page.ts';
import { latin1, receivedChannel, utf8 } from './testing/line-channels.ts';
import { Timeline } from './timeline.ts';
import { pieceBytes } from './timeline-rows.ts';

const all = { layout: 'text', anchor: { position: 0 }, count: 1_000 } as const;
const text = (pieces: Iterable<string>) => [...pieces].join('');

describe('a line without an end', () => {
  const pieces = (timeline: Timeline) => rowPage(timeline, all).rows.map(({ bytes }) => bytes.length);

  it('is a row for every 512 bytes, and one row again when it ends', () => {
    const channel = receivedChannel(65_536);
    const timeline = new Timeline([channel]);
    channel.append(utf8('up\n'), 0);
    channel.append(utf8('x'.repeat(pieceBytes)), 0);
    expect(pieces(timeline)).toEqual([2, 512]);
    channel.append(utf8('y'.repeat(1_000)), 0);
    expect(pieces(timeline)).toEqual([2, 512, 512, 488]);
    const tail = rowPage(timeline, { layout: 'text', anchor: 'tail', count: 1 });
    expect(tail).toMatchObject({ first: 3, total: 4, rows: [{ part: 2, isPiece: true, open: true }] });
    channel.append(utf8('\r'), 0);
    expect(timeline.total('text')).toBe(4);
    channel.append(utf8('\nnext'), 0);
    expect(pieces(timeline)).toEqual([2, 1_512, 4]);
    expect(rowPage(timeline, all).rows[1]).not.toHaveProperty('isPiece');
  });

  it('is one row as soon as a terminal control may rewrite it', () => {
    const channel = receivedChannel(65_536);
    const timeline = new Timeline([channel]);
    channel.append(utf8('#'.repeat(600)), 0);
    expect(timeline.total('text')).toBe(2);
    channel.append(utf8('\r##'), 0);
    expect(timeline.total('text')).toBe(1);
    channel.append(utf8('#'.repeat(2_000)), 0);
    expect(timeline.total('text')).toBe(1);
  });

  it('has the same rows at any position and however its bytes arrive, with lines of other ports around it', () => {
    const bytes = fc.integer({ min: 0, max: 3_000 });
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 6 }), fc.nat({ max: 12 }), fc.boolean(), (sizes, position, isFolded) => {
        const counter = { next: 0 };
        const [endless, other] = [receivedChannel(65_536, 1, counter), receivedChannel(65_536, 2, counter)];
        const whole = Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, at) => at % 10).join('');
        let at = 0;
        for (const size of sizes) {
          endless.append(utf8(whole.slice(at, at + size)), 0);
          at += size;
          other.append(utf8('tick\n'), 0);
        }
        const plain = new Timeline([endless, other]);
        const timeline = isFolded ? plain.folded({ 'received-2': [{ from: 2, end: 3, isHidden: true }] }) : plain;
        const { rows, total } = rowPage(timeline, all);
        expect(total).toBe(rows.length);
        const own = rows.filter(({ port }) => port === 1);
        expect(own.map((row) => latin1(row.bytes)).join('')).toBe(whole);
        expect(own.every((row) => row.bytes.length <= pieceBytes)).toBe(true);
        expect(rowPage(timeline, { ...all, anchor: { position }, count: 4 }).rows).toEqual(
          rows.slice(position, position + 4),
        );
        for (const [index, { sequence, part }] of rows.entries()) {
          expect(timeline.locate('text', { sequence, part, offset: 0 }, 4)).toBe(index);
        }
      }),
    );
  });

  it('is broken between characters, and copied and exported whole', () => {
    const channel = receivedChannel(65_536);
    const timeline = new Timeline([channel]);
    const whole = `a${'€'.repeat(400)}`;
    channel.append(utf8(whole), 0);
    const { rows } = rowPage(timeline, all);
    expect(rows.map(({ bytes }) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).join('')).toBe(whole);
    const range = { layout: 'text', from: { sequence: 0, part: 0 }, to: { sequence: 0, part: 1 } } as const;
    expect(text(copyRows(timeline, range))).toBe(`${whole}\n`);
    const decoder = new TextDecoder();
    const exported = [...exportText(timeline, {})].map((chunk) => decoder.decode(chunk)).join('');
    expect(exported).toContain(whole);
    expect(exported.trimEnd().split('\n')).toHaveLength(1);
  });

  it('is copied from a column of one piece to a column of another', () => {
    const channel = receivedChannel(65_536);
    const timeline = new Timeline([channel]);
    const whole = Array.from({ length: 1_400 }, (_, at) => at % 10).join('');
    channel.append(utf8(whole), 0);
    const range = {
      layout: 'text',
      field: 'content',
      from: { sequence: 0, part: 1, column: 3 },
      to: { sequence: 0, part: 2, column: 5 },
    } as const;
    expect(text(copyRows(timeline, range))).toBe(`${whole.slice(515, 1_029)}\n`);
    channel.append(utf8('\n'), 0);
    expect(text(copyRows(timeline, range))).toBe(`${whole.slice(515, 1_029)}\n`);
  });
});

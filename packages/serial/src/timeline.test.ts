import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexRowsOf } from './hex-rows.ts';
import type { LineChannel } from './line-channel.ts';
import { rowPage } from './row-page.ts';
import { latin1, receivedChannel, sentChannel, utf8, withoutEnding } from './testing/line-channels.ts';
import { Timeline } from './timeline.ts';
import type { RowLayout } from './timeline-rows.ts';

interface ModelRow {
  readonly sequence: number;
  readonly part: number;
  readonly bytes: string;
  readonly open: boolean;
}

/** A simple model of the rows: all lines of all channels, sorted, one after the other. */
function modelRows(channels: readonly LineChannel[], layout: RowLayout): ModelRow[] {
  const rows: ModelRow[] = [];
  for (const channel of channels) {
    for (let line = channel.firstLine; line < channel.endLine; line++) {
      const bytes = latin1(channel.ring.view(channel.startOf(line), channel.endOf(line)));
      const parts = layout === 'text' ? 1 : hexRowsOf(bytes.length);
      for (let part = 0; part < parts; part++) {
        rows.push({
          sequence: channel.sequenceOf(line),
          part,
          bytes: layout === 'text' ? withoutEnding(bytes) : bytes.slice(part * 16, part * 16 + 16),
          open: channel.isOpen(line),
        });
      }
    }
  }
  return rows.sort((a, b) => a.sequence - b.sequence || a.part - b.part);
}

/** Bytes in order of arrival, with their channel. Rings are small, so that lines are often dropped. */
const arrivals = fc.array(
  fc.record({
    channel: fc.nat({ max: 3 }),
    bytes: fc
      .array(fc.oneof(fc.constantFrom(0x0a, 0x0d), fc.integer({ min: 0, max: 255 })), { maxLength: 60 })
      .map((bytes) => Uint8Array.from(bytes)),
  }),
  { maxLength: 30 },
);
const layouts = fc.constantFrom<RowLayout>('text', 'hex');

function channelsAfter(events: readonly { channel: number; bytes: Uint8Array }[]): LineChannel[] {
  const counter = { next: 7 };
  const received = ([1, 2, 3] as const).map((port) => receivedChannel(128 * port, port, counter));
  const sent = sentChannel(160, 1, counter);
  for (const { channel, bytes } of events) {
    const target = received[channel];
    if (target === undefined) {
      sent.appendEntry(bytes, 0);
    } else {
      target.append(bytes, 0);
    }
  }
  return [...received, sent];
}

function pick(page: ReturnType<typeof rowPage>): ModelRow[] {
  return page.rows.map(({ sequence, part, bytes, open }) => ({ sequence, part, bytes: latin1(bytes), open }));
}

describe('timeline', () => {
  it('gives the rows at any position as a plain sorted list would', () => {
    fc.assert(
      fc.property(arrivals, layouts, fc.nat({ max: 60 }), fc.nat({ max: 40 }), (events, layout, position, count) => {
        const channels = channelsAfter(events);
        const model = modelRows(channels, layout);
        const page = rowPage(new Timeline(channels), { layout, anchor: { position }, count });
        expect(page.total).toBe(model.length);
        expect(page.first).toBe(Math.min(position, model.length));
        expect(pick(page)).toEqual(model.slice(page.first, page.first + count));
      }),
    );
  });

  it('finds every row again by its line and part', () => {
    fc.assert(
      fc.property(arrivals, layouts, fc.integer({ min: -20, max: 20 }), (events, layout, offset) => {
        const channels = channelsAfter(events);
        const timeline = new Timeline(channels);
        const model = modelRows(channels, layout);
        model.forEach(({ sequence, part }, position) => {
          const found = timeline.locate(layout, { sequence, part, offset }, 10);
          expect(found).toBe(Math.min(Math.max(position + offset, 0), model.length));
        });
      }),
    );
  });

  it('shows some channels as if there were no others', () => {
    fc.assert(
      fc.property(arrivals, layouts, fc.subarray([0, 1, 2, 3]), (events, layout, chosen) => {
        const channels = channelsAfter(events).filter((_, index) => chosen.includes(index));
        const page = rowPage(new Timeline(channels), { layout, anchor: 'tail', count: 25 });
        expect(pick(page)).toEqual(modelRows(channels, layout).slice(-25));
      }),
    );
  });

  it('stands an anchor whose line is gone at the oldest line that came after it', () => {
    const channel = receivedChannel(64);
    channel.append(utf8('0123456789\n'.repeat(12)), 0);
    const timeline = new Timeline([channel]);
    expect(channel.firstLine).toBeGreaterThan(2);
    expect(timeline.locate('text', { sequence: 2, part: 0, offset: 0 }, 5)).toBe(0);
    expect(timeline.locate('text', { sequence: 2, part: 0, offset: 3 }, 5)).toBe(3);
  });

  it('stands an anchor at the last row of its line when the layout has fewer', () => {
    const channel = receivedChannel(1_024);
    channel.append(utf8(`${'x'.repeat(100)}\nnext\n`), 0);
    const timeline = new Timeline([channel]);
    expect(timeline.locate('text', { sequence: 0, part: 5, offset: 0 }, 5)).toBe(0);
    expect(timeline.locate('hex', { sequence: 0, part: 5, offset: 1 }, 5)).toBe(6);
  });

  it('is empty without channels, and without lines', () => {
    expect(rowPage(new Timeline([]), { layout: 'hex', anchor: 'tail', count: 5 })).toEqual({
      first: 0,
      total: 0,
      rows: [],
    });
    const page = rowPage(new Timeline([receivedChannel()]), { layout: 'text', anchor: { position: 3 }, count: 5 });
    expect(page).toEqual({ first: 0, total: 0, rows: [] });
  });

  it('passes over lines that are dropped while it is being read', () => {
    const channel = receivedChannel(64);
    channel.append(utf8('a\nb\nc\n'), 0);
    const reading = new Timeline([channel]).linesFrom(0);
    expect(reading.next().value?.line).toBe(0);
    channel.append(utf8('0123456789\n'.repeat(6)), 0);
    expect(reading.next().value?.line).toBe(channel.firstLine);
  });
});

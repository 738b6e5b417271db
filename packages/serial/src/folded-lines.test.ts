import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FoldedLines, type LineFold } from './folded-lines.ts';
import type { LineChannel } from './line-channel.ts';
import { rowPage } from './row-page.ts';
import { receivedChannel, utf8 } from './testing/line-channels.ts';
import { Timeline } from './timeline.ts';
import type { RowLayout } from './timeline-rows.ts';

interface ModelRow {
  readonly sequence: number;
  readonly part: number;
}

/** A simple model of the rows: every row of each line, without those that a fold hides. */
function modelRows(channels: readonly LineChannel[], folds: readonly LineFold[], layout: RowLayout): ModelRow[] {
  const rows: ModelRow[] = [];
  for (const channel of channels) {
    const seen = new Set<LineFold>();
    for (let line = channel.firstLine; line < channel.endLine; line++) {
      const sequence = channel.sequenceOf(line);
      const fold =
        channel === channels[0] ? folds.find(({ from, end }) => sequence >= from && sequence < end) : undefined;
      if (fold === undefined || (!fold.isHidden && !seen.has(fold))) {
        const goesOn = fold !== undefined && line + 1 < channel.endLine && channel.sequenceOf(line + 1) < fold.end;
        const parts = layout === 'text' || goesOn ? 1 : channel.hexRowsOf(line);
        rows.push(...Array.from({ length: parts }, (_, part) => ({ sequence, part })));
      }
      if (fold !== undefined) {
        seen.add(fold);
      }
    }
  }
  return rows.sort((a, b) => a.sequence - b.sequence || a.part - b.part);
}

/** Lines of two ports in any order. The ring of the first port is small, so that it drops some. */
const arrivals = fc.array(fc.record({ first: fc.boolean(), length: fc.nat({ max: 40 }) }), { maxLength: 60 });
/** Lengths of folded and unfolded stretches in turn. */
const stretches = fc.array(fc.nat({ max: 12 }), { maxLength: 8 });

function channelsAfter(events: readonly { readonly first: boolean; readonly length: number }[]): LineChannel[] {
  const counter = { next: 3 };
  const channels = [receivedChannel(512, 1, counter), receivedChannel(4_096, 2, counter)] as const;
  for (const { first, length } of events) {
    channels[first ? 0 : 1].append(utf8(`${'x'.repeat(length)}\n`), 0);
  }
  return [...channels];
}

function foldsOf(lengths: readonly number[], open: boolean, hidden: readonly boolean[]): LineFold[] {
  const folds: LineFold[] = [];
  let at = 3;
  for (let index = 0; index + 1 < lengths.length; index += 2) {
    const from = at + (lengths[index] ?? 0);
    at = from + 1 + (lengths[index + 1] ?? 0);
    folds.push({ from, end: at, isHidden: hidden[folds.length] ?? false });
  }
  const last = folds.at(-1);
  return open && last !== undefined ? [...folds.slice(0, -1), { ...last, end: Number.POSITIVE_INFINITY }] : folds;
}

describe('folded lines', () => {
  it('are one row each, or none, at any position and in both layouts', () => {
    fc.assert(
      fc.property(
        arrivals,
        stretches,
        fc.boolean(),
        fc.array(fc.boolean(), { maxLength: 4 }),
        fc.constantFrom<RowLayout>('text', 'hex'),
        fc.nat({ max: 40 }),
        (events, lengths, open, hidden, layout, position) => {
          const channels = channelsAfter(events);
          const folds = foldsOf(lengths, open, hidden);
          const model = modelRows(channels, folds, layout);
          const timeline = new Timeline(channels).folded({ 'received-1': folds });
          const page = rowPage(timeline, { layout, anchor: { position }, count: 15 });
          expect(page.total).toBe(model.length);
          expect(page.rows.map(({ sequence, part }) => ({ sequence, part }))).toEqual(
            model.slice(page.first, page.first + 15),
          );
          for (const [index, { sequence, part }] of model.entries()) {
            expect(timeline.locate(layout, { sequence, part, offset: 0 }, 10)).toBe(index);
          }
        },
      ),
    );
  });

  it('lead from a hidden line to the one after the fold', () => {
    const channel = receivedChannel();
    channel.append(utf8('a\nb\nc\nd\ne\n'), 0);
    const folded = new FoldedLines(channel, [{ from: 1, end: 4 }]);
    expect(folded.sequenceOf(folded.lineAtSequence(2))).toBe(4);
    expect(folded.endLine).toBe(3);
  });

  it('lead from a line that is left out to the next one, also between two of them', () => {
    const channel = receivedChannel();
    channel.append(utf8('a\nb\nc\nd\n'), 0);
    const folds = [1, 2].map((from) => ({ from, end: from + 1, isHidden: true }));
    const folded = new FoldedLines(channel, folds);
    expect([1, 2, 3].map((sequence) => folded.sequenceOf(folded.lineAtSequence(sequence)))).toEqual([3, 3, 3]);
    expect(folded.endLine).toBe(2);
  });

  it('stand where the oldest held line of them is, once the first has left', () => {
    const channel = receivedChannel(64);
    channel.append(utf8('0123456789\n'.repeat(12)), 0);
    const page = rowPage(new Timeline([channel]).folded({ 'received-1': [{ from: 1, end: 11 }] }), {
      layout: 'text',
      anchor: { position: 0 },
      count: 10,
    });
    expect(page.rows.map(({ sequence }) => sequence)).toEqual([channel.firstLine, 11]);
  });
});

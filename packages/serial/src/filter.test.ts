import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexRowsOf } from './hex-rows.ts';
import type { LineChannel } from './line-channel.ts';
import type { LineQuery, LineTerm } from './line-query.ts';
import { noticeFlags } from './notice-flags.ts';
import type { PortNumber } from './port-number.ts';
import { rowPage } from './row-page.ts';
import { LineSearch } from './search.ts';
import {
  heldLines,
  latin1,
  noticeChannel,
  receivedChannel,
  sentChannel,
  utf8,
  withoutEnding,
  withoutReturns,
} from './testing/line-channels.ts';
import type { NoticeLevel, RowLayout } from './timeline-rows.ts';

const clock = new VirtualClock();

interface ModelLine {
  readonly sequence: number;
  readonly isNotice: boolean;
  readonly text: string;
  readonly hexRows: number;
}

/** A simple model of the lines to show: one after the other, as text with one character per byte. */
function model(channels: readonly LineChannel[], query: LineQuery): ModelLine[] {
  const lines: ModelLine[] = [];
  for (const channel of channels) {
    const { name, direction } = channel.identity;
    const held = heldLines(channel);
    held.forEach((text, index) => {
      const fromHere = direction === 'received' ? held.slice(index).join('') : text;
      const line = channel.firstLine + index;
      const flags = channel.flagsOf(line);
      const port = direction === 'notice' ? (flags >> 2) & 7 : channel.identity.port;
      const wanted =
        (query.channels?.includes(name) ?? true) &&
        (query.directions?.includes(direction) ?? true) &&
        (query.ports?.some((wantedPort) => wantedPort === port) ?? true) &&
        (query.levels?.some((level) => level === levelOf(direction, flags, text)) ?? true) &&
        (query.noticeKind === undefined || (direction === 'notice' && (flags & 0x20) !== 0)) &&
        query.terms.every((term) => matches(term, text, fromHere) !== (term.not ?? false));
      if (wanted) {
        lines.push({
          sequence: channel.sequenceOf(line),
          isNotice: direction === 'notice',
          text,
          hexRows: direction === 'notice' ? 1 : hexRowsOf(text.length),
        });
      }
    });
  }
  return lines.sort((one, other) => one.sequence - other.sequence);
}

function levelOf(direction: string, flags: number, text: string): NoticeLevel | undefined {
  if (direction === 'notice') {
    return (['info', 'success', 'warning', 'error'] as const)[flags & 3];
  }
  const letter = /^([EWI]) \(\d+\) a:/.exec(text)?.[1];
  return direction === 'sent' || letter === undefined
    ? undefined
    : { E: 'error' as const, W: 'warning' as const, I: 'info' as const }[letter as 'E' | 'W' | 'I'];
}

/** @param fromHere The line and the rest of the stream. */
function matches(term: LineTerm, text: string, fromHere: string): boolean {
  const shown = withoutReturns(text);
  switch (term.kind) {
    case 'text':
      return term.ignoreCase ? text.toLowerCase().includes(term.text.toLowerCase()) : text.includes(term.text);
    case 'hex': {
      const at = fromHere.indexOf(latin1(term.bytes));
      return at !== -1 && at < text.length;
    }
    case 'regex':
      return new RegExp(term.source, term.ignoreCase ? 'i' : '').test(shown);
  }
}

const letters = fc
  .array(fc.constantFrom('a', 'A', 'b', ' '), { minLength: 1, maxLength: 3 })
  .map((text) => text.join(''));
const terms: fc.Arbitrary<LineTerm> = fc
  .tuple(
    fc.oneof(
      fc.record({ kind: fc.constant('text' as const), text: letters, ignoreCase: fc.boolean() }),
      fc.record({
        kind: fc.constant('regex' as const),
        source: fc.constantFrom('^a', 'b$', 'a+b', '^$', '^[EI] '),
        ignoreCase: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('hex' as const),
        bytes: fc.constantFrom(Uint8Array.of(0x61, 0x62), Uint8Array.of(0x20), Uint8Array.of(0x0a, 0x61)),
      }),
    ),
    fc.boolean(),
  )
  .map(([term, not]) => ({ ...term, not }));
const scopes = {
  ports: fc.subarray<PortNumber>([1, 2, 3], { minLength: 1 }),
  directions: fc.subarray(['received', 'sent', 'notice'] as const, { minLength: 1 }),
  levels: fc.subarray<NoticeLevel>(['info', 'success', 'warning', 'error'], { minLength: 1 }),
  channels: fc.subarray(['received-1', 'received-2', 'sent-1', 'notices'] as const, { minLength: 1 }),
  noticeKind: fc.constant('build' as const),
};
const queries: fc.Arbitrary<LineQuery> = fc.oneof(
  fc.record({ terms: fc.array(terms, { minLength: 1, maxLength: 1 }) }),
  fc.record({ terms: fc.array(terms, { maxLength: 2 }), ...scopes }, { requiredKeys: ['terms'] }),
);

type Happening =
  | { readonly kind: 'comes'; readonly channel: number; readonly bytes: Uint8Array }
  | { readonly kind: 'step' }
  | { readonly kind: 'clear' };
const pieces = fc.constantFrom(
  'a',
  'b',
  'A',
  ' ',
  '\n',
  '\r\n',
  'E (1) a: ',
  'I (22) a: b',
  'W (3) a:\n',
  'x'.repeat(20),
);
const happenings = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('comes' as const),
        channel: fc.nat({ max: 3 }),
        bytes: fc.array(pieces, { maxLength: 8 }).map((texts) => utf8(texts.join(''))),
      }),
    },
    { weight: 4, arbitrary: fc.constant<Happening>({ kind: 'step' }) },
    { weight: 1, arbitrary: fc.constant<Happening>({ kind: 'clear' }) },
  ),
  { maxLength: 30 },
);
const layouts = fc.constantFrom<RowLayout>('text', 'hex');

/** Creates channels with small rings, so that lines are often dropped. */
function newChannels(): LineChannel[] {
  const counter = { next: 5 };
  return [
    receivedChannel(160, 1, counter),
    receivedChannel(96, 2, counter),
    sentChannel(80, 1, counter),
    noticeChannel(80, counter),
  ];
}

function happen(channels: readonly LineChannel[], search: LineSearch, happening: Happening): void {
  if (happening.kind === 'step') {
    search.step();
    // The first use of the hex layout starts the counting of its rows as matches come and go.
    search.timeline.total('hex');
  } else if (happening.kind === 'clear') {
    for (const channel of channels) {
      channel.clear();
    }
  } else {
    const { channel: index, bytes } = happening;
    const levels = ['info', 'success', 'warning', 'error'] as const;
    const kind = bytes.length % 2 === 0 ? 'build' : undefined;
    const flags = noticeFlags(
      levels[bytes.length % 4] ?? 'info',
      ([null, 1, 2] as const)[bytes.length % 3] ?? null,
      kind,
    );
    if (index < 2) {
      channels[index]?.append(bytes, 0);
    } else {
      channels[index]?.appendEntry(bytes, 0, index === 3 ? flags : 0);
    }
  }
}

function finish(search: LineSearch): void {
  for (let steps = 0; search.step(); steps++) {
    if (steps > 1_000) {
      throw new Error('The search does not end');
    }
  }
}

describe('filter', () => {
  it('shows the rows of a plain list of the wanted lines, at any position after any changes', () => {
    fc.assert(
      fc.property(
        happenings,
        happenings,
        queries,
        layouts,
        fc.nat({ max: 30 }),
        (before, after, query, layout, position) => {
          const channels = newChannels();
          const idle = new LineSearch(clock, [], { terms: [] });
          for (const happening of before) {
            happen(channels, idle, happening);
          }
          const filter = new LineSearch(clock, channels, query);
          for (const happening of after) {
            happen(channels, filter, happening);
          }
          finish(filter);
          const rows = model(channels, query).flatMap(({ sequence, isNotice, text, hexRows }) =>
            Array.from({ length: layout === 'text' ? 1 : hexRows }, (_, part) => ({
              sequence,
              part,
              bytes: layout === 'text' || isNotice ? withoutEnding(text) : text.slice(part * 16, part * 16 + 16),
            })),
          );
          const page = rowPage(filter.timeline, { layout, anchor: { position }, count: 12 });
          expect(page.total).toBe(rows.length);
          expect(page.rows.map(({ sequence, part, bytes }) => ({ sequence, part, bytes: latin1(bytes) }))).toEqual(
            rows.slice(page.first, page.first + 12),
          );
          const tail = rowPage(filter.timeline, { layout, anchor: 'tail', count: 5 });
          expect(tail.rows.map(({ sequence, part }) => ({ sequence, part }))).toEqual(
            rows.slice(-5).map(({ sequence, part }) => ({ sequence, part })),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('reports correct results at every moment, while older lines are still to be searched', () => {
    fc.assert(
      fc.property(happenings, queries, (all, query) => {
        const channels = newChannels();
        const filter = new LineSearch(clock, channels, query);
        for (const happening of all) {
          happen(channels, filter, happening);
          const { count } = filter;
          const sequences = [...filter.sequences()];
          expect(sequences).toHaveLength(count);
          expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
          const held = channels.flatMap((channel) =>
            heldLines(channel).map((_, index) => channel.sequenceOf(channel.firstLine + index)),
          );
          expect(held).toEqual(expect.arrayContaining(sequences));
          const hexRows = filter.timeline.total('hex');
          expect(hexRows).toBeGreaterThanOrEqual(count);
        }
      }),
    );
  });

  it('keeps its place when it is switched on and off: the top line, or the next one shown', () => {
    const channel = receivedChannel(64 * 1024);
    channel.append(
      utf8(Array.from({ length: 1_000 }, (_, line) => `${line % 7 === 0 ? 'odd' : 'even'} ${line}\n`).join('')),
      0,
    );
    const filter = new LineSearch(clock, [channel], { terms: [{ kind: 'text', text: 'odd', ignoreCase: false }] });
    finish(filter);
    const page = rowPage(filter.timeline, {
      layout: 'text',
      anchor: { sequence: 500, part: 0, offset: 0 },
      count: 2,
    });
    expect(page.rows.map(({ sequence }) => sequence)).toEqual([504, 511]);
    expect(filter.timeline.locate('hex', { sequence: 504, part: 0, offset: -1 }, 5)).toBe(page.first - 1);
  });

  it('completes without a search step for channels that it shows in full', () => {
    const channels = newChannels();
    const filter = new LineSearch(clock, channels, { terms: [], ports: [1], directions: ['received', 'sent'] });
    channels[0]?.append(utf8('a\nb\nc'), 0);
    channels[1]?.append(utf8('other\n'), 0);
    expect(filter.complete).toBe(true);
    expect(filter.count).toBe(3);
  });

  it('shows a page of the newest matches after two steps over a million lines', () => {
    const channel = receivedChannel(64 * 1024 * 1024);
    channel.append(utf8('hit\nmiss\n'.repeat(500_000)), 0);
    const filter = new LineSearch(clock, [channel], { terms: [{ kind: 'text', text: 'hit', ignoreCase: false }] });
    filter.step();
    filter.step();
    const page = rowPage(filter.timeline, { layout: 'text', anchor: 'tail', count: 60 });
    expect(page.rows).toHaveLength(60);
    expect(page.rows.at(-1)?.sequence).toBe(999_998);
    finish(filter);
    expect(filter.count).toBe(500_000);
  });

  it('shows new lines when rows are requested, without being run', () => {
    const channel = receivedChannel(4_096);
    const filter = new LineSearch(clock, [channel], { terms: [{ kind: 'text', text: 'hit', ignoreCase: false }] });
    channel.append(utf8('hit 1\nmiss\nhit 2'), 0);
    expect(filter.catchUp()).toBe(true);
    expect(filter.count).toBe(2);
    expect(filter.catchUp()).toBe(false);
    channel.append(utf8(' goes on\nhit 3\n'), 0);
    filter.catchUp();
    expect(filter.count).toBe(3);
  });

  it('is read on in order while older matches are found and while the oldest leave', () => {
    const channel = receivedChannel(256 * 1024);
    const line = (number: number) => `hit ${String(number).padStart(6, '0')}\n`;
    const lines = (from: number, count: number) =>
      utf8(Array.from({ length: count }, (_, index) => line(from + index)).join(''));
    channel.append(lines(0, 20_000), 0);
    const filter = new LineSearch(clock, [channel], { terms: [{ kind: 'text', text: 'hit', ignoreCase: false }] });
    filter.step();
    const reading = filter.timeline.linesFrom(0);
    const first = reading.next().value?.line ?? -1;
    expect(first).toBeGreaterThan(10_000);
    filter.step();
    expect(reading.next().value?.line).toBe(first + 1);
    channel.append(lines(20_000, 30_000), 0);
    expect(channel.firstLine).toBeGreaterThan(first + 2);
    finish(filter);
    expect(reading.next().value?.line).toBe(channel.firstLine);
    expect(reading.next().value?.line).toBe(channel.firstLine + 1);
  });

  it('searches an endless line now and then only, and all of it when it ends', () => {
    const channel = receivedChannel(16 * 1024 * 1024);
    channel.append(utf8('x'.repeat(1_000_000)), 0);
    const filter = new LineSearch(clock, [channel], { terms: [{ kind: 'text', text: 'hit', ignoreCase: false }] });
    finish(filter);
    channel.append(utf8('hit'), 0);
    expect(filter.catchUp()).toBe(false);
    channel.append(utf8('x'.repeat(70_000)), 0);
    expect(filter.catchUp()).toBe(true);
    expect(filter.count).toBe(1);
    channel.append(utf8('\n'), 0);
    expect(filter.catchUp()).toBe(true);
    expect(filter.count).toBe(1);
  });
});

describe('find', () => {
  const channel = receivedChannel(4_096);
  channel.append(utf8('hit 0\nmiss\nhit 2\nmiss\nmiss\nhit 5\nmiss\n'), 0);
  const search = new LineSearch(clock, [channel], { kind: 'text', text: 'hit', ignoreCase: false });
  finish(search);

  it('goes to the next and the previous match from any line, and reports its number', () => {
    expect(search.count).toBe(3);
    expect(search.next(0)).toEqual({ sequence: 2, index: 1, wrapped: false });
    expect(search.next(3)).toEqual({ sequence: 5, index: 2, wrapped: false });
    expect(search.previous(5)).toEqual({ sequence: 2, index: 1, wrapped: false });
    expect(search.previous(4)).toEqual({ sequence: 2, index: 1, wrapped: false });
  });

  it('wraps around at the end, and reports it', () => {
    expect(search.next(5)).toEqual({ sequence: 0, index: 0, wrapped: true });
    expect(search.previous(0)).toEqual({ sequence: 5, index: 2, wrapped: true });
  });

  it('finds nothing in an empty log', () => {
    const nothing = new LineSearch(clock, [channel], { kind: 'text', text: 'nowhere', ignoreCase: false });
    finish(nothing);
    expect(nothing.next(0)).toBeNull();
    expect(nothing.previous(0)).toBeNull();
  });

  it('goes through all matches once around', () => {
    fc.assert(
      fc.property(happenings, queries, (all, query) => {
        const channels = newChannels();
        const found = new LineSearch(clock, channels, query);
        for (const happening of all) {
          happen(channels, found, happening);
        }
        finish(found);
        const forwards: number[] = [];
        const backwards: number[] = [];
        let at = found.next(-1);
        let back = found.previous(Number.MAX_SAFE_INTEGER);
        for (let step = 0; step < found.count; step++) {
          forwards.push(at?.sequence ?? -1);
          backwards.push(back?.sequence ?? -1);
          expect(at?.index).toBe(step);
          at = found.next(at?.sequence ?? -1);
          back = found.previous(back?.sequence ?? -1);
        }
        expect(forwards).toEqual([...found.sequences()]);
        expect(backwards.reverse()).toEqual(forwards);
      }),
    );
  });
});

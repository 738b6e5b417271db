import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineChannel } from './line-channel.ts';
import { matcherOf } from './line-matcher.ts';
import type { LineTerm } from './line-query.ts';
import { Marker } from './marks.ts';
import { rowPage } from './row-page.ts';
import { letters } from './testing/letters.ts';
import { latin1, receivedChannel, sentChannel, utf8 } from './testing/line-channels.ts';
import { Timeline } from './timeline.ts';

const text = (words: string, ignoreCase = false): LineTerm => ({ kind: 'text', text: words, ignoreCase });
const regex = (source: string, ignoreCase = false): LineTerm => ({ kind: 'regex', source, ignoreCase });
const hex = (...bytes: number[]): LineTerm => ({ kind: 'hex', bytes: Uint8Array.from(bytes) });

/** Returns the text with each marked range in brackets. */
function marked(shown: string, ...terms: LineTerm[]): string {
  return new Marker(terms)
    .inText(shown)
    .reduceRight(
      (left, { start, end }) => `${left.slice(0, start)}[${left.slice(start, end)}]${left.slice(end)}`,
      shown,
    );
}

/** Returns the marked bytes of all hex rows of a channel, as offsets of its held bytes. */
function markedBytes(channel: LineChannel, ...terms: LineTerm[]): number[] {
  const page = rowPage(
    new Timeline([channel]),
    { layout: 'hex', anchor: { position: 0 }, count: 1_000 },
    new Marker(terms),
  );
  let start = 0;
  return page.rows.flatMap(({ bytes, marks = [] }) => {
    const offsets = marks.flatMap((mark) =>
      Array.from({ length: mark.end - mark.start }, (_, index) => start + mark.start + index),
    );
    start += bytes.length;
    return offsets;
  });
}

describe('marks in text', () => {
  it('stand at every place of a word, in any case if it does not matter', () => {
    expect(marked('wifi: Wifi driver', text('wifi'))).toBe('[wifi]: Wifi driver');
    expect(marked('wifi: Wifi driver', text('WIFI', true))).toBe('[wifi]: [Wifi] driver');
    expect(marked('İ wifi', text('WIFI', true))).toBe('İ [wifi]');
  });

  it('stand at a word in all its spellings', () => {
    expect(marked('температура: ОШИБКА', text('ошибка', true))).toBe('температура: [ОШИБКА]');
    expect(marked('GRÖẞE Größe', text('größe', true))).toBe('[GRÖẞE] [Größe]');
    expect(marked('e\u0301 É é', text('é', true))).toBe('[e\u0301] [É] [é]');
    expect(marked('\u212aΩ', text('kω', true))).toBe('[\u212aΩ]');
    expect(marked('Ошибка ошибка', text('ошибка'))).toBe('Ошибка [ошибка]');
  });

  it('stand in the text of a line exactly if a search finds the line', () => {
    const words = fc.string({ unit: letters, minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(words, fc.string({ unit: letters, maxLength: 30 }), fc.boolean(), (wanted, shown, ignoreCase) => {
        const channel = receivedChannel();
        channel.append(utf8(`${shown}\n`), 0);
        const isFound = matcherOf([text(wanted, ignoreCase)]).find(channel, 0, 1).length > 0;
        expect(new Marker([text(wanted, ignoreCase)]).inText(shown).length > 0).toBe(isFound);
      }),
      { numRuns: 500 },
    );
  });

  it('stand where an expression matches, not where it matches nothing', () => {
    expect(marked('adc 12 and 345', regex('\\d+'))).toBe('adc [12] and [345]');
    expect(marked('aab', regex('x*'))).toBe('aab');
  });

  it('are joined where they touch or overlap', () => {
    expect(marked('one two', text('one'), text(' t'), regex('ne'))).toBe('[one t]wo');
    expect(marked('aaaa', text('aa'))).toBe('[aaaa]');
  });

  it('stand where bytes are shown as hex', () => {
    expect(marked('B5b \\x01A', hex(0x01, 0x41))).toBe('B5b [\\x01A]');
  });

  it('are not set at a match of an excluded term', () => {
    expect(marked('wifi lost', { ...text('wifi'), not: true }, text('lost'))).toBe('wifi [lost]');
  });
});

describe('marks in hex rows', () => {
  it('stand at every byte of every match, in any row', () => {
    const bytes = fc.array(fc.constantFrom(0x61, 0x62, 0x41, 0x0a), { maxLength: 120 });
    const patterns = fc.array(fc.constantFrom(0x61, 0x62), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(bytes, patterns, fc.boolean(), (received, pattern, asHex) => {
        const channel = receivedChannel(1_024);
        channel.append(Uint8Array.from(received), 0);
        const held = latin1(Uint8Array.from(received));
        const needle = latin1(Uint8Array.from(pattern));
        const expected = new Set<number>();
        for (let at = held.indexOf(needle); at !== -1; at = held.indexOf(needle, at + 1)) {
          for (const index of pattern.keys()) {
            expected.add(at + index);
          }
        }
        const term = asHex ? hex(...pattern) : text(needle);
        expect(markedBytes(channel, term)).toEqual([...expected].sort((one, other) => one - other));
      }),
    );
  });

  it('stand at the bytes of a word in all its spellings', () => {
    const channel = receivedChannel();
    channel.append(utf8('k\u212a É\n'), 0);
    expect(markedBytes(channel, text('K', true))).toEqual([0, 1, 2, 3]);
    expect(markedBytes(channel, text('e\u0301', true))).toEqual([5, 6]);
  });

  it('continue behind a line end for bytes of a stream, not for text nor between messages', () => {
    const channel = receivedChannel();
    channel.append(utf8('ab\ncd'), 0);
    expect(markedBytes(channel, hex(0x62, 0x0a, 0x63))).toEqual([1, 2, 3]);
    const sent = sentChannel(64, 1, { next: 0 });
    sent.appendEntry(utf8('ab'), 0);
    sent.appendEntry(utf8('cd'), 0);
    expect(markedBytes(sent, hex(0x62, 0x63))).toEqual([]);
  });

  it('stand at the bytes of an expression’s match behind colours and beyond ASCII', () => {
    const channel = receivedChannel();
    channel.append(utf8('\x1b[32mé 21 °C\x1b[0m\r\n'), 0);
    expect(markedBytes(channel, regex('\\d+ °'))).toEqual([8, 9, 10, 11, 12]);
    expect(markedBytes(channel, regex('^é'))).toEqual([5, 6]);
    expect(markedBytes(channel, regex('C$'))).toEqual([13]);
  });

  it('are right in rows far down a long line', () => {
    const channel = receivedChannel(64 * 1024);
    channel.append(utf8(`${'x'.repeat(5_000)}needle${'x'.repeat(100)}\n`), 0);
    expect(markedBytes(channel, regex('n.*e'))).toEqual([5_000, 5_001, 5_002, 5_003, 5_004, 5_005]);
  });

  it('are omitted when they are not requested', () => {
    const channel = receivedChannel();
    channel.append(utf8('a\n'), 0);
    const page = rowPage(new Timeline([channel]), { layout: 'hex', anchor: 'tail', count: 1 });
    expect(page.rows[0]).not.toHaveProperty('marks');
  });
});

import { VirtualClock } from '@wirebench/clock';
import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framingWith, splitterOf } from './framing/framings.ts';
import { bytesOfLine } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { type SearchQuery, SearchQueryError } from './line-query.ts';
import { LineSearch } from './search.ts';
import { accentedForm, letters } from './testing/letters.ts';
import { heldLines, latin1, receivedChannel, sentChannel, utf8, withoutReturns } from './testing/line-channels.ts';
import { visibleBytes } from './visible-bytes.ts';

const clock = new VirtualClock();

function searchAll(channels: readonly LineChannel[], query: SearchQuery): number[] {
  const search = new LineSearch(clock, channels, query);
  finish(search);
  return [...search.sequences()];
}

function finish(search: LineSearch): void {
  for (let steps = 0; search.step(); steps++) {
    if (steps > 1_000) {
      throw new Error('The search does not end');
    }
  }
}

/** A simple model of the search: one line after the other, as text with one character per byte. */
function naive(channels: readonly LineChannel[], query: SearchQuery): number[] {
  const found: number[] = [];
  for (const channel of channels) {
    const lines = heldLines(channel);
    const stream = lines.join('');
    let start = 0;
    lines.forEach((line, index) => {
      const received = channel.identity.direction === 'received';
      const text = withoutReturns(line);
      if (matches(query, received ? overwritten(text) : text, line, received ? stream.slice(start) : line)) {
        found.push(channel.sequenceOf(channel.firstLine + index));
      }
      start += line.length;
    });
  }
  return found.sort((a, b) => a - b);
}

/** Writes each piece behind a return over the pieces before it. */
const overwritten = (line: string): string =>
  line.split('\r').reduce((shown, piece) => piece + shown.slice(piece.length), '');

/** @param text The line as it is seen. */
function matches(query: SearchQuery, text: string, line: string, fromHere: string): boolean {
  switch (query.kind) {
    case 'text': {
      const needle = latin1(utf8(query.text));
      const [where, what] = query.ignoreCase ? [text.toLowerCase(), needle.toLowerCase()] : [text, needle];
      return what !== '' && where.includes(what);
    }
    case 'hex': {
      const at = query.bytes.length === 0 ? -1 : fromHere.indexOf(latin1(query.bytes));
      return at !== -1 && at < line.length;
    }
    case 'regex':
      return new RegExp(query.source, query.ignoreCase ? 'i' : '').test(text);
  }
}

/** Few different bytes, so that matches are frequent. */
const bytes = fc
  .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x41, 0x62, 0x42), { maxLength: 80 })
  .map((values) => Uint8Array.from(values));
const events = fc.array(fc.record({ channel: fc.nat({ max: 2 }), bytes }), { maxLength: 12 });
const queries: fc.Arbitrary<SearchQuery> = fc.oneof(
  fc.record({
    kind: fc.constant('text' as const),
    text: fc.array(fc.constantFrom('a', 'A', 'b'), { maxLength: 4 }).map((letters) => letters.join('')),
    ignoreCase: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('hex' as const),
    bytes: fc.array(fc.constantFrom(0x0a, 0x61, 0x62), { maxLength: 5 }).map((values) => Uint8Array.from(values)),
  }),
  fc.record({
    kind: fc.constant('regex' as const),
    source: fc.constantFrom('ab', '^a', 'b$', 'a+b', '^$', '\\r'),
    ignoreCase: fc.boolean(),
  }),
);

function newChannels(): [LineChannel, LineChannel, LineChannel] {
  const counter = { next: 0 };
  return [receivedChannel(96, 1, counter), receivedChannel(256, 2, counter), sentChannel(96, 1, counter)];
}

function arrive([one, two, sent]: readonly LineChannel[], event: { channel: number; bytes: Uint8Array }): void {
  if (event.channel === 2) {
    sent?.appendEntry(event.bytes, 0);
  } else {
    (event.channel === 0 ? one : two)?.append(event.bytes, 0);
  }
}

describe('search', () => {
  it('finds what looking at every line finds, also where the ring wraps', () => {
    fc.assert(
      fc.property(events, queries, (arrivals, query) => {
        const channels = newChannels();
        for (const event of arrivals) {
          arrive(channels, event);
        }
        expect(searchAll(channels, query)).toEqual(naive(channels, query));
      }),
      { numRuns: 500 },
    );
  });

  it('finds what the end of the ring cuts in two, wherever that falls', () => {
    for (let length = 0; length < 96; length++) {
      const channel = receivedChannel(96);
      channel.append(utf8(`${'x'.repeat(length % 20)}\n`.repeat(1 + length / 20)), 0);
      channel.append(utf8('-needle-\n'.repeat(9)), 0);
      const search = searchAll([channel], { kind: 'text', text: 'needle', ignoreCase: false });
      expect(search).toHaveLength(9);
    }
  });

  it('goes on with what comes while it runs and after, and forgets what is dropped', () => {
    fc.assert(
      fc.property(events, events, queries, fc.array(fc.nat({ max: 2 })), (before, after, query, steps) => {
        const channels = newChannels();
        for (const event of before) {
          arrive(channels, event);
        }
        const search = new LineSearch(clock, channels, query);
        after.forEach((event, index) => {
          for (let step = 0; step < (steps[index] ?? 1); step++) {
            search.step();
          }
          arrive(channels, event);
        });
        finish(search);
        expect([...search.sequences()]).toEqual(naive(channels, query));
        expect(search.complete).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('numbers its matches over all channels', () => {
    fc.assert(
      fc.property(events, (arrivals) => {
        const channels = newChannels();
        for (const event of arrivals) {
          arrive(channels, event);
        }
        const search = new LineSearch(clock, channels, { kind: 'text', text: 'a', ignoreCase: true });
        finish(search);
        const all = [...search.sequences()];
        expect(search.count).toBe(all.length);
        expect(all.map((_, index) => search.sequenceAt(index))).toEqual(all);
        expect(all.map((sequence) => search.rank(sequence))).toEqual(all.map((_, index) => index));
        expect(search.sequenceAt(all.length)).toBeUndefined();
        expect(search.sequenceAt(-1)).toBeUndefined();
      }),
    );
  });

  it('finds the newest lines in its first step', () => {
    const channel = receivedChannel(4 * 1024 * 1024);
    channel.append(utf8('needle\n'.repeat(50_000)), 0);
    const search = new LineSearch(clock, [channel], { kind: 'text', text: 'needle', ignoreCase: false });
    expect(search.step()).toBe(true);
    expect(search.count).toBeLessThan(50_000);
    expect(search.sequenceAt(search.count - 1)).toBe(49_999);
    finish(search);
    expect(search.count).toBe(50_000);
  });

  it('finds a prompt, and loses it again when it goes on otherwise', () => {
    const channel = receivedChannel();
    channel.append(utf8('> '), 0);
    const search = new LineSearch(clock, [channel], { kind: 'regex', source: '^> $', ignoreCase: false });
    finish(search);
    expect(search.count).toBe(1);
    channel.append(utf8('help\n'), 0);
    expect(search.complete).toBe(false);
    finish(search);
    expect(search.count).toBe(0);
  });

  it('finds bytes that the line ends cut apart, as hex, but no text across two lines', () => {
    const channel = receivedChannel();
    channel.append(Uint8Array.of(0x01, 0x0a, 0x02), 0);
    const hex: SearchQuery = { kind: 'hex', bytes: Uint8Array.of(0x01, 0x0a, 0x02) };
    expect(searchAll([channel], hex)).toEqual([0]);
    const entries = sentChannel(64, 1, { next: 0 });
    entries.appendEntry(utf8('ab'), 0);
    entries.appendEntry(utf8('cd'), 0);
    expect(searchAll([entries], { kind: 'text', text: 'bc', ignoreCase: false })).toEqual([]);
    expect(searchAll([entries], { kind: 'hex', bytes: utf8('bc') })).toEqual([]);
  });

  it.each([
    ['ошибка', 'ОШИБКА сети'],
    ['ОШИБКА', 'ошибка'],
    ['élevée', 'température ÉLEVÉE'],
    ['ÉLEVÉE', 'e\u0301leve\u0301e'],
    ['e\u0301leve\u0301e', 'Élevée'],
    ['größe', 'GRÖẞE'],
    ['größe', 'Größe'],
    ['µA', '12 \u03bca'],
    ['kΩ', '10 \u212aΩ'],
    ['σοφός', 'ΣΟΦΌΣ'],
  ])('finds %s in %s, plain, coloured, sent, decoded and in an expression alike', (wanted, line) => {
    const text = { kind: 'text', text: wanted, ignoreCase: true } as const;
    const expression = {
      kind: 'regex',
      source: `${wanted.normalize('NFC')}|${wanted.normalize('NFD')}`,
      flags: 'u',
    } as const;
    const coloured = `\x1b[31m${line.slice(0, 1)}\x1b[1m${line.slice(1)}\x1b[0m`;
    for (const shown of [line, coloured, `\r\x1b[2K${line}`]) {
      const channel = receivedChannel();
      channel.append(utf8(`before\n${shown}\nafter\n`), 0);
      expect(searchAll([channel], text)).toEqual([1]);
      expect(searchAll([channel], { ...expression, ignoreCase: true })).toEqual([1]);
    }
    const sent = sentChannel(1_024, 1, { next: 0 });
    sent.appendEntry(utf8(line), 0);
    expect(searchAll([sent], text)).toEqual([0]);
    const framed = receivedChannel();
    framed.splitWith(splitterOf(framingWith('slip')));
    framed.append(Uint8Array.of(...utf8(line), 0xc0), 0);
    expect(searchAll([framed], text)).toEqual([0]);
  });

  it('tells case apart where a query does, but not composed from divided accents', () => {
    const channel = receivedChannel();
    channel.append(utf8('Ошибка\nошибка\ne\u0301\né\nÉ\n'), 0);
    expect(searchAll([channel], { kind: 'text', text: 'ошибка', ignoreCase: false })).toEqual([1]);
    expect(searchAll([channel], { kind: 'text', text: 'é', ignoreCase: false })).toEqual([2, 3]);
  });

  it('finds text in any case in whatever pieces it comes, wherever the ring ends', () => {
    const text = (most: number, least = 0) => fc.string({ unit: letters, minLength: least, maxLength: most });
    const lines = fc.array(fc.oneof(text(12), fc.constantFrom('\r\n', '\n')), { maxLength: 40 });
    fc.assert(
      fc.property(lines, text(3, 1), fc.integer({ min: 1, max: 9 }), (pieces, wanted, size) => {
        const channel = receivedChannel(256);
        const sent = utf8(pieces.join(''));
        for (let at = 0; at < sent.length; at += size) {
          channel.append(sent.subarray(at, at + size), 0);
        }
        const form = accentedForm(wanted);
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
        const expected: number[] = [];
        for (let line = channel.firstLine; line < channel.endLine; line++) {
          const bytes = channel.ring.view(channel.startOf(line), channel.textEndOf(line));
          if (form.test(decoder.decode(bytes))) {
            expected.push(channel.sequenceOf(line));
          }
        }
        expect(searchAll([channel], { kind: 'text', text: wanted, ignoreCase: true })).toEqual(expected);
      }),
      { numRuns: isLong ? 20_000 : 500 },
    );
  });

  it('marks rows of the lines that it finds, and no others', () => {
    const channel = receivedChannel();
    channel.append(utf8('line 42\nline 142\n42 only\n42 and a line\n'), 0);
    const term = (text: string) => ({ kind: 'text' as const, text, ignoreCase: true });
    const lit = (search: LineSearch) =>
      [0, 1, 2, 3].filter((sequence) => search.markerOf({ sequence, port: 1, direction: 'received' }) !== undefined);
    expect(lit(new LineSearch(clock, [channel], { terms: [term('line'), term('42')] }))).toEqual([0, 1, 3]);
    expect(lit(new LineSearch(clock, [channel], { terms: [term('42')], ports: [2] }))).toEqual([]);
    expect(lit(new LineSearch(clock, [channel], { terms: [term('42'), { ...term('only'), not: true }] }))).toEqual([
      0, 1, 3,
    ]);
  });

  it('tries an expression on the text behind the colours', () => {
    const channel = receivedChannel();
    channel.append(utf8('\x1b[0;31mE (12) wifi: lost\x1b[0m\r\n'), 0);
    channel.append(utf8('\x1b[0;31mE (13) 21 °C\x1b[0m\r\n'), 0);
    expect(searchAll([channel], { kind: 'regex', source: '^E .*lost$', ignoreCase: false })).toEqual([0]);
    expect(searchAll([channel], { kind: 'regex', source: '°C$', ignoreCase: false })).toEqual([1]);
  });

  it('tries an expression on lines that end LF CR, without a return at their start', () => {
    const channel = receivedChannel();
    channel.append(utf8('one\n\rtwo\n'), 0);
    channel.append(utf8('\rthree\n\r'), 0);
    for (const [word, line] of [
      ['one', 0],
      ['two', 1],
      ['three', 2],
    ] as const) {
      expect(searchAll([channel], { kind: 'regex', source: `^${word}$`, ignoreCase: false })).toEqual([line]);
    }
  });

  it('finds the return of an LF CR in its line, also when it comes later', () => {
    const channel = receivedChannel();
    const search = new LineSearch(clock, [channel], { kind: 'hex', bytes: Uint8Array.of(0x0d) });
    channel.append(utf8('one\n'), 0);
    finish(search);
    channel.append(utf8('\rtwo'), 0);
    finish(search);
    expect([...search.sequences()]).toEqual([0]);
  });

  it.each([
    ['the docs now', 'see \x1b]8;;https://example.com\x1b\\the docs\x1b]8;;\x1b\\ now'],
    ['temp: 21.5', 'temp: \x1b[1;33m21.5\x1b[0m C'],
    ['hello', 'helo\x08 \x08lo'],
    ['ready', '\x1b[2K\x1b[1Grea\x07dy\x1b[K'],
    ['PASS', '\0PA\0SS\0\r'],
    ['[00:00:01', 'uart:~$ \x1b[8D\x1b[J[00:00:01.250,000] <inf> app: up'],
  ])('finds %j as it is seen, whatever controls are in it', (seen, received) => {
    const channel = receivedChannel();
    channel.append(utf8(`before\n${received}\nafter\n`), 0);
    const source = seen.replaceAll(/[[.]/g, String.raw`\$&`);
    expect(searchAll([channel], { kind: 'text', text: seen, ignoreCase: false })).toEqual([1]);
    expect(searchAll([channel], { kind: 'text', text: seen.toUpperCase(), ignoreCase: true })).toEqual([1]);
    expect(searchAll([channel], { kind: 'regex', source, ignoreCase: false })).toEqual([1]);
    expect(searchAll([channel], { kind: 'hex', bytes: utf8(received) })).toEqual([1]);
  });

  it.each(['example', '[1;33m', '0;31', ']8;;', '\x1b', '\x1b[0m'])(
    'does not find %j in what no screen shows',
    (hidden) => {
      const channel = receivedChannel();
      channel.append(
        utf8('\x1b[0;31mE (1) a: b\x1b[0m\na\x1b[1;33mb\x1b]8;;https://example.com\x07c\n\x1b]0;example\nb\x07c\n'),
        0,
      );
      expect(searchAll([channel], { kind: 'text', text: hidden, ignoreCase: false })).toEqual([]);
    },
  );

  it.each(['0', 'm', ';3', '[', 'low'])('finds %j outside of colours, wherever these divide a line', (text) => {
    const lines = [
      '\x1b[0;31mred\x1b[0m',
      '\x1b[1mx0 m;3 [ low\x1b[0m',
      'lo\x1b[32m\x1b[1mw',
      '0\x1b[33m;\x1b[0m3[',
      'm',
    ];
    const channel = receivedChannel();
    channel.append(utf8(lines.map((line) => `${line}\r\n`).join('')), 0);
    const colour = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
    const expected = lines.flatMap((line, index) => (line.replaceAll(colour, '').includes(text) ? [index] : []));
    expect(searchAll([channel], { kind: 'text', text, ignoreCase: false })).toEqual(expected);
  });

  it('finds what is visible of each line, whatever controls divide, overwrite or hide', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        '1',
        'm',
        '[',
        'K',
        '\r',
        '\n',
        '\n',
        '\r\n',
        '\0',
        '\x07',
        '\x08',
        '\x1b',
        '\x1b[',
        '\x1b[1m',
        '\x1b[0;31m',
        '\x1b[m',
        '\x1b[K',
      ],
      ...[
        '\x1b[2K',
        '\r\x1b[2K',
        '\x1b[1K',
        '\x1b[2J',
        '\x1b[1C',
        '\x1b[1D',
        '\x1b[2G',
        '\x1b[?25l',
        '\x1b]0;a\x07',
        '\x1b]0;b',
        '\x1b\\',
        '\x1b7',
      ],
    );
    const arrivals = fc.array(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      { maxLength: 6 },
    );
    const wanted = fc.array(fc.constantFrom('a', 'b', '1', 'm', '[', 'A', '\x1b'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        arrivals,
        wanted,
        fc.boolean(),
        fc.integer({ min: 60, max: 200 }),
        (texts, letters, ignoreCase, ring) => {
          const channel = receivedChannel(ring);
          for (const text of texts) {
            channel.append(utf8(text), 0);
          }
          const text = letters.join('');
          const seen = (line: number) => {
            const { source, textStart, textEnd } = bytesOfLine(channel, line);
            const visible = latin1(visibleBytes(source.view(textStart, textEnd)));
            return ignoreCase ? visible.toLowerCase().includes(text.toLowerCase()) : visible.includes(text);
          };
          const lines = Array.from({ length: channel.lines }, (_, index) => channel.firstLine + index);
          const expected = lines.filter(seen).map((line) => channel.sequenceOf(line));
          expect(searchAll([channel], { kind: 'text', text, ignoreCase })).toEqual(expected);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('finds text in a line that blanks of a moved cursor make longer than its bytes', () => {
    const channel = receivedChannel(1 << 20);
    channel.append(utf8(`${'\x1b[4000Cfar\n'.repeat(40)}\x1b[1mne\x1b[0mar\n`), 0);
    expect(searchAll([channel], { kind: 'text', text: 'far', ignoreCase: false })).toHaveLength(40);
    expect(searchAll([channel], { kind: 'text', text: 'near', ignoreCase: false })).toEqual([40]);
  });

  it('does not find text in a control string that goes on in the next line', () => {
    const channel = receivedChannel();
    channel.append(utf8('a\x1b]0;long\ntitle\x07after it\n\x1b]0;cut short\nmore text\n'), 0);
    const found = (text: string) => searchAll([channel], { kind: 'text', text, ignoreCase: false });
    expect([found('title'), found('after it'), found('more text')]).toEqual([[], [1], [3]]);
  });

  it('tries an expression on the beginning of a line of megabytes, and on the lines around it', () => {
    const channel = receivedChannel(64 * 1024 * 1024);
    channel.append(utf8('before\n'), 0);
    channel.append(utf8(`start${'x'.repeat(3_000_000)} end\nafter\n`), 0);
    const regex = (source: string): SearchQuery => ({ kind: 'regex', source, ignoreCase: false });
    expect(searchAll([channel], regex('^start'))).toEqual([1]);
    expect(searchAll([channel], regex('end$'))).toEqual([]);
    expect(searchAll([channel], regex('^(before|after)$'))).toEqual([0, 2]);
    expect(searchAll([channel], { kind: 'text', text: ' end', ignoreCase: false })).toEqual([1]);
  });

  it('finds nothing for an empty query, and says that it is done', () => {
    const channel = receivedChannel();
    channel.append(utf8('a\n'), 0);
    expect(searchAll([channel], { kind: 'text', text: '', ignoreCase: false })).toEqual([]);
    expect(new LineSearch(clock, [channel], { kind: 'hex', bytes: new Uint8Array() }).complete).toBe(true);
  });

  it('refuses an expression that is not valid, with the reason', () => {
    expect(() => new LineSearch(clock, [], { kind: 'regex', source: '(', ignoreCase: false })).toThrow(
      SearchQueryError,
    );
  });

  it('gives others their turn whenever it has worked for a while', async () => {
    const ticking = new VirtualClock();
    const channel = receivedChannel(4 * 1024 * 1024);
    channel.append(utf8('line\n'.repeat(100_000)), 0);
    const search = new LineSearch(
      { ...methodsOf(ticking), now: () => ticking.now() + search.count / 1_000 },
      [channel],
      { kind: 'text', text: 'line', ignoreCase: false },
    );
    let pauses = 0;
    await search.run(async () => {
      pauses++;
    });
    expect(search.count).toBe(100_000);
    expect(pauses).toBeGreaterThan(5);
  });

  it('takes smaller slices while a line takes long, and larger ones again', () => {
    const channel = receivedChannel(4 * 1024 * 1024);
    channel.append(utf8('line\n'.repeat(100_000)), 0);
    let now = 0;
    let took = 0;
    const slow = { ...methodsOf(new VirtualClock()), now: () => (now += took) };
    const search = new LineSearch(slow, [channel], { kind: 'text', text: 'line', ignoreCase: false });
    const found = () => {
      const before = search.count;
      search.step();
      return search.count - before;
    };
    expect([found(), found(), found()]).toEqual([64, 128, 256]);
    took = 10;
    expect([found(), found(), found(), found(), found()]).toEqual([512, 256, 128, 64, 64]);
    took = 5;
    expect([found(), found()]).toEqual([64, 64]);
    took = 0;
    expect([found(), found()]).toEqual([64, 128]);
  });

  it('takes no more long lines in a slice than few bytes, and one at least', () => {
    const channel = receivedChannel(16 * 1024 * 1024);
    channel.append(utf8(`${'x'.repeat(20_000)}\n`.repeat(200)), 0);
    const search = new LineSearch(clock, [channel], { kind: 'text', text: 'x', ignoreCase: false });
    search.step();
    expect(search.count).toBe(1);
    finish(search);
    expect(search.count).toBe(200);
    channel.append(utf8(`${'x'.repeat(100_000)}\n`.repeat(40)), 0);
    search.catchUp();
    expect(search.count).toBeLessThan(220);
    finish(search);
    expect(search.count).toBe(240);
  });

  it('stops when it is cancelled', async () => {
    const channel = receivedChannel(4 * 1024 * 1024);
    channel.append(utf8('line\n'.repeat(100_000)), 0);
    const abort = new AbortController();
    let now = 0;
    const search = new LineSearch({ ...methodsOf(new VirtualClock()), now: () => (now += 100) }, [channel], {
      kind: 'text',
      text: 'line',
      ignoreCase: false,
    });
    const running = search.run(async () => abort.abort(new Error('another search')), abort.signal);
    await expect(running).rejects.toThrow('another search');
    expect(search.complete).toBe(false);
  });
});

function methodsOf(virtual: VirtualClock) {
  return {
    wallTime: () => virtual.wallTime(),
    schedule: (delay: number, callback: () => void) => virtual.schedule(delay, callback),
    sleep: (delay: number, signal?: AbortSignal) => virtual.sleep(delay, signal),
  };
}

import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilterField } from '../filter-field.ts';
import { framingWith, splitterOf } from '../framing/framings.ts';
import type { LineChannel } from '../line-channel.ts';
import { LineSearch } from '../search.ts';
import { receivedChannel, sentChannel, utf8 } from '../testing/line-channels.ts';
import { JointMatcher } from './joint-matcher.ts';

const queryOf = (text: string, matchCase = false) => {
  const field = parseFilterField(text, { matchCase });
  return field.ok ? field.query : expect.unreachable(field.message);
};

const finds = [
  'error',
  'not:error',
  '"a b"',
  'level:error',
  'level:error,warning wifi',
  '/err(or)?/',
  '/^error/',
  '/^E .*fail|panic/i',
  '/[0-9]+/',
  '/\\bwifi\\b/ not:ok',
  'hex:61',
  'hex:0A45',
  'wifi error',
  'wifi and:error',
  '/\\u{65}rror/u',
  'port:1',
  'port:2',
  'level:error /[0-9]+/',
  '31m',
  '/o\\x1b/',
  '/ü|é/',
  'Ü',
  'größe',
  'ошибка сети',
  '"ks"',
  'é not:É7',
  '/größe|ошибка/i',
  '/$/',
];

function searched(channel: LineChannel, text: string): number[] {
  const search = new LineSearch(new VirtualClock(), [channel], queryOf(text));
  while (search.step());
  return [...search.sequences()];
}

function joint(channel: LineChannel): number[][] {
  const found = new JointMatcher(finds.map((text) => queryOf(text))).find(channel, channel.firstLine, channel.endLine);
  return found.map((lines) => lines.map((line) => channel.sequenceOf(line)));
}

const piece = fc.constantFrom(
  'error',
  'Error',
  'err',
  'E (12) wifi: fail',
  '[W][a.c:1] f(): wifi',
  'panic',
  ' ok ',
  'a b',
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[2K',
  '\r',
  '\b',
  'ü',
  'Ü',
  'GRÖẞE',
  'Größe',
  'ОШИБКА ',
  'Сети',
  '\u212a',
  'ſ',
  'e\u0301',
  '\u0301',
  'É',
  '\xff',
  '7',
  '\n',
  '\r\n',
);
/** Pieces of a log that a terminal prints as it is. */
const plainPiece = fc.constantFrom('error', 'E (12) wifi: fail', 'GRÖẞE', 'ks', '7', ' ok ', '\n', '\r\n');
const log = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('a joint matcher', () => {
  it.each([
    ['received', () => receivedChannel(1 << 16)],
    ['sent', () => sentChannel(1 << 16, 1, { next: 0 })],
  ])('finds in %s lines what a search for each query finds', (_, make) => {
    fc.assert(
      fc.property(log, (text) => {
        const channel = make();
        channel.append(utf8(text), 0);
        expect(joint(channel)).toEqual(finds.map((find) => searched(channel, find)));
      }),
      { numRuns: 60 },
    );
  });

  it('finds the same when the ring has wrapped and dropped lines', () => {
    fc.assert(
      fc.property(fc.array(log, { maxLength: 12 }), (texts) => {
        const channel = receivedChannel(256);
        for (const text of texts) {
          channel.append(utf8(text), 0);
        }
        expect(joint(channel)).toEqual(finds.map((find) => searched(channel, find)));
      }),
      { numRuns: 40 },
    );
  });

  it('finds in a slice of lines what a search of all lines finds there', () => {
    const plainLog = fc.array(plainPiece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    const joints = new JointMatcher(finds.map((text) => queryOf(text)));
    fc.assert(
      fc.property(fc.oneof(log, plainLog), fc.nat(8), fc.nat(4), (text, skipped, length) => {
        const channel = receivedChannel(1 << 12);
        channel.append(utf8(text), 0);
        const from = Math.min(skipped, channel.endLine);
        const to = Math.min(from + length, channel.endLine);
        const isInSlice = (line: number) => line >= from && line < to;
        expect(joints.find(channel, from, to)).toEqual(finds.map((find) => searched(channel, find).filter(isInSlice)));
      }),
      {
        numRuns: 100,
        examples: [
          ['7\nks\nerror\n', 1, 1],
          ['7\nks\nerror\n', 1, 2],
          ['\x1b[31mx\n', 0, 1],
        ],
      },
    );
  });

  it('reads sent lines as they were sent, with their colours', () => {
    const channel = sentChannel(1 << 12, 1, { next: 0 });
    channel.append(utf8('err\x1b[31mor\nerror\n'), 0);
    expect(new JointMatcher([queryOf('error')]).find(channel, 0, 2)).toEqual([[1]]);
  });

  it('finds the lines of one expression alone', () => {
    const channel = receivedChannel();
    channel.append(utf8('7\na\n'), 0);
    expect(new JointMatcher([queryOf('/[0-9]/')]).find(channel, 0, 2)).toEqual([[0]]);
  });

  it('concerns no channel if its terms match no line', () => {
    const empty = { kind: 'text', text: '', ignoreCase: true } as const;
    expect(new JointMatcher([{ terms: [empty] }]).concerns(receivedChannel())).toBe(false);
  });

  it('tells the case of letters apart where a query does', () => {
    const channel = receivedChannel();
    channel.append(utf8('Error\nerror\nERROR error\n'), 0);
    const both = new JointMatcher([queryOf('error', true), queryOf('Error', true), queryOf('error')]);
    expect(both.find(channel, 0, 3)).toEqual([[1, 2], [0], [0, 1, 2]]);
  });

  it('searches for each query alone where their texts are too many for one pass', () => {
    const channel = receivedChannel();
    channel.append(utf8(`${'A'.repeat(200)}\nb\n`), 0);
    const many = Array.from({ length: 50 }, (_, index) => queryOf('a'.repeat(200 - index)));
    expect(new JointMatcher([...many, queryOf('B')]).find(channel, 0, 2)).toEqual([...many.map(() => [0]), [1]]);
  });

  it('reads frames by their decoded content', () => {
    const channel = receivedChannel();
    channel.splitWith(splitterOf(framingWith('slip')));
    // 0xC0 ends a frame. 0xDB 0xDC stands for 0xC0 in it.
    channel.append(Uint8Array.of(0x61, 0xdb, 0xdc, 0x62, 0xc0, 0x62, 0x63, 0xc0), 0);
    const matcher = new JointMatcher([queryOf('bb'), queryOf('bc'), queryOf('hex:61C062')]);
    expect(matcher.find(channel, 0, channel.endLine)).toEqual([[], [1], [0]]);
    // U+06C0 is 0xDB 0x80 in UTF-8, and 0xDB is sent as 0xDB 0xDD.
    channel.append(Uint8Array.of(0xdb, 0xdd, 0x80, 0xc0), 0);
    expect(new JointMatcher([queryOf('\u06c0')]).find(channel, 0, channel.endLine)).toEqual([[2]]);
  });

  it('concerns the channels of its queries alone', () => {
    const received = receivedChannel();
    const matcher = new JointMatcher([queryOf('port:2 error'), queryOf('dir:tx error')]);
    expect(matcher.concerns(received)).toBe(false);
    expect(matcher.concerns(receivedChannel(1_024, 2))).toBe(true);
    expect(matcher.concerns(sentChannel(1_024, 1, { next: 0 }))).toBe(true);
    expect(matcher.find(received, 0, 0)).toEqual([[], []]);
  });

  it.each([
    [[], 0],
    [['error', '/a$/', 'port:2', 'hex:61'], 0],
    [['error', 'hex:0A45 not:hex:0A454647'], 3],
  ])('says how many bytes behind a line %j need: %i', (texts, lookahead) => {
    expect(new JointMatcher(texts.map((text) => queryOf(text))).lookahead).toBe(lookahead);
  });
});

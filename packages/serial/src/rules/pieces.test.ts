/**
 * The same 10,000 lines, received in pieces of several sizes: the rules find the lines that a plain comparison with
 * each line finds, whichever pieces and slices the lines are in.
 */
import { VirtualClock } from '@wirebench/clock';
import { random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { receivedChannel, utf8 } from '../testing/line-channels.ts';
import { noActions } from './rule.ts';
import { RuleWatch } from './rule-watch.ts';

const LINES = 10_000;

/** @param others The lines behind it. */
type Matches = (line: string, ...others: readonly (string | undefined)[]) => boolean;

/** Conditions as the find field takes them, and the plain comparison. */
const conditions: readonly (readonly [find: string, matches: Matches])[] = [
  ['error', (line) => /error/i.test(line)],
  ['"heap: 1"', (line) => line.includes('heap: 1')],
  ['ошибка', (line) => line.toLowerCase().includes('ошибка')],
  ['not:wifi', (line) => !line.includes('wifi')],
  ['/^E /', (line) => line.startsWith('E ')],
  ['/heap|failed/', (line) => /heap|failed/.test(line)],
  ['/[0-9]{4}$/', (line) => /[0-9]{4}$/.test(line)],
  ['/^$/', (line) => line === ''],
  ['/^.{40,}/', (line) => line.length >= 40],
  ['/9$/', (line) => line.endsWith('9')],
  ['hex:0A 45', (_, next) => next?.startsWith('E') ?? false],
  ['hex:39 0A 0A', (line, next) => line.endsWith('9') && next === ''],
  ['hex:0A 0A 45', (_, next, third) => next === '' && (third?.startsWith('E') ?? false)],
];

/** Returns lines with an end each. */
function lines(): readonly string[] {
  const { below } = random('lines');
  const texts = [
    () => `wifi: retry ${below(9)} of ${below(9)}`,
    () => `heap: ${below(20_000)}`,
    () => `wifi: connection failed, reason ${below(300)}`,
    () => 'Error',
    () => `Ошибка ${below(100)}`,
    () => 'a'.repeat(below(60)),
    () => '',
  ];
  return Array.from({ length: LINES }, () => {
    const text = (texts[below(texts.length)] as () => string)();
    return below(2) === 0 ? text : `${'EW'[below(2)]} (${below(9_999)}) ${text}`;
  });
}

/** Cuts the bytes of the log into pieces. */
type Cut = (bytes: Uint8Array) => readonly Uint8Array[];

function inPieces(nextSize: () => number): Cut {
  return (bytes) => {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + nextSize());
      pieces.push(piece);
      at += piece.length;
    }
    return pieces;
  };
}

/** Returns the first `count` pieces of a cut as one, and the others as they are. */
const together = (pieces: readonly Uint8Array[], count: number): readonly Uint8Array[] => [
  Buffer.concat(pieces.slice(0, count)),
  ...pieces.slice(count),
];

describe('lines in pieces', () => {
  it.each<readonly [name: string, cut: () => Cut, pieceWithRules: number]>([
    ['pieces of a few bytes and of thousands', () => ofSizes(1, 2, 3, 7, 31, 257, 4_099), 0],
    ['pieces of about a line', () => ofSizes(19, 20, 21, 22, 23), 0],
    ['one piece', () => inPieces(() => 1 << 24), 0],
    ['one piece, half of it before the rules', () => (bytes) => together(inPieces(() => 1 << 14)(bytes), 8), 1],
    ['pieces, some of them before the rules', () => ofSizes(1, 5, 333, 2_048, 20_001), 7],
  ])('are counted as by a plain comparison: %s', async (_, cut, pieceWithRules) => {
    const clock = new VirtualClock();
    const channel = receivedChannel(32 << 20);
    const hits = new Map<string, number[]>();
    const watch = new RuleWatch({
      clock,
      channels: [channel],
      isOpen: () => false,
      onHit: ({ id, line }) => hits.set(id, [...(hits.get(id) ?? []), line?.sequence ?? -1]),
      onChange: () => undefined,
    });
    const begin = () =>
      watch.set(
        conditions.map(([find]) => ({
          ...noActions,
          id: find,
          ports: null,
          condition: { kind: 'line' as const, find, matchCase: find.includes('heap') },
        })),
      );
    const log = lines();
    let firstSeen = 0;
    for (const [index, piece] of cut()(utf8(`${log.join('\n')}\n`)).entries()) {
      if (index === pieceWithRules) {
        firstSeen = channel.lines > 0 && channel.isOpen(channel.endLine - 1) ? channel.endLine - 1 : channel.endLine;
        begin();
      }
      channel.append(piece, clock.now());
      watch.changed();
      await clock.advance(20);
    }
    expect(channel.lines).toBe(LINES);
    const expected = conditions.map(([find, matches]) => {
      const found = log.flatMap((line, index) => (matches(line, log[index + 1], log[index + 2]) ? [index] : []));
      return { find, count: found.length, hits: found.filter((line) => line >= firstSeen) };
    });
    const counted = conditions.map(([find]) => ({ find, count: watch.counts.get(find), hits: hits.get(find) ?? [] }));
    expect(counted).toEqual(expected);
    expect(expected.filter(({ count }) => count === 0)).toEqual([]);
  });
});

function ofSizes(...sizes: readonly number[]): Cut {
  const { below } = random('pieces');
  return inPieces(() => sizes[below(sizes.length)] as number);
}

import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { bytesOf, chunksOf, goldenCases } from '../testing/golden-cases.ts';
import { type FramingGuess, guessFramings } from './guess-framings.ts';
import type { TrialChunk } from './try-decoder.ts';

/** Chunks of several golden cases behind each other, 100 ms apart, all received. */
function goldenChunks(name: string, isMeant: (kind: string) => boolean): TrialChunk[] {
  let start = 0;
  return goldenCases(name)
    .filter(({ kind }) => isMeant(kind))
    .flatMap((golden) => {
      const chunks = chunksOf(golden).map(({ at, bytes }) => ({
        at: start + at,
        direction: 'received' as const,
        bytes,
      }));
      start = (chunks.at(-1)?.at ?? start) + 100;
      return chunks;
    });
}

/** Frames without pauses, cut into chunks that say nothing about them. */
function stream(frames: readonly (readonly number[])[], size = 50): TrialChunk[] {
  const all = Uint8Array.from(frames.flat());
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => ({
    at: index,
    direction: 'received',
    bytes: all.subarray(index * size, (index + 1) * size),
  }));
}

const of = (guesses: readonly FramingGuess[], choice: FramingGuess['choice']) =>
  guesses.find((guess) => guess.choice === choice);

describe('guesses of framings', () => {
  it('find COBS by codes that lead to its zeros', () => {
    const chunks = goldenChunks('cobs', (kind) => kind === 'struct');
    const [first] = guessFramings(chunks);
    expect(first).toMatchObject({ choice: 'cobs', framing: { kind: 'cobs' }, isLikely: true });
    expect(first?.counts).toMatchObject({ frames: 24, broken: 0, leftOvers: 0 });
  });

  it('find SLIP', () => {
    const source = random(1);
    const frames = Array.from({ length: 60 }, (_, index) => {
      const content = [0x10, index, ...Array.from({ length: 9 }, () => source.below(256))];
      return [
        ...content.flatMap((byte) => (byte === 0xc0 ? [0xdb, 0xdc] : byte === 0xdb ? [0xdb, 0xdd] : [byte])),
        0xc0,
      ];
    });
    const [first] = guessFramings(stream(frames));
    expect(first).toMatchObject({ choice: 'slip', isLikely: true, counts: { frames: 60, leftOvers: 0 } });
  });

  it('find the start and the length field of UBX, with its checksum', () => {
    const chunks = goldenChunks('ubx', (kind) => /pvt|rate|status|dop|sat|several/.test(kind));
    const guesses = guessFramings(chunks);
    expect(guesses[0]).toMatchObject({
      choice: 'length',
      framing: { kind: 'length', start: ['B5 62'], length: { at: 4, type: 'u16', order: 'little', add: 8 } },
      isLikely: true,
      checksum: { checksum: { kind: 'fletcher8', from: 2 } },
    });
  });

  it('prefer a length field to three frames in a row that are always as long', () => {
    const frames = Array.from({ length: 30 }, (_, index) => {
      const rest = [index, (7 * index) & 0xff, 3, ...Array.from({ length: index % 3 }, () => 9)];
      const content = [0xa5, rest.length, ...rest];
      return [...content, content.reduce((all, byte) => (all + byte) & 0xff, 0)];
    });
    const [first] = guessFramings(stream(frames));
    expect(first).toMatchObject({
      choice: 'length',
      framing: { start: ['A5'], length: { at: 1, type: 'u8', add: 3 } },
      counts: { frames: 30, leftOvers: 0 },
    });
  });

  it('find frames of a fixed length by the bytes that each begins with', () => {
    const source = random(2);
    const frames = Array.from({ length: 100 }, (_, index) => {
      const content = [0xa5, 0x17, index, ...Array.from({ length: 8 }, () => source.below(256))];
      return [...content, content.reduce((all, byte) => (all + byte) & 0xff, 0)];
    });
    const guesses = guessFramings(stream(frames));
    expect(of(guesses, 'fixed')).toMatchObject({
      framing: { kind: 'length', start: ['A5 17'], length: 12 },
      counts: { frames: 100, leftOvers: 0, shortest: 12, longest: 12 },
      checksum: { checksum: { kind: 'sum8' } },
      isLikely: true,
    });
    expect(guesses[0]?.choice).toBe('fixed');
  });

  it('find start and end bytes', () => {
    const source = random(3);
    const frames = Array.from({ length: 80 }, () => [
      0x02,
      0x41,
      ...Array.from({ length: 3 + source.below(20) }, () => 0x20 + source.below(64)),
      0x03,
    ]);
    const guesses = guessFramings(stream(frames));
    expect(guesses[0]).toMatchObject({
      choice: 'until',
      framing: { kind: 'until', start: ['02'], end: ['03'] },
      counts: { frames: 80, leftOvers: 0 },
      isLikely: true,
    });
  });

  it('find lines of text', () => {
    const lines = Array.from({ length: 50 }, (_, index) => [
      ...new TextEncoder().encode(`t=${index},${index * 3}\r\n`),
    ]);
    const [first] = guessFramings(stream(lines));
    expect(first).toMatchObject({ choice: 'lines', isLikely: true, counts: { frames: 50 } });
  });

  it('find the silence between frames that come in pieces', () => {
    const source = random(4);
    const chunks: TrialChunk[] = [];
    for (let index = 0; index < 60; index++) {
      const bytes = Uint8Array.from([0x31, ...Array.from({ length: 4 + source.below(20) }, () => source.below(256))]);
      const at = index * 200;
      chunks.push({ at, direction: 'received', bytes: bytes.subarray(0, 3) });
      chunks.push({ at: at + 4, direction: 'received', bytes: bytes.subarray(3) });
    }
    const gap = of(guessFramings(chunks), 'gap');
    expect(gap?.counts.frames).toBe(60);
    expect(gap?.framing).toMatchObject({ kind: 'gap' });
    expect(gap?.isLikely).toBe(true);
  });

  it('call no framing of random bytes likely', () => {
    const likely: unknown[] = [];
    for (let round = 0; round < (isLong ? 100 : 4); round++) {
      const source = random(round);
      const bytes = Array.from({ length: 3_000 }, () => source.below(256));
      likely.push(...guessFramings(stream([bytes], 61)).filter(({ isLikely }) => isLikely));
    }
    expect(likely).toEqual([]);
  });

  it('give nothing without bytes', () => {
    expect(guessFramings([])).toEqual([]);
    expect(guessFramings([{ at: 0, direction: 'sent', bytes: bytesOf('01 02 00') }])).toEqual([]);
  });

  it.each(['zeros', 'starts', 'random'])('look at no more than their bounds of 1 MB of %s', (what) => {
    const source = random(what);
    const byte = () =>
      what === 'zeros' ? 0 : what === 'starts' ? (source.below(2) === 0 ? 0xb5 : 0x62) : source.below(256);
    const bytes = Uint8Array.from({ length: isLong ? 1_048_576 : 300_000 }, byte);
    for (const { counts } of guessFramings([{ at: 0, direction: 'received', bytes }])) {
      expect(counts.bytes).toBe(262_144);
    }
  });
});

/**
 * Guesses how a stream is cut into frames: for each kind of framing the parameters that fit best, and what they give.
 *
 * Bounds: parameters are looked for in the newest 16 KiB, counts are those of `tryDecoder`. A guess tries at most
 * `MAX_TRIED` framings.
 */

import { completeDecoder } from '@wirebench/contract/decoder-library';
import type { DecoderContent, DecoderDraft } from '@wirebench/contract/decoders';
import { type ChecksumFinding, findChecksums } from './find-checksums.ts';
import { joined, newest, type Trial, type TrialChunk, type TrialCounts, tryDecoder } from './try-decoder.ts';

export type FramingDraft = DecoderDraft['framing'];

/** Framings that a person chooses between. `end` and `length` are two uses of the framings `until` and `length`. */
export const framingChoices = ['cobs', 'slip', 'lines', 'until', 'fixed', 'length', 'gap'] as const;
export type FramingChoice = (typeof framingChoices)[number];

export interface FramingGuess {
  readonly choice: FramingChoice;
  readonly framing: FramingDraft;
  readonly counts: TrialCounts;
  /** The simplest checksum that agrees with most of the frames; null: none was found. */
  readonly checksum: ChecksumFinding | null;
  /** True: most bytes are in frames that are alike, or whose checksum agrees. */
  readonly isLikely: boolean;
}

const MAX_SAMPLE = 1 << 14;
/** Framings of one kind that are tried on all bytes. */
const MAX_TRIED = 6;
/** Frames in which a checksum is looked for. */
const MAX_CHECKED = 64;
const LEAST_FRAMES = 4;
const LIKELY_SHARE = 0.8;
/** Share of frames that are as long as most, or begin like most. */
const ALIKE_SHARE = 0.8;
/** Left-overs for each frame. */
const MAX_LEFT_SHARE = 0.25;
/** Frames without escapes that fit by their form alone, and their mean length. */
const LEAST_FORMED = 8;
const LEAST_FORMED_LENGTH = 4;
/** First bytes that a usual checksum leaves out. */
const MAX_MARKED = 4;
/** Longest frame of a fixed length, and offsets of a length field. */
const MAX_FIXED = 256;
const MAX_LENGTH_AT = 8;
/** Bytes around the ones that a length field counts. */
const MAX_ADDED = 64;
/** Frames of which the start is known, at most. */
const MAX_STARTS = 1_500;

/** Bytes that often begin a frame, as hex digits. */
const usualStarts = ['AA 55', '55 AA', 'A5 5A', 'EB 90', 'B5 62', 'FF FF', 'AA', '55', 'A5', '5A', '7E', '02', '68'];
/** Bytes that often begin and end a frame. */
const usualEnds: readonly (readonly [start: string | null, end: string])[] = [
  ['02', '03'],
  ['7E', '7E'],
  [null, '0D 0A'],
  [null, '0D'],
  [null, '03'],
  [null, '7E'],
];

const hex = (bytes: Iterable<number>) =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');

/** Returns a decoder that only cuts. */
function cuttingDecoder(framing: FramingDraft, checksum?: DecoderDraft['checksum']): DecoderContent {
  const longest = 65_543;
  return completeDecoder({
    name: 'frame',
    title: 'Frame',
    framing,
    when: { shortest: 1, longest },
    ...(checksum !== undefined && { checksum }),
  });
}

/** Returns the bytes that mark the end of each frame, behind its checksum. */
export function tailOf(framing: FramingDraft): number {
  const ends = framing.kind === 'until' || framing.kind === 'length' ? framing.end : undefined;
  return ends === undefined ? 0 : (ends[0] ?? '').replaceAll(' ', '').length / 2;
}

/**
 * Guesses framings of received bytes.
 *
 * @param chunks In order of time. Sent bytes are left out: they have the same framing as a rule.
 * @returns The best of each kind that gives frames, the likeliest first.
 */
export function guessFramings(chunks: readonly TrialChunk[]): FramingGuess[] {
  const received = newest(chunks, 'received');
  const all = joined(received);
  const sample = all.subarray(Math.max(0, all.length - MAX_SAMPLE));
  const guesses = framingChoices.flatMap((choice) => {
    const tried = candidates(choice, sample, received)
      .slice(0, MAX_TRIED)
      .map((framing) => weigh(choice, framing, received));
    return (
      tried.filter(({ guess }) => guess.counts.frames > 0).sort((one, other) => other.weight - one.weight)[0] ?? []
    );
  });
  return guesses.sort((one, other) => other.weight - one.weight).map(({ guess }) => guess);
}

/** Counts what a framing gives, and looks for a checksum in its frames. */
export function countFraming(
  choice: FramingChoice,
  framing: FramingDraft,
  chunks: readonly TrialChunk[],
): FramingGuess {
  return weigh(choice, framing, newest(chunks, 'received')).guess;
}

function weigh(choice: FramingChoice, framing: FramingDraft, chunks: readonly TrialChunk[]) {
  const trial = tryDecoder(cuttingDecoder(framing), chunks);
  const { counts } = trial;
  const contents = trial.frames.map(({ content }) => content);
  const checksum =
    counts.frames < LEAST_FRAMES || choice === 'lines'
      ? null
      : (findChecksums(contents.slice(-MAX_CHECKED), null, tailOf(framing)).findings[0] ?? null);
  const isChecked = checksum !== null && checksum.agreed >= ALIKE_SHARE * checksum.of;
  const share = counts.bytes === 0 ? 0 : counts.framedBytes / counts.bytes;
  const alike = choice === 'lines' ? printableShare(trial) : alikeShare(contents, framing);
  const isEnough =
    counts.frames >= LEAST_FRAMES && share >= LIKELY_SHARE && counts.leftOvers <= MAX_LEFT_SHARE * counts.frames;
  const isLikely = isEnough && (isChecked || alike >= ALIKE_SHARE);
  const weight = (isLikely ? 1 : 0) + (isChecked ? checksumWeight(checksum) : 0) + share * (0.2 + 0.8 * alike);
  return { guess: { choice, framing, counts, checksum, isLikely }, weight };
}

/** Frames of several in a row end with the checksum of the last one alone, which leaves out many bytes. */
const checksumWeight = ({ checksum: { from, to } }: ChecksumFinding) =>
  2 - (from > MAX_MARKED ? 1 : 0) - (to === undefined ? 0 : 0.1);

/** Share of frames that have the commonest length, or the commonest first byte behind a start that all have. */
function alikeShare(contents: readonly Uint8Array[], framing: FramingDraft): number {
  if (contents.length === 0) {
    return 0;
  }
  const total = contents.reduce((sum, { length }) => sum + length, 0);
  if (framing.kind === 'cobs' && contents.length >= LEAST_FORMED && total >= LEAST_FORMED_LENGTH * contents.length) {
    // Each code leads to the next one and the last to the 0: bytes without escapes do not.
    return 1;
  }
  const starts = framing.kind === 'until' || framing.kind === 'length' ? framing.start : undefined;
  const hasLength = framing.kind === 'length' && typeof framing.length === 'object';
  const isFixed = framing.kind === 'length' && !hasLength;
  const head = starts === undefined ? 0 : (starts[0] ?? '').replaceAll(' ', '').length / 2;
  const lengths = commonest(contents.map(({ length }) => length));
  const firsts = commonest(contents.map((content) => content[head] ?? -1));
  // Chunks of one length may be those of an adapter. A start and a length that lead from frame to frame do not come by chance.
  const isChained = starts !== undefined && (isFixed || hasLength);
  return isChained ? 1 : Math.max(isFixed || framing.kind === 'gap' ? 0 : lengths, firsts);
}

function commonest(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values()) / values.length;
}

/** Share of frames that are printable text. */
function printableShare({ frames }: Trial): number {
  const isText = (content: Uint8Array) =>
    content.every((byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 0x09 || byte === 0x1b);
  return frames.length === 0 ? 0 : frames.filter(({ content }) => isText(content)).length / frames.length;
}

function candidates(choice: FramingChoice, sample: Uint8Array, chunks: readonly TrialChunk[]): readonly FramingDraft[] {
  switch (choice) {
    case 'cobs':
    case 'slip':
      return [{ kind: choice }];
    case 'lines':
      return [{ kind: 'lines' }];
    case 'until':
      return untilCandidates(sample, chunks);
    case 'fixed':
      return fixedCandidates(sample);
    case 'length':
      return lengthCandidates(sample, chunks);
    case 'gap':
      return gapCandidates(chunks);
  }
}

/** Bytes with which most chunks begin or end: 2 if they are the same, else 1. Empty: they differ. */
function edgesOf(chunks: readonly TrialChunk[], isEnd: boolean): string {
  for (const size of [2, 1]) {
    const edges = chunks
      .filter(({ bytes }) => bytes.length > size)
      .slice(-MAX_STARTS)
      .map(({ bytes }) => hex(isEnd ? bytes.subarray(bytes.length - size) : bytes.subarray(0, size)));
    const [most] = mostOf(edges);
    if (most !== undefined && edges.length >= LEAST_FRAMES && most[1] >= ALIKE_SHARE * edges.length) {
      return most[0];
    }
  }
  return '';
}

function mostOf(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1]);
}

function untilCandidates(sample: Uint8Array, chunks: readonly TrialChunk[]): FramingDraft[] {
  const [first, last] = [edgesOf(chunks, false), edgesOf(chunks, true)];
  const seen: (readonly [string | null, string])[] = last === '' ? [] : [[first === '' ? null : first, last]];
  return [...seen, ...usualEnds]
    .filter(
      ([start, end]) =>
        occurrences(sample, end).length >= 2 &&
        (start === null || start === end || occurrences(sample, start).length >= 2),
    )
    .map(([start, end]) => ({ kind: 'until', ...(start !== null && { start: [start] }), end: [end] }));
}

function occurrences(bytes: Uint8Array, marker: string): number[] {
  const wanted = marker.split(' ').map((pair) => Number.parseInt(pair, 16));
  const [first = -1] = wanted;
  const found: number[] = [];
  for (let at = bytes.indexOf(first); at !== -1 && found.length < MAX_STARTS; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) {
      found.push(at);
    }
  }
  return found;
}

/** Lengths at which bytes come again, with the bytes that are the same in each frame as its start. */
function fixedCandidates(sample: Uint8Array): FramingDraft[] {
  const lengths: { length: number; share: number }[] = [];
  for (let length = 2; length <= Math.min(MAX_FIXED, sample.length >> 2); length++) {
    let same = 0;
    for (let at = length; at < sample.length; at++) {
      same += sample[at] === sample[at - length] ? 1 : 0;
    }
    lengths.push({ length, share: same / (sample.length - length) });
  }
  const best = lengths.toSorted((one, other) => other.share - one.share || one.length - other.length).slice(0, 12);
  // A multiple of the length is as good as it: the shortest that is nearly as good is meant.
  const shortest = best.filter(({ length, share }) =>
    best.every((other) => other.length >= length || length % other.length !== 0 || other.share < 0.9 * share),
  );
  return shortest.flatMap(({ length }) => {
    const start = constantBytes(sample, length);
    return start === '' ? [] : [{ kind: 'length' as const, start: [start], length }];
  });
}

/** Returns the longest run of bytes that nearly all frames of a length have at the same place, 4 at most. */
function constantBytes(sample: Uint8Array, length: number): string {
  const frames = Math.floor(sample.length / length);
  const common = Array.from({ length }, (_, column) => {
    const counts = new Uint32Array(256);
    for (let at = column; at < sample.length; at += length) {
      const byte = sample[at] as number;
      counts[byte] = (counts[byte] as number) + 1;
    }
    const byte = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
    return { byte, isConstant: (counts[byte] as number) >= 0.95 * frames };
  });
  if (frames < LEAST_FRAMES || common.every(({ isConstant }) => isConstant)) {
    return '';
  }
  let best: number[] = [];
  for (let column = 0; column < length; column++) {
    const before = common[(column + length - 1) % length];
    // A run of zeros is the high end of a number, not a start.
    if (common[column]?.isConstant === true && (before?.isConstant !== true || before.byte === 0)) {
      const run: number[] = [];
      for (let at = column; run.length < 4 && common[at % length]?.isConstant === true; at++) {
        run.push((common[at % length] as { byte: number }).byte);
      }
      const worth = (bytes: readonly number[]) => bytes.filter((byte) => byte !== 0 && byte !== 0xff).length;
      best = worth(run) > worth(best) ? run : best;
    }
  }
  return hex(best.slice(0, best[1] === 0 || best[1] === undefined ? 1 : 2));
}

const lengthTypes = [
  { type: 'u8', order: 'big', size: 1 },
  { type: 'u16', order: 'big', size: 2 },
  { type: 'u16', order: 'little', size: 2 },
] as const;

/** Length fields that lead from one start of a frame to the next. */
function lengthCandidates(sample: Uint8Array, chunks: readonly TrialChunk[]): FramingDraft[] {
  const edge = edgesOf(chunks, false);
  const pairs = mostOf(
    Array.from({ length: Math.max(0, sample.length - 1) }, (_, at) => hex(sample.subarray(at, at + 2))),
  );
  const starts = new Set([
    ...(edge === '' ? [] : [edge, edge.slice(0, 2)]),
    ...usualStarts,
    ...pairs.slice(0, 4).map(([pair]) => pair),
  ]);
  const found: { framing: FramingDraft; share: number }[] = [];
  for (const start of starts) {
    const places = occurrences(sample, start);
    if (places.length >= LEAST_FRAMES) {
      found.push(...lengthsBetween(sample, start, places));
    }
  }
  return found.sort((one, other) => other.share - one.share).map(({ framing }) => framing);
}

function lengthsBetween(sample: Uint8Array, start: string, places: readonly number[]) {
  const head = start.split(' ').length;
  return lengthTypes.flatMap(({ type, order, size }) =>
    Array.from({ length: MAX_LENGTH_AT + 1 - head }, (_, index) => head + index).flatMap((at) => {
      const votes = new Map<number, number>();
      const values = new Map<number, Set<number>>();
      for (const [index, from] of places.entries()) {
        const value = numberAt(sample, from + at, size, order);
        // The bytes of a start may be inside of a frame too.
        for (const next of places.slice(index + 1, index + 4)) {
          const add = next - from - value;
          if (value > 0 && add >= 0 && add <= MAX_ADDED) {
            votes.set(add, (votes.get(add) ?? 0) + 1);
            values.set(add, (values.get(add) ?? new Set()).add(value));
          }
        }
      }
      const [best] = [...votes].sort((one, other) => other[1] - one[1]);
      // One length alone is a fixed length.
      if (best === undefined || best[1] < LEAST_FRAMES - 1 || (values.get(best[0])?.size ?? 0) < 2) {
        return [];
      }
      const length = { at, type, ...(size > 1 && { order }), add: best[0] };
      // A wider number is meant if the bytes that it has more are always 0.
      return [{ framing: { kind: 'length' as const, start: [start], length }, share: best[1] * head + size / 10 }];
    }),
  );
}

function numberAt(bytes: Uint8Array, at: number, size: number, order: 'big' | 'little'): number {
  let value = 0;
  for (let index = 0; index < size; index++) {
    value = value * 256 + (bytes[at + (order === 'big' ? index : size - 1 - index)] ?? 0);
  }
  return value;
}

/** The silence between the longest pause inside of a frame and the shortest one between two. */
function gapCandidates(chunks: readonly TrialChunk[]): FramingDraft[] {
  const gaps = chunks
    .slice(1)
    .map(({ at }, index) => at - (chunks[index]?.at ?? at))
    .filter((gap) => gap > 0)
    .sort((one, other) => one - other);
  if (gaps.length < LEAST_FRAMES - 1) {
    return [];
  }
  let widest = 0;
  // Chunks that all come apart are the frames.
  let ms = Math.max(1, Math.floor((gaps[0] ?? 2) / 2));
  for (let index = 1; index < gaps.length; index++) {
    const [shorter, longer] = [gaps[index - 1] ?? 1, gaps[index] ?? 1];
    if (longer / shorter > Math.max(3, widest)) {
      widest = longer / shorter;
      ms = Math.max(1, Math.round(Math.sqrt(shorter * longer)));
    }
  }
  return [{ kind: 'gap', ms: Math.min(10_000, ms) }];
}

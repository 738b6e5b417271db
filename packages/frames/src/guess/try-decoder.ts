/**
 * Tries a decoder on bytes of a port: counts what it cuts, and decodes the newest frames with their contents.
 *
 * Bounds: the newest 256 KiB of each direction, and 128 frames that are returned.
 */
import type { DecoderContent } from '@wirebench/contract/decoders';
import { CompiledDecoder } from '../compiled-decoder.ts';
import { isSame } from '../echoes.ts';
import { FrameConversation } from '../frame-conversation.ts';
import type { DecodedFrame, Direction, FrameSettings, PieceKind } from '../frame-types.ts';
import { Budget, StreamCutter } from '../stream-cutter.ts';

/** Bytes that came together. */
export interface TrialChunk {
  /** Time of the first of them, in ms; NaN: unknown. */
  readonly at: number;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** Pieces by their kind. */
export interface TrialCounts {
  readonly frames: number;
  readonly broken: number;
  readonly leftOvers: number;
  /** Bytes in frames, and in all pieces. */
  readonly framedBytes: number;
  readonly bytes: number;
  /** Lengths of the shortest and the longest frame; 0 without frames. */
  readonly shortest: number;
  readonly longest: number;
}

export interface TrialFrame {
  readonly at: number;
  readonly direction: Direction;
  readonly kind: PieceKind;
  /** Bytes as they came. */
  readonly bytes: Uint8Array;
  /** Bytes to which offsets of fields refer: without escapes, delimiters and line ends. */
  readonly content: Uint8Array;
  /** Offset in `bytes` of each byte of the content, and of its end. */
  readonly offsets: readonly number[];
  readonly decoded: DecodedFrame;
}

export interface Trial {
  readonly counts: TrialCounts;
  /** The newest ones, oldest first. Left-overs are not among them. */
  readonly frames: readonly TrialFrame[];
  /** The frame that was asked for: the one of its time if several are equal; null if it is not among the pieces. */
  readonly wanted: TrialFrame | null;
}

/** A frame of the log. */
export interface WantedFrame {
  readonly at: number;
  readonly bytes: Uint8Array;
}

const MAX_TRIAL_BYTES = 1 << 18;
const MAX_SHOWN = 128;

interface CutPiece {
  readonly at: number;
  readonly until: number;
  readonly kind: PieceKind;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/**
 * Tries a decoder.
 *
 * @param chunks In order of time.
 * @param wanted Frame that is returned too, however old it is.
 * @throws DecoderError if a file of the decoder is missing or cannot be read.
 */
export function tryDecoder(
  decoder: DecoderContent,
  chunks: readonly TrialChunk[],
  settings: FrameSettings = {},
  wanted: WantedFrame | null = null,
): Trial {
  const compiled = new CompiledDecoder(decoder, settings);
  const pieces = cutAll(compiled, chunks);
  const conversation = new FrameConversation([compiled], settings);
  const first = Math.max(0, pieces.filter(({ kind }) => kind !== 'left-over').length - MAX_SHOWN);
  const frames: TrialFrame[] = [];
  let found = null as TrialFrame | null;
  let index = 0;
  for (const { bytes, kind, direction, at, until } of pieces) {
    const link = conversation.add(bytes, kind, direction, at, until);
    const isWanted = wanted !== null && isSame(bytes, wanted.bytes) && found?.at !== wanted.at;
    if (kind !== 'left-over' && (index++ >= first || isWanted)) {
      const { content, wireOffset } = compiled.contentOf(bytes, direction);
      const offsets = Array.from({ length: content.length + 1 }, (_, offset) => wireOffset(offset));
      const decoded = conversation.decode(bytes, kind, link, direction);
      const frame = { at, direction, kind, bytes, content, offsets, decoded };
      found = isWanted ? frame : found;
      if (index > first) {
        frames.push(frame);
      }
    }
  }
  return { counts: countsOf(pieces), frames, wanted: found };
}

/** Returns all pieces of both directions in order of time. */
function cutAll(compiled: CompiledDecoder, chunks: readonly TrialChunk[]): CutPiece[] {
  const pieces = (['received', 'sent'] as const).flatMap((direction) =>
    cutDirection(compiled, newest(chunks, direction), direction),
  );
  return pieces.sort((one, other) => one.at - other.at);
}

/** Returns the newest chunks of one direction, `MAX_TRIAL_BYTES` at most. */
export function newest(chunks: readonly TrialChunk[], direction: Direction): TrialChunk[] {
  const taken: TrialChunk[] = [];
  let room = MAX_TRIAL_BYTES;
  for (const chunk of chunks.toReversed()) {
    if (chunk.direction === direction && room > 0) {
      const { bytes } = chunk;
      taken.push({ ...chunk, bytes: bytes.length > room ? bytes.subarray(bytes.length - room) : bytes });
      room -= bytes.length;
    }
  }
  return taken.reverse();
}

function cutDirection(compiled: CompiledDecoder, chunks: readonly TrialChunk[], direction: Direction): CutPiece[] {
  const budget = new Budget();
  const ms = compiled.silence(direction);
  const cutter = new StreamCutter(compiled.matchers(budget, direction), budget, { ms, byteTime: 0 });
  const all = joined(chunks);
  const pieces: CutPiece[] = [];
  let offset = 0;
  let time = 0;
  const drain = () => {
    for (let piece = cutter.next(); piece !== null; piece = cutter.next()) {
      const { length, kind, at, until } = piece;
      pieces.push({ kind, at, until, direction, bytes: all.subarray(offset, offset + length) });
      offset += length;
    }
  };
  for (const { bytes, at } of chunks) {
    // Times of a log may be missing, and do not go back.
    time = Math.max(time, Number.isNaN(at) ? 0 : at);
    cutter.expire(time);
    drain();
    cutter.push(bytes, 0, bytes.length, time);
    drain();
  }
  cutter.end();
  drain();
  return pieces;
}

/** Joins the bytes of chunks. */
export function joined(chunks: readonly TrialChunk[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of chunks) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}

function countsOf(pieces: readonly CutPiece[]): TrialCounts {
  const frames = pieces.filter(({ kind }) => kind === 'frame');
  const lengths = frames.map(({ bytes }) => bytes.length);
  const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
  return {
    frames: frames.length,
    broken: pieces.filter(({ kind }) => kind === 'broken').length,
    leftOvers: pieces.filter(({ kind }) => kind === 'left-over').length,
    framedBytes: sum(lengths),
    bytes: sum(pieces.map(({ bytes }) => bytes.length)),
    shortest: lengths.reduce((least, one) => Math.min(least, one), lengths[0] ?? 0),
    longest: lengths.reduce((most, one) => Math.max(most, one), 0),
  };
}

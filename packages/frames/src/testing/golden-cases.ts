/** Cases of the golden files, and decoders at work on them. */
import { readFileSync } from 'node:fs';
import { checkDecoder, type DecoderContent, type DecoderDraft } from '@wirebench/contract/decoders';
import { randomNumber } from '@wirebench/test-input';
import { compile } from '../compile.ts';
import type { DecodedFrame, Direction, FrameLink, FrameSettings, PieceKind } from '../frame-types.ts';

export interface GoldenCase {
  readonly case: string;
  readonly kind: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly chunks: readonly (readonly [micros: number, direction: 'rx' | 'tx', hex: string])[];
  readonly frames: readonly Readonly<Record<string, unknown>>[];
}

/** Reads a golden file: `modbus`. */
export function goldenCases(name: string): GoldenCase[] {
  const path = new URL(`golden/${name}.jsonl`, import.meta.url);
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenCase);
}

/** Bytes that came together, with the time of the first, in ms. */
export interface Chunk {
  readonly at: number;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

export function chunksOf({ chunks }: GoldenCase): Chunk[] {
  return chunks.map(([micros, direction, hex]) => ({
    at: micros / 1_000,
    direction: direction === 'tx' ? 'sent' : 'received',
    bytes: bytesOf(hex),
  }));
}

export const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
export const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A piece, and what it says. */
export interface SeenPiece {
  readonly kind: PieceKind;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly until: number;
  readonly link: FrameLink;
  readonly decoded: DecodedFrame;
  /** Questions that got no answer before this piece came. */
  readonly unanswered: readonly { readonly index: number; readonly limit: number }[];
}

/** Decoders that were checked before: a file has many cases of one. */
const checkedBefore = new WeakMap<DecoderDraft, DecoderContent>();

/** Checks a decoder and fills in its defaults. */
export function checkedDecoder(draft: DecoderDraft): DecoderContent {
  const known = checkedBefore.get(draft);
  if (known !== undefined) {
    return known;
  }
  const { content, faults } = checkDecoder(JSON.stringify(draft));
  if (content === null) {
    throw new Error(faults.join('; '));
  }
  checkedBefore.set(draft, content);
  return content;
}

interface Seen {
  readonly pieces: readonly SeenPiece[];
  /** Questions that got no answer after the last piece. */
  readonly unanswered: readonly { readonly index: number; readonly limit: number }[];
}

/** Sends chunks through cutters and a conversation, in order of time. */
export function readChunks(
  decoders: readonly DecoderDraft[],
  chunks: readonly Chunk[],
  settings: FrameSettings = {},
): Seen {
  const reader = compile(decoders.map(checkedDecoder), settings);
  const streams = (['received', 'sent'] as const).map((direction) => ({
    direction,
    cutter: reader.cutter(direction),
    bytes: Buffer.concat(chunks.filter((chunk) => chunk.direction === direction).map(({ bytes }) => bytes)),
    at: 0,
  }));
  const cut: { kind: PieceKind; direction: Direction; bytes: Uint8Array; at: number; until: number }[] = [];
  const drain = () => {
    for (const stream of streams) {
      for (let piece = stream.cutter.next(); piece !== null; piece = stream.cutter.next()) {
        const bytes = Uint8Array.from(stream.bytes.subarray(stream.at, stream.at + piece.length));
        stream.at += piece.length;
        cut.push({ ...piece, direction: stream.direction, bytes });
      }
    }
  };
  for (const { at, direction, bytes } of chunks) {
    for (const stream of streams) {
      stream.cutter.expire(at);
    }
    drain();
    streams.find((stream) => stream.direction === direction)?.cutter.push(bytes, 0, bytes.length, at);
    drain();
  }
  for (const { cutter } of streams) {
    cutter.end();
  }
  drain();
  for (const stream of streams) {
    if (stream.at !== stream.bytes.length) {
      throw new Error(`${stream.bytes.length - stream.at} bytes of the stream are in no piece`);
    }
  }
  const conversation = reader.conversation();
  const inOrder = cut.toSorted((one, other) => one.at - other.at);
  const pieces = inOrder.map((piece) => {
    const unanswered = conversation.unanswered(piece.at);
    const link = conversation.add(piece.bytes, piece.kind, piece.direction, piece.at, piece.until);
    return { ...piece, unanswered, link, decoded: conversation.decode(piece.bytes, piece.kind, link, piece.direction) };
  });
  return { pieces, unanswered: conversation.unanswered(Number.POSITIVE_INFINITY) };
}

/** Cuts chunks again at random, without a time of their own: the pieces of a chunk have its time. */
export function recut(chunks: readonly Chunk[]): Chunk[] {
  return chunks.flatMap(({ at, direction, bytes }) => {
    const pieces: Chunk[] = [];
    for (let from = 0; from < bytes.length; ) {
      const to = Math.min(bytes.length, from + 1 + Math.floor(randomNumber() ** 2 * 40));
      pieces.push({ at, direction, bytes: bytes.subarray(from, to) });
      from = to;
    }
    return pieces;
  });
}

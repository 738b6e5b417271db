/**
 * Frames of a tap: the bytes that pass the ports of a bench, for guests that watch. A lane is one direction of one
 * port. Its bytes are counted from the first shared one, and each piece has its offset in the lane. A guest thus
 * knows which bytes it missed. A third lane of each port names the authors of sent lines.
 */
import { RemoteError } from '../remote-failure.ts';
import { textWithin } from '../text-within.ts';
import {
  ByteReader,
  ByteWriter,
  bytes,
  count,
  list,
  record,
  text,
  time,
  u8,
  type ValuesOf,
  word,
} from './byte-fields.ts';

export const lanes = ['received', 'sent'] as const;
export type Lane = (typeof lanes)[number];

/** Lanes of a port in the tap. `author` carries `Author` records instead of the port's bytes. */
const tapLanes = [...lanes, 'author'] as const;
export type TapLane = (typeof tapLanes)[number];

/** Most bytes in one piece. */
export const tapPieceLimit = 16_384;

const layout = { port: u8, lane: word(tapLanes), time, at: count, bytes: bytes(tapPieceLimit) };
const piece = record(layout);

/**
 * A piece of a lane. `time` is the host's clock in milliseconds since the Unix epoch; `at` is the piece's offset in
 * its lane.
 */
export type TapPiece = ValuesOf<typeof layout>;
/** A piece with bytes of a port. */
export type BytesPiece = TapPiece & { readonly lane: Lane };

const placeLayout = { port: u8, lane: word(tapLanes), at: count };
/** Length of each lane so far, in bytes. */
export const lanePlaces = list(record(placeLayout), 12);
export type LanePlace = ValuesOf<typeof placeLayout>;

/** Longest words of an author, in bytes of UTF-8. */
export const wordsLimit = 120;
const authorLayout = { upTo: count, words: text(wordsLimit) };
const authorRecord = record(authorLayout);

/**
 * Author of the newest line sent to a port, in words shown beside that line. `upTo`: length of the port's `sent` lane
 * at that time, in bytes.
 */
export type Author = ValuesOf<typeof authorLayout>;

export function encodeAuthor({ upTo, words }: Author): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  authorRecord.write(writer, { upTo, words: new TextDecoder().decode(textWithin(words, wordsLimit)) });
  return writer.done();
}

/** @throws RemoteError with `malformed`. */
export function decodeAuthor(plain: Uint8Array): Author {
  const reader = new ByteReader(plain);
  const author = authorRecord.read(reader);
  reader.end();
  return author;
}

/** Encodes a frame: its number, counted from 1, then the pieces. */
export function encodeTapFrame(number: number, pieces: readonly TapPiece[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  count.write(writer, number);
  for (const one of pieces) {
    piece.write(writer, one);
  }
  return writer.done();
}

/** @throws RemoteError with `malformed`. */
export function decodeTapFrame(plain: Uint8Array): { readonly number: number; readonly pieces: readonly TapPiece[] } {
  const reader = new ByteReader(plain);
  const number = count.read(reader);
  const pieces: TapPiece[] = [];
  while (reader.left > 0) {
    const one = piece.read(reader);
    if (one.port < 1 || one.port > 4) {
      throw new RemoteError('malformed');
    }
    pieces.push(one);
  }
  return { number, pieces };
}

/**
 * What passes the ports of a bench, as frames for those who watch: pieces of lanes with their times. A lane is one direction of one
 * port, its bytes are counted from the first that was shared, and each piece says where in its lane it begins: who misses one
 * knows which bytes. One more lane of each port says who sent what.
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

/** `author`: no bytes of the port, but `Author`. */
const tapLanes = [...lanes, 'author'] as const;
export type TapLane = (typeof tapLanes)[number];

/** Of one piece, in bytes. */
export const tapPieceLimit = 16_384;

const layout = { port: u8, lane: word(tapLanes), time, at: count, bytes: bytes(tapPieceLimit) };
const piece = record(layout);

/** Its time is in milliseconds since the Unix epoch, by the host's clock; `at` is where in its lane it begins. */
export type TapPiece = ValuesOf<typeof layout>;
/** A piece of what passed a port. */
export type BytesPiece = TapPiece & { readonly lane: Lane };

const placeLayout = { port: u8, lane: word(tapLanes), at: count };
/** How far each lane has come. */
export const lanePlaces = list(record(placeLayout), 12);
export type LanePlace = ValuesOf<typeof placeLayout>;

/** Of the words of an author, as UTF-8. */
export const wordsLimit = 120;
const authorLayout = { upTo: count, words: text(wordsLimit) };
const authorRecord = record(authorLayout);

/** Whose the newest sent line of a port is, in words to stand beside it. `upTo`: bytes of the port's lane `sent` when they were said. */
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

/** A frame: its number, counted from 1, then pieces. */
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

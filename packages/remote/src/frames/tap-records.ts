/**
 * What passes the ports of a bench, as frames for those who watch: pieces of lanes with their times. A lane is one direction of one
 * port, its bytes are counted from the first that was shared, and each piece says where in its lane it begins: who misses one
 * knows which bytes.
 */
import { RemoteError } from '../remote-failure.ts';
import { ByteReader, ByteWriter, bytes, count, list, record, time, u8, type ValuesOf, word } from './byte-fields.ts';

export const lanes = ['received', 'sent'] as const;
export type Lane = (typeof lanes)[number];

/** Of one piece, in bytes. */
export const tapPieceLimit = 16_384;

const layout = { port: u8, lane: word(lanes), time, at: count, bytes: bytes(tapPieceLimit) };
const piece = record(layout);

/** Its time is in milliseconds since the Unix epoch, by the host's clock; `at` is where in its lane it begins. */
export type TapPiece = ValuesOf<typeof layout>;

const placeLayout = { port: u8, lane: word(lanes), at: count };
/** How far each lane has come. */
export const lanePlaces = list(record(placeLayout), 8);
export type LanePlace = ValuesOf<typeof placeLayout>;

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

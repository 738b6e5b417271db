import { joined } from '@wirebench/port/bytes';
import { describe, expect, it } from 'vitest';
import { asciiBytes, viewOf } from '../../core/bytes.ts';
import { fromHex } from '../../testing/from-hex.ts';
import { encodeCbor } from './cbor.ts';
import { encodeLines } from './console-lines.ts';
import { AnswerShape } from './upload.ts';

/** Builds an answer to a chunk with this map after its header. */
function packet(map: Uint8Array, sequence: number): Uint8Array {
  const bytes = joined(Uint8Array.of(3, 0, 0, 0, 0, 1, sequence, 1), map);
  viewOf(bytes).setUint16(2, map.length);
  return bytes;
}

const rc = joined(encodeCbor('rc'), encodeCbor(0));
const off = (offset: number) => joined(encodeCbor('off'), encodeCbor(offset));
const withCarriageReturn = (lines: Uint8Array) => joined(lines.subarray(0, -1), asciiBytes('\r\n'));

describe('the answer to the next chunk', () => {
  it.each([
    ['a map of two', (offset: number) => joined(Uint8Array.of(0xa2), rc, off(offset))],
    [
      'a map whose length is not told',
      (offset: number) => joined(Uint8Array.of(0xbf), rc, off(offset), Uint8Array.of(0xff)),
    ],
    ['the offset first', (offset: number) => joined(Uint8Array.of(0xa2), off(offset), rc)],
    ['the offset alone', (offset: number) => joined(Uint8Array.of(0xa1), off(offset))],
  ])('is predicted where it is %s, with a longer offset and another number, too', (_, mapOf) => {
    for (const lines of [(bytes: Uint8Array) => bytes, withCarriageReturn]) {
      const first = packet(mapOf(20), 7);
      const shape = AnswerShape.of(first, 20, lines(encodeLines(first)));
      for (const [sequence, offset] of [
        [8, 200],
        [255, 70_000],
        [0, 23],
      ] as const) {
        expect(shape?.answer(sequence, offset)).toEqual(lines(encodeLines(packet(mapOf(offset), sequence))));
      }
    }
  });

  it.each([
    ['with a text of the board before it', (lines: Uint8Array) => joined(asciiBytes('log\n'), lines)],
    ['in a line that is cut elsewhere', (lines: Uint8Array) => joined(lines.subarray(0, 6), asciiBytes('\n'), lines)],
  ])('is not predicted from one %s', (_, heard) => {
    const first = packet(joined(Uint8Array.of(0xa2), rc, off(20)), 7);
    expect(AnswerShape.of(first, 20, heard(encodeLines(first)))).toBeNull();
  });

  it.each([
    ['a number in more bytes than it needs', joined(Uint8Array.of(0xa1), encodeCbor('off'), fromHex('1800'))],
    ['the word twice', joined(Uint8Array.of(0xa2), off(0), encodeCbor('x'), encodeCbor('off'))],
    ['no offset', joined(Uint8Array.of(0xa1), rc)],
  ])('is not predicted from one with %s', (_, map) => {
    const first = packet(map, 7);
    expect(AnswerShape.of(first, 0, encodeLines(first))).toBeNull();
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from './core/bytes.ts';
import { encodeFrame, FrameDecoder } from './slip.ts';

const END = 0xc0;

/** Decodes `pieces` into frames and texts. A frame is accepted if it begins with 1, as answers do. */
function decode(pieces: readonly Uint8Array[], isFrame: (bytes: Uint8Array) => boolean = (bytes) => bytes[0] === 1) {
  const frames: number[][] = [];
  const text: number[] = [];
  const decoder = new FrameDecoder({
    frame: (bytes) => {
      const taken = isFrame(bytes);
      if (taken) {
        frames.push([...bytes]);
      }
      return taken;
    },
    text: (bytes) => text.push(...bytes),
  });
  for (const piece of pieces) {
    decoder.push(piece);
  }
  decoder.reset();
  return { frames, text };
}

const payload = () => fc.uint8Array({ minLength: 1, maxLength: 300 });
/** Bytes with many that need escaping, which are rare in random bytes. */
const awkward = () =>
  fc
    .array(fc.constantFrom(0x01, 0xc0, 0xdb, 0xdc, 0xdd, 0x55), { minLength: 1, maxLength: 200 })
    .map((bytes) => Uint8Array.from(bytes));

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((one, other) => one - other);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

describe('SLIP frames', () => {
  it('escapes delimiters and escapes, and nothing else', () => {
    expect(hexOf(encodeFrame(Uint8Array.of(0x01, 0xc0, 0xdb, 0xdc)))).toBe('c001dbdcdbdddcc0');
  });

  it('puts several parts into one frame', () => {
    expect(encodeFrame(Uint8Array.of(1), Uint8Array.of(), Uint8Array.of(0xc0, 2))).toEqual(
      encodeFrame(Uint8Array.of(1, 0xc0, 2)),
    );
  });

  it('gives back any payload, however the reads fall', () => {
    fc.assert(
      fc.property(fc.oneof(payload(), awkward()), fc.array(fc.nat(600)), (bytes, cuts) => {
        expect(decode(split(encodeFrame(bytes), cuts), () => true).frames).toEqual([[...bytes]]);
      }),
    );
  });

  it('gives frames and the text between them in any split', () => {
    const bytes = Uint8Array.of(
      ...new TextEncoder().encode('rst:0x1\r\n'),
      ...encodeFrame(Uint8Array.of(1, 0xc0)),
      ...new TextEncoder().encode('waiting'),
      ...encodeFrame(Uint8Array.of(1, 2)),
      ...encodeFrame(Uint8Array.of(1, 3)),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const { frames, text } = decode(split(bytes, cuts));
        expect(frames).toEqual([
          [1, 0xc0],
          [1, 2],
          [1, 3],
        ]);
        expect(String.fromCharCode(...text)).toBe('rst:0x1\r\nwaiting');
      }),
    );
  });

  it('hands on text at once, without waiting for a delimiter', () => {
    const seen: string[] = [];
    const decoder = new FrameDecoder({ frame: () => true, text: (bytes) => seen.push(String.fromCharCode(...bytes)) });
    decoder.push(new TextEncoder().encode('ets Jul 29 2019'));
    expect(seen).toEqual(['ets Jul 29 2019']);
  });

  it('finds the next frame after a delimiter of noise', () => {
    const { frames, text } = decode([Uint8Array.of(END, 0x41, 0x42), encodeFrame(Uint8Array.of(1, 7))]);
    expect(frames).toEqual([[1, 7]]);
    expect(text).toEqual([0x41, 0x42]);
  });

  it('finds the next frame after a lost delimiter', () => {
    const cut = encodeFrame(Uint8Array.of(1, 7)).subarray(0, -1);
    expect(decode([cut, encodeFrame(Uint8Array.of(1, 8))]).frames).toContainEqual([1, 7]);
    expect(decode([cut, encodeFrame(Uint8Array.of(1, 8)), encodeFrame(Uint8Array.of(1, 9))]).frames).toContainEqual([
      1, 9,
    ]);
  });

  it('takes a frame with a broken escape for text', () => {
    const { frames } = decode([Uint8Array.of(END, 1, 0xdb, 0x41, END), encodeFrame(Uint8Array.of(1, 2))]);
    expect(frames).toEqual([[1, 2]]);
  });

  it('comes through any noise to a frame that follows two delimiters', () => {
    fc.assert(
      fc.property(awkward(), payload(), (noise, bytes) => {
        const wanted = Uint8Array.of(1, ...bytes);
        expect(decode([noise, Uint8Array.of(END), encodeFrame(wanted), encodeFrame(wanted)]).frames).toContainEqual([
          ...wanted,
        ]);
      }),
    );
  });
});

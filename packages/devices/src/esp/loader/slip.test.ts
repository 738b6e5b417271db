import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, framed, framesIn, hexOf } from '../testing/esp-host.ts';
import { SlipReceiver, slipFrame } from './slip.ts';

function received(pieces: readonly Uint8Array[], capacity = 1_000): string[] {
  const frames: string[] = [];
  const receiver = new SlipReceiver(capacity, (frame) => frames.push(hexOf(frame)));
  for (const piece of pieces) {
    receiver.receive(piece);
  }
  return frames;
}

const payload = fc.uint8Array({ minLength: 1, maxLength: 60 });

describe('SLIP on the chip', () => {
  it('finds the same frames however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(payload, { maxLength: 5 }), fc.integer({ min: 1, max: 9 }), (payloads, cut) => {
        const stream = Uint8Array.from(payloads.flatMap((one) => Array.from(framed(one))));
        const pieces = Array.from({ length: Math.ceil(stream.length / cut) }, (_, index) =>
          stream.subarray(index * cut, (index + 1) * cut),
        );
        expect(received(pieces)).toEqual(payloads.map(hexOf));
      }),
    );
  });

  it('frames what another decoder finds', () => {
    fc.assert(
      fc.property(payload, (one) => {
        expect(framesIn(slipFrame(one))).toEqual([one]);
      }),
    );
  });

  it('passes over what is too long, and hears the next frame', () => {
    const long = framed(new Uint8Array(40).fill(1));
    expect(received([long, framed(Uint8Array.of(7))], 30)).toEqual(['07']);
    expect(received([...Array.from(long, (byte) => Uint8Array.of(byte)), framed(Uint8Array.of(7))], 30)).toEqual([
      '07',
    ]);
  });

  it('passes over a frame with an escape that means nothing', () => {
    expect(received([bytesOf('c0 01 db 02 c0'.replaceAll(' ', '')), framed(Uint8Array.of(7))])).toEqual(['07']);
  });

  it('takes bytes outside of frames for nothing', () => {
    expect(received([bytesOf('0102'), framed(Uint8Array.of(5)), bytesOf('03'), framed(Uint8Array.of(6))])).toEqual([
      '05',
      '06',
    ]);
  });
});

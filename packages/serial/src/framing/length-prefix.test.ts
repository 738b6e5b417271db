import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexText } from '../hex-text.ts';
import { heldFrames, receivedChannel } from '../testing/line-channels.ts';
import { type Framing, splitterOf } from './framings.ts';

type Prefix = Extract<Framing, { name: 'length-prefix' }>['options'];

function split(options: Prefix, ...chunks: readonly (readonly number[])[]) {
  const channel = receivedChannel(64 * 1_024);
  channel.splitWith(splitterOf({ name: 'length-prefix', options }));
  for (const chunk of chunks) {
    channel.append(Uint8Array.from(chunk), 0);
  }
  return channel;
}

function encode({ width, order, countsItself }: Prefix, content: readonly number[]): number[] {
  const length = content.length + (countsItself ? width : 0);
  const big = Array.from({ length: width }, (_, index) => Math.floor(length / 256 ** (width - 1 - index)) % 256);
  return [...(order === 'big' ? big : big.toReversed()), ...content];
}

const prefixes: fc.Arbitrary<Prefix> = fc.record({
  width: fc.constantFrom(1 as const, 2 as const, 4 as const),
  order: fc.constantFrom('big' as const, 'little' as const),
  countsItself: fc.boolean(),
});

describe('length prefix', () => {
  it('ends frames after the length that they begin with', () => {
    const contents = fc.array(fc.array(fc.nat(255), { maxLength: 250 }), { maxLength: 5 });
    fc.assert(
      fc.property(prefixes, contents, (prefix, all) => {
        const frames = all.map((content) => encode(prefix, content));
        expect(heldFrames(split(prefix, ...frames))).toEqual(frames.map((frame) => hexText(Uint8Array.from(frame))));
      }),
    );
  });

  it('takes a length that cannot be for an invalid frame, and goes on behind it', () => {
    const tooShort: Prefix = { width: 1, order: 'big', countsItself: true };
    expect(heldFrames(split(tooShort, [0x00, 0x02, 0x41]))).toEqual(['INVALID 00', '02 41']);
    const tooLong: Prefix = { width: 4, order: 'little', countsItself: false };
    expect(heldFrames(split(tooLong, [0xff, 0xff, 0xff, 0xff], [0x01, 0, 0, 0, 0x41]))).toEqual([
      'INVALID FF FF FF FF',
      '01 00 00 00 41',
    ]);
  });

  it('marks a frame that the connection ended in, also within its length', () => {
    const prefix: Prefix = { width: 2, order: 'big', countsItself: false };
    const channel = split(prefix, [0x00, 0x02, 0x41]);
    channel.finishLine();
    channel.append(Uint8Array.of(0x00), 0);
    channel.finishLine();
    expect(heldFrames(channel)).toEqual(['INCOMPLETE 00 02 41', 'INCOMPLETE 00']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexText } from '../hex-text.ts';
import { heldFrames, heldLines, latin1, receivedChannel } from '../testing/line-channels.ts';
import { splitterOf } from './framings.ts';

function split(...chunks: readonly (readonly number[])[]) {
  const channel = receivedChannel(64 * 1_024);
  channel.splitWith(splitterOf({ name: 'cobs', options: {} }));
  for (const chunk of chunks) {
    channel.append(Uint8Array.from(chunk), 0);
  }
  return channel;
}

/** Encodes as the paper describes: one block up to each 0, of at most 254 bytes. */
function encode(content: Uint8Array): number[] {
  const frame: number[] = [];
  let block: number[] = [];
  for (const byte of content) {
    if (byte !== 0) {
      block.push(byte);
    }
    if (byte === 0 || block.length === 254) {
      frame.push(block.length + 1, ...block);
      block = [];
    }
  }
  return [...frame, block.length + 1, ...block, 0];
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('COBS', () => {
  it.each([
    ['one 0', [0x01, 0x01, 0x00], '00'],
    ['two zeros', [0x01, 0x01, 0x01, 0x00], '00 00'],
    ['a 0 between others', [0x01, 0x02, 0x11, 0x01, 0x00], '00 11 00'],
    ['no 0', [0x05, 0x11, 0x22, 0x33, 0x44, 0x00], '11 22 33 44'],
    ['a 0 inside', [0x03, 0x11, 0x22, 0x02, 0x33, 0x00], '11 22 00 33'],
    ['nothing', [0x01, 0x00], ''],
    ['254 bytes', [0xff, ...range(1, 254), 0x00], hexText(Uint8Array.from(range(1, 254)))],
    ['254 bytes and a 0 before', [0x01, 0xff, ...range(1, 254), 0x00], hexText(Uint8Array.from([0, ...range(1, 254)]))],
    ['255 bytes', [0xff, ...range(1, 254), 0x02, 0xff, 0x00], hexText(Uint8Array.from(range(1, 255)))],
    [
      'a full block and a 0',
      [0xff, ...range(1, 254), 0x01, 0x01, 0x00],
      hexText(Uint8Array.from([...range(1, 254), 0])),
    ],
  ])('decodes a frame: %s', (_, frame, content) => {
    expect(heldFrames(split(frame))).toEqual([content]);
    expect(heldLines(split(frame))).toEqual([latin1(Uint8Array.from(frame))]);
  });

  it('decodes frames of any bytes', () => {
    const content = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 255 })), { maxLength: 700 });
    fc.assert(
      fc.property(fc.array(content, { maxLength: 4 }), fc.boolean(), (contents, zeroFirst) => {
        const all = contents.map((bytes) => Uint8Array.from(bytes));
        const frames = all.map((bytes) => [...(zeroFirst ? [0] : []), ...encode(bytes)]);
        expect(heldFrames(split(...frames))).toEqual(all.map(hexText));
      }),
    );
  });

  it('keeps the bytes of a frame with an invalid code, and continues with the next one', () => {
    expect(heldFrames(split([0x05, 0x11, 0x00, 0x02, 0x22, 0x00]))).toEqual(['INVALID 05 11 00', '22']);
  });

  it('shows the bytes of a frame until its end comes, and marks it if it never comes', () => {
    const channel = split([0x03, 0x11]);
    expect(heldFrames(channel)).toEqual(['OPEN 03 11']);
    channel.finishLine();
    channel.append(Uint8Array.of(0x02, 0x22, 0x00), 0);
    expect(heldFrames(channel)).toEqual(['INCOMPLETE 03 11', '22']);
  });

  it('shows the rest of a cleared frame as such', () => {
    const channel = split([0x03, 0x11]);
    channel.clear();
    channel.append(Uint8Array.of(0x22, 0x00, 0x02, 0x33, 0x00), 0);
    expect(heldFrames(channel)).toEqual(['INCOMPLETE 22 00', '33']);
  });

  it('cuts an over-long frame and resynchronises at the next zero', () => {
    const channel = receivedChannel(64);
    channel.splitWith(splitterOf({ name: 'cobs', options: {} }));
    channel.append(Uint8Array.from([...Array.from({ length: 20 }, () => 0x01), 0x00, 0x02, 0x33, 0x00]), 0);
    const cut = `TOO-LONG ${Array.from({ length: 16 }, () => '01').join(' ')}`;
    expect(heldFrames(channel)).toEqual([cut, 'TOO-LONG 01 01 01 01 00', '33']);
  });
});

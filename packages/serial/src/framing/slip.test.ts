import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexText } from '../hex-text.ts';
import { heldFrames, receivedChannel } from '../testing/line-channels.ts';
import { splitterOf } from './framings.ts';

function split(...chunks: readonly (readonly number[])[]) {
  const channel = receivedChannel(64 * 1_024);
  channel.splitWith(splitterOf({ name: 'slip', options: {} }));
  for (const chunk of chunks) {
    channel.append(Uint8Array.from(chunk), 0);
  }
  return channel;
}

const escapes: Readonly<Record<number, readonly number[]>> = { 192: [0xdb, 0xdc], 219: [0xdb, 0xdd] };
const encode = (content: readonly number[]) => [...content.flatMap((byte) => escapes[byte] ?? [byte]), 0xc0];

describe('SLIP', () => {
  it('shows what a frame says, with a delimiter at one end or at both', () => {
    const content = fc.array(fc.oneof(fc.constantFrom(0xc0, 0xdb, 0xdc, 0xdd), fc.nat(255)), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.array(content, { maxLength: 5 }), fc.boolean(), (contents, both) => {
        const frames = contents.map((bytes) => [...(both ? [0xc0] : []), ...encode(bytes)]);
        expect(heldFrames(split(...frames))).toEqual(contents.map((bytes) => hexText(Uint8Array.from(bytes))));
      }),
    );
  });

  it('keeps the bytes of a frame with an escape that there is not, and goes on with the next one', () => {
    expect(heldFrames(split([0x11, 0xdb, 0x22, 0xc0, 0x33, 0xc0]))).toEqual(['INVALID 11 DB 22 C0', '33']);
    expect(heldFrames(split([0x11, 0xdb, 0xc0, 0x33, 0xc0]))).toEqual(['INVALID 11 DB C0', '33']);
  });

  it('marks a frame that the connection ended in', () => {
    const channel = split([0xc0, 0x11]);
    channel.finishLine();
    expect(heldFrames(channel)).toEqual(['INCOMPLETE C0 11']);
  });
});

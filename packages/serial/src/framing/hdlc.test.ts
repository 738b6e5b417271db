import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexText } from '../hex-text.ts';
import { heldFrames, receivedChannel, utf8 } from '../testing/line-channels.ts';
import { framingWith, splitterOf } from './framings.ts';

type Check = 'none' | 'fcs-16' | 'fcs-32';

function split(check: Check, ...chunks: readonly (readonly number[])[]) {
  const channel = receivedChannel(64 * 1_024);
  channel.splitWith(splitterOf(framingWith('hdlc', { check })));
  for (const chunk of chunks) {
    channel.append(Uint8Array.from(chunk), 0);
  }
  return channel;
}

/** FCS-16 by long division, bit by bit: the polynomial x^16 + x^12 + x^5 + 1, the lowest bit of each byte first. */
function fcs16(content: readonly number[]): number[] {
  let register = 0xffff;
  for (const bit of content.flatMap((byte) => [0, 1, 2, 3, 4, 5, 6, 7].map((place) => (byte >> place) & 1))) {
    register = (register & 1) === bit ? register >> 1 : (register >> 1) ^ 0x8408;
  }
  return [~register & 0xff, (~register >> 8) & 0xff];
}

function fcs32(content: readonly number[]): number[] {
  const sum = crc32(Uint8Array.from(content));
  return [0, 8, 16, 24].map((place) => (sum >>> place) & 0xff);
}

const sequences: Readonly<Record<Check, (content: readonly number[]) => number[]>> = {
  none: () => [],
  'fcs-16': fcs16,
  'fcs-32': fcs32,
};

/** @param extra One more byte that is escaped, as a sender may do with any byte. */
const encode = (check: Check, content: readonly number[], extra?: number) => [
  ...[...content, ...sequences[check](content)].flatMap((byte) =>
    byte === 0x7e || byte === 0x7d || byte === extra ? [0x7d, byte ^ 0x20] : [byte],
  ),
  0x7e,
];

/** Input whose checksums are in published catalogues (CRC-16/IBM-SDLC 906E, CRC-32 CBF43926). */
const digits = [...utf8('123456789')];

describe('HDLC', () => {
  it.each<Check>(['none', 'fcs-16', 'fcs-32'])(
    'shows what a frame says, with flags between frames or around each (%s)',
    (check) => {
      const content = fc.array(fc.oneof(fc.constantFrom(0x7e, 0x7d, 0x5e, 0x5d, 0x11), fc.nat(255)), {
        minLength: 1,
        maxLength: 60,
      });
      fc.assert(
        fc.property(fc.array(content, { maxLength: 5 }), fc.boolean(), (contents, both) => {
          const frames = contents.map((bytes) => [...(both ? [0x7e] : []), ...encode(check, bytes, 0x11)]);
          expect(heldFrames(split(check, ...frames))).toEqual(contents.map((bytes) => hexText(Uint8Array.from(bytes))));
        }),
      );
    },
  );

  it('knows check sequences that others have published', () => {
    const shown = [hexText(Uint8Array.from(digits))];
    expect(heldFrames(split('fcs-16', [0x7e, ...digits, 0x6e, 0x90, 0x7e]))).toEqual(shown);
    expect(heldFrames(split('fcs-32', [0x7e, ...digits, 0x26, 0x39, 0xf4, 0xcb, 0x7e]))).toEqual(shown);
  });

  it.each<Check>(['fcs-16', 'fcs-32'])('marks a frame in which one bit has changed (%s)', (check) => {
    fc.assert(
      fc.property(fc.nat(8), fc.nat(7), (place, bit) => {
        const changed = digits.map((byte, at) => (at === place ? byte ^ (1 << bit) : byte));
        const frame = [...changed, ...sequences[check](digits), 0x7e];
        // Changing one bit of a digit never makes it a flag or an escape.
        expect(heldFrames(split(check, frame, encode(check, [0x33])))).toEqual([
          `INVALID ${hexText(Uint8Array.from(frame))}`,
          '33',
        ]);
      }),
    );
  });

  it('marks a frame that is shorter than its check sequence', () => {
    expect(heldFrames(split('fcs-16', [0x7e, 0x11, 0x7e]))).toEqual(['INVALID 7E 11 7E']);
    expect(heldFrames(split('fcs-32', [0x11, 0x22, 0x33, 0x7e]))).toEqual(['INVALID 11 22 33 7E']);
  });

  it('marks a frame that its sender gave up, and goes on with the next one', () => {
    expect(heldFrames(split('none', [0x11, 0x7d, 0x7e, 0x33, 0x7e]))).toEqual(['INVALID 11 7D 7E', '33']);
    expect(heldFrames(split('none', [0x7d], [0x7e, 0x33, 0x7e]))).toEqual(['INVALID 7D 7E', '33']);
  });

  it('marks a frame that the connection ended in', () => {
    const channel = split('fcs-16', [0x7e, 0x11]);
    channel.finishLine();
    expect(heldFrames(channel)).toEqual(['INCOMPLETE 7E 11']);
  });
});

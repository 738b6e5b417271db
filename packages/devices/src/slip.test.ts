import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlipReceiver, type SlipRules, slipEnded, slipFrame } from './slip.ts';
import { bytesOf, hexOf } from './testing/hex.ts';

const chip: SlipRules = { opens: 'end-each', strict: true };
const hci: SlipRules = { opens: 'end-once', strict: false };
const sdk: SlipRules = { opens: 'anything', strict: true };

function received(rules: SlipRules, pieces: readonly string[], capacity = 8): string[] {
  const receiver = new SlipReceiver(capacity, rules);
  return pieces.flatMap((piece) => receiver.receive(bytesOf(piece))).map(hexOf);
}

describe('SLIP', () => {
  it('frames as RFC 1055 does', () => {
    expect(hexOf(slipFrame(bytesOf('01 c0 db dc')))).toBe('c001dbdcdbdddcc0');
    expect(hexOf(slipEnded(bytesOf('01 c0')))).toBe('01dbdcc0');
  });

  it.each([
    ['Espressif chips', chip, slipFrame],
    ['Adafruit’s bootloader', hci, slipFrame],
    ['the nRF5 SDK', sdk, slipEnded],
  ] as const)('gives back to %s what was framed, however the bytes are cut', (_who, rules, frame) => {
    const payloads = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 5 });
    fc.assert(
      fc.property(payloads, fc.integer({ min: 1, max: 9 }), (frames, cut) => {
        const receiver = new SlipReceiver(60, rules);
        const wire = frames.flatMap((payload) => Array.from(frame(payload)));
        const found: Uint8Array[] = [];
        for (let at = 0; at < wire.length; at += cut) {
          found.push(...receiver.receive(Uint8Array.from(wire.slice(at, at + cut))));
        }
        expect(found.map(hexOf)).toEqual(frames.map(hexOf));
      }),
    );
  });

  it('passes over what is too long, and receives the next frame', () => {
    const long = `c0${'01'.repeat(9)}c0`;
    expect(received(chip, [long, 'c007c0'])).toEqual(['07']);
    expect(received(chip, [...(long.match(/../g) ?? []), 'c007c0'])).toEqual(['07']);
    expect(received(chip, ['c0 0102030405060708 c0'])).toEqual(['0102030405060708']);
  });
});

describe('SLIP on Espressif chips', () => {
  it('takes bytes outside of frames for nothing', () => {
    expect(received(chip, ['0102', 'c005c0', '03', 'c006c0'])).toEqual(['05', '06']);
  });

  it('takes the second of two delimiters for the beginning of a frame', () => {
    expect(received(chip, ['c0 c0 05 c0 c0 06 c0'])).toEqual(['05', '06']);
  });

  it('passes over a frame with an escape that means nothing', () => {
    expect(received(chip, ['c0 01 db 02 c0', 'c007c0'])).toEqual(['07']);
  });
});

describe('SLIP on nRF52 chips', () => {
  it('begins with a C0 in Adafruit’s bootloader, and takes any byte behind an escape as it is', () => {
    const wire = '01 02 c0 03 db 04 c0 c0 db dc db dd c0 010203040506070809 c0 05 c0';
    expect(received(hci, [wire])).toEqual(['0304', 'c0db', '05']);
  });

  it('loses a frame with a bad escape in the nRF5 SDK', () => {
    expect(received(sdk, ['01 db 04 c0 02 db dc c0'])).toEqual(['02c0']);
  });
});

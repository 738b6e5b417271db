import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestDetector, type TransferRequest } from './request-detector.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const zrqinit = 'rz\r**\x18B00000000000000\r\x8a\x11';
const zrinit = '**\x18B0100000023be50\r\x8a\x11';

/** Passes chunks on, one second apart. */
function detect(...chunks: readonly string[]): (TransferRequest | null)[] {
  const detector = new RequestDetector();
  return chunks.map((chunk, index) => detector.received(bytes(chunk), index * 1_000));
}

describe('requests of a board', () => {
  it('takes a repeated C or NAK for a request, also behind a line', () => {
    const send = { kind: 'send', protocol: 'block' };
    expect(detect('## Ready for binary (ymodem) download\r\nC', 'C')).toEqual([null, send]);
    expect(detect('\x15', '\x15', '\x15')).toEqual([null, send, send]);
  });

  it('is not fooled by text with the letter', () => {
    expect(detect('C', 'ABC', 'C', 'temp 20 C', 'C\n', 'CC')).toEqual(Array(6).fill(null));
  });

  it('is not fooled by the echo of typed letters', () => {
    const detector = new RequestDetector();
    detector.received(bytes('C'), 0);
    detector.sent();
    expect(detector.received(bytes('C'), 1_000)).toBeNull();
  });

  it('does not take letters that come at once, or an hour apart', () => {
    const detector = new RequestDetector();
    detector.received(bytes('C'), 0);
    expect(detector.received(bytes('C'), 10)).toBeNull();
    expect(detector.received(bytes('C'), 3_600_000)).toBeNull();
  });

  it('finds ZRQINIT and ZRINIT wherever the chunks end', () => {
    for (const [text, kind] of [
      [`$ sz file\r\n${zrqinit}`, 'receive'],
      [`rz waiting to receive.${zrinit}`, 'send'],
    ] as const) {
      fc.assert(
        fc.property(fc.nat({ max: text.length }), fc.nat({ max: text.length }), (one, other) => {
          const [first, second] = [Math.min(one, other), Math.max(one, other)];
          const found = detect(text.slice(0, first), text.slice(first, second), text.slice(second));
          expect(found.filter((request) => request !== null)).toEqual([{ kind, protocol: 'zmodem' }]);
        }),
      );
    }
  });

  it('does not take a header with a wrong CRC, and keeps few bytes of a flood', () => {
    expect(
      detect('**\x18B00000000000001\r\n', '**\x18B', '*'.repeat(9_999), '\x18'.repeat(9_999), '**\x18Bxyz'),
    ).toEqual([null, null, null, null, null]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeGone,
  decodeLive,
  decodeWelcome,
  encodeGone,
  encodeLive,
  encodeWelcome,
  everyone,
  type LiveKind,
  liveHeaderLength,
  liveKinds,
  liveMessageLimit,
} from './live.ts';

const kind = fc.constantFrom(...(Object.keys(liveKinds) as LiveKind[]));
const guest = fc.integer({ min: 0, max: everyone });

describe('the envelope of a shared bench', () => {
  it('gives back any kind, number and payload, also from the middle of a buffer', () => {
    fc.assert(
      fc.property(kind, guest, fc.uint8Array({ maxLength: 300 }), (name, number, payload) => {
        const bytes = encodeLive(name, number, payload);
        const moved = new Uint8Array(bytes.length + 3);
        moved.set(bytes, 3);
        expect(decodeLive(moved.subarray(3))).toEqual({ kind: name, guest: number, payload });
      }),
    );
  });

  it('is little-endian', () => {
    expect([...encodeLive('expel', 0x0102_0304, Uint8Array.of(9))]).toEqual([5, 4, 3, 2, 1, 9]);
  });

  it('takes any bytes for a message or for none, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const message = decodeLive(bytes);
        const isMessage = bytes.length >= liveHeaderLength && (bytes[0] ?? 0) >= 1 && (bytes[0] ?? 0) <= 9;
        expect(message !== null).toBe(isMessage);
        decodeWelcome(bytes);
        decodeGone(bytes);
      }),
    );
  });

  it('is 64 KiB long at most', () => {
    const longest = new Uint8Array(liveMessageLimit - liveHeaderLength);
    expect(decodeLive(encodeLive('data', 1, longest))?.payload.length).toBe(longest.length);
    expect(() => encodeLive('data', 1, new Uint8Array(longest.length + 1))).toThrow(RangeError);
    expect(decodeLive(Uint8Array.of(1, ...new Uint8Array(liveMessageLimit)))).toBeNull();
    expect(() => encodeLive('data', everyone + 1)).toThrow(RangeError);
  });

  it('welcomes in its own version only', () => {
    const welcome = { protocol: 1, you: 7, resume: 'token' } as const;
    expect(decodeWelcome(decodeLive(encodeWelcome(welcome))?.payload ?? new Uint8Array())).toEqual(welcome);
    const others = ['', '[]', 'null', '{"protocol":2,"you":7,"resume":"t"}', '{"protocol":1,"you":-1,"resume":"t"}'];
    for (const other of others) {
      expect(decodeWelcome(new TextEncoder().encode(other))).toBeNull();
    }
  });

  it('says how long the host is waited for', () => {
    expect(decodeGone(decodeLive(encodeGone(60_000))?.payload ?? new Uint8Array())).toBe(60_000);
    expect(decodeGone(new Uint8Array(3))).toBeNull();
  });
});

import { random, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { SignalPlace } from './dbc-file.ts';
import { bytesOf, readFloat, readInteger } from './signals.ts';

/** Reads a signal bit by bit. */
function slowly(data: Uint8Array, { start, size, isBigEndian }: SignalPlace): bigint {
  let value = 0n;
  let bit = start;
  for (let index = 0; index < size; index++) {
    const set = BigInt(((data[bit >> 3] ?? 0) >> (bit & 7)) & 1);
    value = isBigEndian ? (value << 1n) | set : value | (set << BigInt(index));
    // Big-endian numbers go down in a byte, then to the highest bit of the next.
    bit = isBigEndian ? ((bit & 7) === 0 ? bit + 15 : bit - 1) : bit + 1;
  }
  return value;
}

describe('bits of a signal', () => {
  it('are read in both orders as bit by bit', () => {
    const numbers = random('places');
    for (let round = 0; round < 5_000; round++) {
      const place = { start: numbers.below(64), size: 1 + numbers.below(64), isBigEndian: numbers.below(2) === 1 };
      const data = randomBytes(16, numbers);
      const { from, to } = bytesOf(place);
      const alone = data.map((byte, index) => (index >= from && index < to ? byte : 0xa5));
      const expected = slowly(data, place);
      expect(BigInt(readInteger(alone, place, false)), JSON.stringify(place)).toBe(expected);
      expect(BigInt(readInteger(alone, place, true)), JSON.stringify(place)).toBe(BigInt.asIntN(place.size, expected));
    }
  });

  it('are bigint from 54 bits and number below', () => {
    const data = new Uint8Array(8).fill(0xff);
    expect(readInteger(data, { start: 0, size: 53, isBigEndian: false }, false)).toBe(2 ** 53 - 1);
    expect(readInteger(data, { start: 0, size: 54, isBigEndian: false }, false)).toBe(2n ** 54n - 1n);
    expect(readInteger(data, { start: 7, size: 64, isBigEndian: true }, true)).toBe(-1n);
  });

  it('are read from overlapping signals of both orders (SavvyCAN#955)', () => {
    const data = Uint8Array.from([0x02, 0xef, 0x70, 0x6e, 0x40, 0xc8, 0xc8, 0x00]);
    const read = (start: number, isBigEndian: boolean) => readInteger(data, { start, size: 16, isBigEndian }, false);
    expect([read(0, false), read(7, true), read(0, true)]).toEqual([61_186, 751, 30_648]);
  });

  it('are floating-point numbers of 32 and 64 bits', () => {
    const data = new Uint8Array(8);
    const view = new DataView(data.buffer);
    view.setFloat32(0, -1.5);
    expect(readFloat(data, { start: 7, size: 32, isBigEndian: true })).toBe(-1.5);
    view.setFloat64(0, Math.PI, true);
    expect(readFloat(data, { start: 0, size: 64, isBigEndian: false })).toBe(Math.PI);
  });
});

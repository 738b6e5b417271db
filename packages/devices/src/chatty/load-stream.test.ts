import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadChunks, loadLineCount, loadLineLength, loadLines } from './load-stream.ts';

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('load stream', () => {
  it('has lines of 40 bytes: number, text, CRC-32 as zlib counts it', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(), (number, seed) => {
        const line = textOf(loadLines(number, 1, seed));
        expect(line.length).toBe(loadLineLength);
        const match = /^(\d{8}) ([a-z .:_=-]{20}) ([0-9a-f]{8})\r\n$/.exec(line);
        expect(match).not.toBeNull();
        expect(Number(match?.[1])).toBe(number % 10 ** 8);
        expect(match?.[3]).toBe(crc32(line.slice(0, 29)).toString(16).padStart(8, '0'));
      }),
    );
  });

  it('is the same line by line, in chunks and as a whole', () => {
    const whole = loadLines(0, 5_000, 3);
    const lines = Array.from({ length: 5_000 }, (_, number) => textOf(loadLines(number, 1, 3)));
    expect(lines.join('')).toBe(textOf(whole));
    const hash = createHash('sha256');
    for (const chunk of loadChunks(5_000, 3)) {
      expect(chunk.length).toBeLessThanOrEqual(65_536);
      hash.update(chunk);
    }
    expect(hash.digest('hex')).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  it('differs from line to line and from seed to seed', () => {
    const texts = new Set(Array.from({ length: 2_000 }, (_, index) => textOf(loadLines(index, 1, 1)).slice(9, 29)));
    expect(texts.size).toBe(2_000);
    expect(textOf(loadLines(0, 100, 1))).not.toBe(textOf(loadLines(0, 100, 2)));
  });

  it('has the least whole number of lines with the bytes asked for', () => {
    expect(loadLineCount(4_000_000, 60)).toBe(6_000_000);
    expect(loadLineCount(41, 1)).toBe(2);
    expect(loadLineCount(1, 1)).toBe(1);
  });
});

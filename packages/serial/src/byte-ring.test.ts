import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteRing } from './byte-ring.ts';
import { latin1, utf8 } from './testing/line-channels.ts';

describe('byte ring', () => {
  it('keeps the last bytes of any stream at their absolute offsets', () => {
    const writes = fc.array(fc.uint8Array({ maxLength: 17 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 17, max: 50 }), writes, (capacity, chunks) => {
        const ring = new ByteRing(capacity);
        const stream: number[] = [];
        for (const chunk of chunks) {
          ring.write(chunk);
          stream.push(...chunk);
          const from = Math.max(0, stream.length - capacity);
          expect(ring.end).toBe(stream.length);
          expect([...ring.view(from, ring.end)]).toEqual(stream.slice(from));
          expect(ring.byteAt(ring.end - 1)).toBe(stream.at(-1) ?? 0);
        }
      }),
    );
  });

  it('copies bytes that wrap around the end of its memory into one piece', () => {
    const ring = new ByteRing(8);
    ring.write(utf8('abcdef'));
    ring.write(utf8('ghij'));
    const target = new Uint8Array(6).fill(0x2e);
    ring.copy(6, 10, target, 1);
    expect(latin1(target)).toBe('.ghij.');
    expect(ring.segments(6, 10)).toHaveLength(2);
  });

  it('refuses a write that is larger than itself', () => {
    expect(() => new ByteRing(4).write(new Uint8Array(5))).toThrow(RangeError);
  });

  it('gives a smaller ring the newest of its bytes', () => {
    const ring = new ByteRing(8);
    ring.write(utf8('abcdef'));
    ring.write(utf8('ghij'));
    const smaller = new ByteRing(5);
    smaller.takeOver(ring, 6);
    expect(latin1(smaller.view(6, 10))).toBe('ghij');
    smaller.write(utf8('kl'));
    expect(latin1(smaller.view(7, 12))).toBe('hijkl');
  });
});

import { describe, expect, it } from 'vitest';
import { ControlFinder } from './control-finder.ts';

describe('control finder', () => {
  it('finds a return at any place, unless a line feed is beside it', () => {
    for (let begin = 0; begin < 5; begin++) {
      for (let place = 1; place < 12; place++) {
        const text = (piece: string) =>
          new TextEncoder().encode(`.....${'a'.repeat(place)}${piece}bbbbbbbb`).subarray(begin);
        const first = (piece: string) => new ControlFinder(text(piece)).next(5 - begin);
        const at = 5 - begin + place;
        const length = 13 - begin + place;
        expect([first('\r'), first('\r\r')]).toEqual([at, at]);
        expect([first('\r\n'), first('\n\r'), first('\n')]).toEqual([length + 2, length + 2, length + 1]);
        expect([first('\r\r\n'), first('\r\nc\r')]).toEqual([at, at + 3]);
      }
    }
  });

  it('finds each control byte at any place and alignment, and nothing else', () => {
    for (const byte of [0x00, 0x07, 0x08, 0x1b]) {
      for (let begin = 0; begin < 5; begin++) {
        for (const length of [1, 3, 40, 41, 90]) {
          // Neighbours of control bytes, and bytes that differ from one by their high bit only.
          const memory = Uint8Array.from(
            { length: 100 },
            (_, index) => [0x06, 0x09, 0x1a, 0x1c, 0x9b, 0x88][index % 6] ?? 0,
          );
          const bytes = memory.subarray(begin, begin + length);
          expect(new ControlFinder(bytes).next(0)).toBe(length);
          for (let place = 0; place < length; place++) {
            const marked = new ControlFinder(
              memory
                .slice()
                .fill(byte, begin + place, begin + place + 1)
                .subarray(begin, begin + length),
            );
            expect([marked.next(0), marked.next(place), marked.next(place + 1)]).toEqual([place, place, length]);
          }
        }
      }
    }
  });
});

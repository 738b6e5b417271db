import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameBits, uartTrace } from './uart-trace.ts';

describe('UART trace', () => {
  it('draws U, the square wave of every oscilloscope, with its start and stop bit', () => {
    const { path, width } = uartTrace('U', { bit: 10, high: 1, low: 9, idle: 20, gap: 5 });
    expect(path).toBe('M0 1H20V9H30V1H40V9H50V1H60V9H70V1H80V9H90V1H100V9H110V1H120H125');
    expect(width).toBe(125);
  });

  it('frames any byte so that the bits between start and stop give it back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), (byte) => {
        const [start, ...rest] = frameBits(byte);
        expect([start, rest.at(-1), rest.length]).toEqual([0, 1, 9]);
        expect(rest.slice(0, 8).reduce<number>((sum, bit, place) => sum + bit * 2 ** place, 0)).toBe(byte);
      }),
    );
  });
});

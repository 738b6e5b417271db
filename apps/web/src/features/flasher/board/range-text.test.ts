import { describe, expect, it } from 'vitest';
import { typedRange } from './range-text.ts';

const flash = { start: 0, size: 0x400000, multipleOf: 0x1000 };

describe('a stretch of flash', () => {
  it('is read from hexadecimal and decimal numbers', () => {
    expect(typedRange('0x9000', '24576', flash)).toEqual({ ok: true, range: { offset: 0x9000, length: 0x6000 } });
  });

  it.each([
    ['', '0x1000', 'Enter addresses such as 0x9000.'],
    ['0x9000', '0', 'Start and length must be multiples of 0x1000.'],
    ['0x9100', '0x1000', 'Start and length must be multiples of 0x1000.'],
    ['0x3ff000', '0x2000', 'The flash ends at 0x400000.'],
  ])('from %j with %j bytes is refused', (from, length, fault) => {
    expect(typedRange(from, length, flash)).toEqual({ ok: false, fault });
  });

  it('may end anywhere while the size of the flash is not known', () => {
    expect(typedRange('0x0', '0x1000000', { ...flash, size: null })).toMatchObject({ ok: true });
  });
});

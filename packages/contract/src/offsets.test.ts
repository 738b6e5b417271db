import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatOffset, offsetFaultText, parseOffset, readTypedOffset } from './offsets.ts';

describe('a stored offset', () => {
  it('is read as it is written', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.boolean(), (offset, upper) => {
        const text = formatOffset(offset);
        expect(parseOffset(upper ? text.toUpperCase() : text)).toBe(offset);
        expect(parseOffset(String(offset))).toBe(offset);
      }),
      {
        examples: [
          [0, true],
          [0xffff_ffff, false],
        ],
      },
    );
  });

  it('is below 2³² or nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const offset = parseOffset(text);
        expect(offset === null || (Number.isInteger(offset) && offset >= 0 && offset < 2 ** 32)).toBe(true);
      }),
    );
    const refused = ['', '0x', '-1', '+1', '1e3', '1.0', '0b1', '1_000', '٣', '0x1g', '4294967296', '9'.repeat(30)];
    for (const text of refused) {
      expect(parseOffset(text), text).toBeNull();
    }
  });
});

describe('a typed offset', () => {
  it.each([
    ['0x10000', 0x10000],
    [' 0X0001F000 ', 0x1f000],
    ['0x0', 0],
  ])('%j is an address', (text, offset) => {
    expect(readTypedOffset(text)).toEqual({ fault: null, offset });
  });

  it.each([
    ['10000', '0x10000'],
    ['8000', '0x8000'],
    ['1f000', '0x1F000'],
    ['10000h', '0x10000'],
    ['65536', '0x10000'],
    ['4096', '0x1000'],
    ['0', '0x0'],
    ['08000000', '0x08000000'],
    ['123', '0x123'],
  ])('without 0x is never guessed: %s is refused with %s in one click', (text, suggestion) => {
    expect(readTypedOffset(text)).toEqual({ fault: 'no-prefix', suggestion });
    expect(offsetFaultText('app.bin', { fault: 'no-prefix', suggestion })).toBe(
      `The offset of "app.bin" has no 0x prefix. Use ${suggestion}.`,
    );
  });

  it.each(['0xZZ', '0x100000000', 'start', '-1', '1e9x', '0x'])('%j is no address', (text) => {
    expect(readTypedOffset(text)).toEqual({ fault: 'not-an-address', suggestion: null });
  });

  it('is taken only with its prefix, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readTypedOffset(text);
        expect(read.fault !== null || /^0x/i.test(text.trim())).toBe(true);
      }),
    );
  });
});

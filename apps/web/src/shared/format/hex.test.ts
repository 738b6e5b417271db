import { describe, expect, it } from 'vitest';
import { addressText, hexBytes, hexDigits, hexNumber, offsetText, wordText } from './hex.ts';

describe('hexadecimal numbers', () => {
  it('have upper-case digits behind 0x, a word of a processor always eight', () => {
    expect(wordText(0x4008_a1fc)).toBe('0x4008A1FC');
    expect(wordText(0xfc)).toBe('0x000000FC');
    expect(wordText(0xffff_ffff)).toBe('0xFFFFFFFF');
    expect(hexNumber(0x3c)).toBe('0x3C');
    expect(hexNumber(0xa)).toBe('0x0A');
    expect(hexNumber(0x1a2, 2)).toBe('0x1A2');
  });

  it('have no 0x in tables and dumps', () => {
    expect(hexDigits(0xd)).toBe('0D');
    expect(hexDigits(0xd, 1)).toBe('D');
    expect(hexBytes(Uint8Array.of(0, 0xab))).toBe('00 AB');
    expect(hexBytes([])).toBe('');
  });
});

describe('addresses in flash', () => {
  it('are short in a flash chip and have eight digits in a memory map', () => {
    expect([0, 0x1_0000, 0x13_a2bf, 0xff_ffff].map(addressText)).toEqual(['0x0', '0x10000', '0x13A2BF', '0xFFFFFF']);
    expect([0x100_0000, 0x0800_c000, 0xffff_ffff].map(addressText)).toEqual(['0x01000000', '0x0800C000', '0xFFFFFFFF']);
  });

  it('are written in one way, however a release stores them', () => {
    expect(offsetText('0x1a000')).toBe('0x1A000');
    expect(offsetText('0x8000000')).toBe('0x08000000');
    expect(offsetText('somewhere')).toBe('somewhere');
  });
});

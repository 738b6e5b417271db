import { random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { parseScale, scaleFloat, scaleToNumber } from './decimal.ts';

const scaled = (factor: string, offset: string, raw: number | bigint) => {
  const scale = parseScale(factor, offset);
  return scale === null ? null : scaleToNumber(scale, raw);
};

describe('decimal scales', () => {
  it('give the double nearest to the exact decimal', () => {
    expect(scaled('0.1', '0', 3)).toBe(0.3);
    expect(scaled('0.05', '0', 767)).toBe(38.35);
    expect(scaled('0.01', '5', -455190)).toBe(-4546.9);
    expect(scaled('0.03125', '-273', 59_647)).toBe(1590.96875);
    expect(scaled('1E-3', '+1.50', 250)).toBe(1.75);
    expect(scaled('1e3', '-.5', 2)).toBe(1999.5);
  });

  it('stay exact above 2^53', () => {
    expect(scaled('0.1', '0', 1_234_567_890_123_456_789n)).toBe(Number('123456789012345678.9'));
    expect(scaled('1000000', '1', 2 ** 52)).toBe(Number(`${2n ** 52n * 1_000_000n + 1n}`));
    expect(scaled('0.0000000000000000000000000001', '0', 5)).toBe(5e-28);
  });

  it('equal the parsed text of random decimals', () => {
    const numbers = random('decimals');
    for (let round = 0; round < 2_000; round++) {
      const digits = numbers.below(1_000_000);
      const places = numbers.below(7);
      const raw = numbers.below(2 ** 31) - 2 ** 30;
      const exact = Number(`${BigInt(digits) * BigInt(raw)}e-${places}`);
      expect(scaled(`${digits}e-${places}`, '0', raw)).toBe(exact === 0 ? 0 : exact);
    }
  });

  it('say in words what they do', () => {
    expect(parseScale('1', '0')?.how).toBeNull();
    expect(parseScale('0.01', '0')?.how).toBe('divided by 100');
    expect(parseScale('0.125', '-40')?.how).toBe('times 0.125, minus 40');
    expect(parseScale('-2', '0.5')?.how).toBe('times -2, plus 0.5');
  });

  it('scale floating-point numbers', () => {
    const scale = parseScale('0.5', '-1');
    expect(scale === null ? null : scaleFloat(scale, 0.25)).toBe(-0.875);
  });

  it.each(['', 'x', '1e999', '1e-999', '0x10', '1,5', '--1', '1'.repeat(61), 'Infinity', 'NaN'])(
    'refuse %j',
    (text) => {
      expect(parseScale(text, '0')).toBeNull();
      expect(parseScale('1', text)).toBeNull();
    },
  );
});

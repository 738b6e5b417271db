import { describe, expect, it } from 'vitest';
import { frequencyOf, timeOf } from './counter-panel.tsx';

const said = ({ value, uncertainty, unit }: ReturnType<typeof timeOf>) => `${value} ± ${uncertainty} ${unit}`;

describe('a quantity', () => {
  it('has the unit that keeps it short, and one digit that is uncertain', () => {
    expect(said(timeOf(1_000_000, 1.7))).toBe('1.000000 ± 0.000002 ms');
    expect(said(frequencyOf(1_000_000, 1.7))).toBe('1.000000 ± 0.000002 kHz');
    expect(said(timeOf(200, 0.8))).toBe('200.0 ± 0.8 ns');
    expect(said(frequencyOf(200, 0.8))).toBe('5.00 ± 0.02 MHz');
    expect(said(timeOf(142_857_143, 6_375))).toBe('142.857 ± 0.007 ms');
    expect(said(frequencyOf(142_857_143, 6_375))).toBe('7.0000 ± 0.0004 Hz');
  });

  it('is never shown with more precision than it has', () => {
    for (const uncertainty of [0.001, 0.09, 0.11, 0.5, 0.99, 1, 1.01, 9.5, 37]) {
      const { uncertainty: written, unit } = timeOf(640, uncertainty);
      expect(unit).toBe('ns');
      expect(Number(written)).toBeGreaterThanOrEqual(uncertainty - 1e-9);
    }
  });

  it('is rounded to whole units if its uncertainty is below one', () => {
    expect(said(timeOf(1_500, 700))).toBe('1.5 ± 0.7 µs');
    expect(said(timeOf(150, 37))).toBe('150 ± 37 ns');
  });
});

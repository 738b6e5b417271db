import { curveBreak } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { fitOneAxis, joined, type LaneMode, lanesOf, parted, scaleFor, valueAt } from './lanes.ts';

const curve = (id: number, low: number, high: number, names: readonly string[] = []) => ({
  id,
  low,
  high,
  valueNames: new Map(names.map((name, value) => [value, name])),
});
const climate = [curve(1, 23.4, 24.8), curve(2, 46.2, 47.3), curve(3, 967.9, 968.6), curve(4, 899, 1_561)];
const lanes = (curves: readonly ReturnType<typeof curve>[], mode: LaneMode, groups: number[][] = []) =>
  lanesOf(curves, mode, groups).map(({ ids, kind }) => `${ids.join('+')}${kind === 'numbers' ? '' : ` ${kind}`}`);

describe('lanes', () => {
  it('are one axis while each curve takes a twentieth of it', () => {
    expect(fitOneAxis([curve(1, 0, 100), curve(2, 10, 15)])).toBe(true);
    expect(fitOneAxis([curve(1, 0, 100), curve(2, 10, 14)])).toBe(false);
    expect(fitOneAxis([curve(1, 20, 24), curve(2, 968, 972)])).toBe(false);
    expect(fitOneAxis([curve(1, 20, 20), curve(2, 0, 1_000)])).toBe(true);
    expect(fitOneAxis([])).toBe(true);
  });

  it('are made by themselves when the ranges of curves differ', () => {
    expect(lanes(climate, 'auto')).toEqual(['1', '2', '3', '4']);
    expect(lanes([curve(1, 0, 10), curve(2, 5, 9)], 'auto')).toEqual(['1+2']);
  });

  it('have steps for one or two named values, and bands for more', () => {
    const named = [curve(1, 0, 1, ['off', 'on']), curve(2, 0, 2, ['idle', 'run', 'fault']), curve(3, 0, 1)];
    expect(lanes(named, 'one')).toEqual(['1 steps', '2 bands', '3']);
  });

  it('are those that the user chose', () => {
    expect(lanes(climate, 'one')).toEqual(['1+2+3+4']);
    expect(lanes([curve(1, 0, 10), curve(2, 5, 9)], 'lanes')).toEqual(['1', '2']);
    expect(lanes(climate, 'lanes', [[1, 3]])).toEqual(['1+3', '2', '4']);
    expect(lanes([curve(1, 0, 10), curve(2, 5, 9), curve(3, 1, 2)], 'auto', [[1, 2]])).toEqual(['1+2', '3']);
  });

  it('keep texts apart from numbers', () => {
    expect(lanes([curve(1, 0, 9), curve(2, 0, 1, ['off', 'on', 'fault']), curve(3, 0, 9)], 'one')).toEqual([
      '1+3',
      '2 bands',
    ]);
  });

  it('are joined and parted', () => {
    const whole = { ids: [2], kind: 'numbers' as const };
    expect(joined([], whole, 4)).toEqual([[2, 4]]);
    expect(joined([[1, 4]], whole, 4)).toEqual([[2, 4]]);
    expect(joined([[2, 3]], { ids: [2, 3], kind: 'numbers' as const }, 4)).toEqual([[2, 3, 4]]);
    expect(
      parted(
        [
          [2, 3, 4],
          [5, 6],
        ],
        3,
      ),
    ).toEqual([
      [2, 4],
      [5, 6],
    ]);
    expect(parted([[2, 4]], 4)).toEqual([]);
  });

  it('have scales with some room around their values', () => {
    expect(scaleFor(0, 100)).toEqual({ low: -8, high: 108 });
    expect(scaleFor(50, 50)).toEqual({ low: 45, high: 55 });
    expect(scaleFor(0, 0)).toEqual({ low: -1, high: 1 });
    expect(scaleFor(Number.NaN, Number.NaN)).toEqual({ low: 0, high: 1 });
  });
});

const none = Number.NaN;

it.each([
  [[1, none, 2], 1, 1],
  [[1, none, none], 2, 1],
  [[1, none, curveBreak, 2], 1, null],
  [[1, curveBreak, none, 2], 2, null],
  [[1, curveBreak, 2], 2, 2],
  [[none, none], 1, undefined],
])('points at the newest value of %j at place %i, and at none in a gap', (column, place, value) => {
  expect(valueAt(column, place)).toBe(value);
});

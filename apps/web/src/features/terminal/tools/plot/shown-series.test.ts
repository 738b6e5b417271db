import type { PlotSeries } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { foundCurves, shownSeries } from './shown-series.ts';

const series = (id: number, points: number, from = 0, to = 100): PlotSeries => {
  const values = { last: 1, low: 0, high: 1, unit: '', valueNames: new Map() };
  return {
    id,
    port: 1,
    name: `${id}`,
    points,
    dropped: 0,
    from,
    to,
    hasBoardTimes: false,
    wholeValues: null,
    ...values,
  };
};
const shown = (all: readonly PlotSeries[], wanted = {}, isOnly = false) =>
  shownSeries({ series: all, from: 50, to: 150 }, { wanted, isOnly }).map(
    (one) => `${one.id} ${one.shown ? 'on' : 'off'}`,
  );

describe('the curves that are drawn', () => {
  it('are the regular ones, once there are any', () => {
    expect(shown([series(1, 2), series(2, 4)])).toEqual(['1 on', '2 on']);
    expect(shown([series(1, 2), series(2, 5)])).toEqual(['1 off', '2 on']);
  });

  it('are the ones that the user selects', () => {
    expect(shown([series(1, 2), series(2, 500)], { 1: true, 2: false })).toEqual(['1 on', '2 off']);
  });

  it('are only those that the user selects where others are not wanted', () => {
    expect(shown([series(1, 2), series(2, 500), series(3, 500)], { 2: true }, true)).toEqual([
      '1 off',
      '2 on',
      '3 off',
    ]);
  });

  it('are eight without a choice, so that lanes can be told apart', () => {
    const all = Array.from({ length: 12 }, (_, id) => series(id, 9));
    expect(shown(all).filter((one) => one.endsWith('on'))).toHaveLength(8);
    expect(shown(all, { 11: true })).toContain('11 on');
  });

  it('exclude series outside the visible range', () => {
    expect(shown([series(1, 9, 0, 49), series(2, 9, 150, 160), series(3, 9, 149, 160)])).toEqual(['3 on']);
  });
});

const named = [
  { name: 'gga.satellites', unit: '' },
  { name: 'gsv.gps.satellites', unit: '' },
  { name: 'speed', unit: 'm/s' },
  { name: 'W.AvgPow(W)', unit: '' },
  { name: 'Board temperature', unit: '°C' },
];

it.each([
  ['', ['gga.satellites', 'gsv.gps.satellites', 'speed', 'W.AvgPow(W)', 'Board temperature']],
  ['SAT', ['gga.satellites', 'gsv.gps.satellites']],
  ['sat gps', ['gsv.gps.satellites']],
  ['m/s', ['speed']],
  ['°c', ['Board temperature']],
  ['avgpow w', ['W.AvgPow(W)']],
  ['volt', []],
])('finds curves by "%s" in names and units', (search, names) => {
  expect(foundCurves(named, search).map(({ name }) => name)).toEqual(names);
});

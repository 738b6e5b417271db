import type { PlotSeries } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { shownSeries } from './shown-series.ts';

const series = (id: number, points: number, from = 0, to = 100): PlotSeries => {
  return { id, port: 1, name: `${id}`, points, last: 1, from, to };
};
const shown = (all: readonly PlotSeries[], wanted = {}) =>
  shownSeries({ series: all, from: 50, to: 150 }, wanted).map((one) => `${one.id} ${one.shown ? 'on' : 'off'}`);

describe('the curves that are drawn', () => {
  it('are those that come regularly, once there are any', () => {
    expect(shown([series(1, 2), series(2, 4)])).toEqual(['1 on', '2 on']);
    expect(shown([series(1, 2), series(2, 5)])).toEqual(['1 off', '2 on']);
  });

  it('are what a person wants', () => {
    expect(shown([series(1, 2), series(2, 500)], { 1: true, 2: false })).toEqual(['1 on', '2 off']);
  });

  it('are none that are out of sight', () => {
    expect(shown([series(1, 9, 0, 49), series(2, 9, 150, 160), series(3, 9, 149, 160)])).toEqual(['3 on']);
  });
});

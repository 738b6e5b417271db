import { describe, expect, it } from 'vitest';
import { choosePlot, holdPlot, moved, noteSeries, plotStore, setSpan, showSeries, zoomed } from './plot-store.ts';
import { lookOf } from './series-look.ts';

describe('the part of the plot that is looked at', () => {
  it('is zoomed about the place where the pointer is', () => {
    expect(zoomed({ from: 100, to: 200 }, 0.5, 0)).toEqual({ from: 100, to: 150 });
    expect(zoomed({ from: 100, to: 200 }, 0.5, 1)).toEqual({ from: 150, to: 200 });
    expect(zoomed({ from: 100, to: 200 }, 2)).toEqual({ from: 50, to: 250 });
  });

  it('always has a length', () => {
    expect(zoomed({ from: 100, to: 106 }, 0.5)).toEqual({ from: 100.5, to: 105.5 });
  });

  it('moves by a share of itself', () => {
    expect(moved({ from: 100, to: 200 }, -0.25)).toEqual({ from: 75, to: 175 });
  });

  it('is live again, with all series, when other numbers are chosen', () => {
    holdPlot({ from: 1, to: 2 });
    showSeries(3, false);
    choosePlot({ format: 'columns' });
    expect(plotStore.getState()).toMatchObject({
      choice: { port: null, format: 'columns' },
      held: null,
      wanted: {},
      order: [],
    });
  });

  it('is live again when another span is chosen', () => {
    holdPlot({ from: 1, to: 2 });
    setSpan(10_000);
    expect(plotStore.getState()).toMatchObject({ span: 10_000, held: null });
  });

  it('keeps the colours of its series when others come between them', () => {
    choosePlot({});
    noteSeries([3, 8]);
    noteSeries([3, 5, 8]);
    expect([3, 5, 8].map((id) => lookOf(id).colour)).toEqual([0, 2, 1]);
    noteSeries([10, 11, 12, 13, 14, 15]);
    expect(lookOf(15)).toEqual({ colour: 0, dash: [7, 4] });
  });
});

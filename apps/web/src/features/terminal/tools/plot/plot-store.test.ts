import { describe, expect, it } from 'vitest';
import { moved, zoomed } from '../../../../workbench/plot/stretch.ts';
import { choosePlot, holdPlot, noteSeries, plotNow, setOwnScales, setSpan, showSeries } from './plot-store.ts';
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

  it('moves by a fraction of itself', () => {
    expect(moved({ from: 100, to: 200 }, -0.25)).toEqual({ from: 75, to: 175 });
  });

  it('is live again, with all series, when other numbers are chosen', () => {
    holdPlot({ from: 1, to: 2 });
    showSeries(3, false);
    choosePlot({ format: 'columns' });
    expect(plotNow()).toMatchObject({
      choice: { port: null, format: 'columns' },
      held: null,
      wanted: {},
      order: [],
    });
  });

  it('is live again when another span is chosen', () => {
    holdPlot({ from: 1, to: 2 });
    setSpan(10_000);
    expect(plotNow()).toMatchObject({ span: 10_000, held: null });
  });

  it('keeps the scales that were chosen when other numbers are', () => {
    setOwnScales(true);
    choosePlot({ format: 'any' });
    expect(plotNow().ownScales).toBe(true);
    setOwnScales(false);
  });

  const of = (port: 1 | 2, ...ids: number[]) => ids.map((id) => ({ id, port }));

  it("gives a port's first series the colour of the port", () => {
    choosePlot({});
    noteSeries([...of(2, 4), ...of(1, 0)]);
    expect([lookOf(4), lookOf(0)]).toEqual([
      { colour: 1, dash: [] },
      { colour: 0, dash: [] },
    ]);
  });

  it('keeps the colours of its series when others come between them', () => {
    choosePlot({});
    noteSeries(of(1, 3, 8));
    noteSeries(of(1, 3, 5, 8));
    expect([3, 5, 8].map((id) => lookOf(id).colour)).toEqual([0, 5, 4]);
    noteSeries(of(1, 10, 11, 12));
    expect(lookOf(12)).toEqual({ colour: 4, dash: [7, 4] });
  });
});

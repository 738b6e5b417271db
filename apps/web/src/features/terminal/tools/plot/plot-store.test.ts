import { describe, expect, it } from 'vitest';
import { moved, zoomed, zoomedTo } from '../../../../workbench/plot/stretch.ts';
import {
  askSeries,
  choosePlot,
  dropSeries,
  holdPlot,
  isAsked,
  noteSeries,
  placeCursor,
  plotNow,
  setGroups,
  setLook,
  setMode,
  setSpan,
  showSeries,
} from './plot-store.ts';
import { lookOf } from './series-look.ts';

describe('the part of the plot that is looked at', () => {
  it('is zoomed about the place where the pointer is', () => {
    expect(zoomed({ from: 100, to: 200 }, 0.5, 0)).toEqual({ from: 100, to: 150 });
    expect(zoomed({ from: 100, to: 200 }, 0.5, 1)).toEqual({ from: 150, to: 200 });
    expect(zoomed({ from: 100, to: 200 }, 2)).toEqual({ from: 50, to: 250 });
  });

  it('is zoomed about a cursor in it, or else about its middle', () => {
    expect(zoomedTo({ from: 100, to: 200 }, 0.5, 175)).toEqual({ from: 137.5, to: 187.5 });
    expect(zoomedTo({ from: 100, to: 200 }, 0.5, 250)).toEqual({ from: 125, to: 175 });
    expect(zoomedTo({ from: 100, to: 200 }, 0.5, null)).toEqual({ from: 125, to: 175 });
  });

  it('always has a length', () => {
    expect(zoomed({ from: 100, to: 101 }, 0.5)).toEqual({ from: 100, to: 101 });
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

  it('keeps the scales that were chosen when other numbers are, and parts lanes that were joined', () => {
    setGroups([[1, 2]]);
    choosePlot({ format: 'any' });
    expect(plotNow()).toMatchObject({ mode: 'lanes', groups: [] });
    setGroups([[1, 2]]);
    setMode('one');
    expect(plotNow()).toMatchObject({ mode: 'one', groups: [] });
    setMode('auto');
  });

  it('removes cursor B with A, and moves the one that was placed last', () => {
    const cursor = (sequence: number) => ({ sequence, at: sequence, values: new Map() });
    placeCursor('a', cursor(1));
    placeCursor('b', cursor(2));
    expect(plotNow().cursors).toMatchObject({ a: { sequence: 1 }, b: { sequence: 2 }, moved: 'b' });
    placeCursor('b', null);
    expect(plotNow().cursors).toMatchObject({ a: { sequence: 1 }, b: null, moved: 'a' });
    placeCursor('b', cursor(3));
    placeCursor('a', null);
    expect(plotNow().cursors).toEqual({ a: null, b: null, moved: 'a' });
  });

  const of = (port: 1 | 2, ...ids: number[]) => ids.map((id) => ({ id, port, name: `series ${id}` }));

  it('shows a series that was asked for as soon as it is there, over time and of its port', () => {
    choosePlot({ port: 2 });
    setLook('xy');
    askSeries({ port: 1, name: 'series 9' });
    expect(plotNow()).toMatchObject({ choice: { port: 1 }, look: 'time', wanted: {} });
    noteSeries([...of(2, 9), ...of(1, 4)]);
    expect(plotNow().wanted).toEqual({});
    noteSeries(of(1, 9));
    expect(plotNow()).toMatchObject({ wanted: { 9: true }, asked: [] });
    choosePlot({ port: null });
  });

  it('shows the first series that was asked for alone, and others beside it', () => {
    choosePlot({ port: null });
    noteSeries(of(1, 4, 5, 6));
    askSeries({ port: 1, name: 'series 5' });
    expect(plotNow()).toMatchObject({ isOnly: true, wanted: { 5: true } });
    askSeries({ port: 1, name: 'later' });
    expect(isAsked(plotNow(), { port: 1, name: 'later' })).toBe(true);
    noteSeries([{ id: 7, port: 1, name: 'later' }]);
    expect(plotNow()).toMatchObject({ isOnly: true, wanted: { 5: true, 7: true }, asked: [] });
    dropSeries({ port: 1, name: 'series 5' });
    expect(plotNow()).toMatchObject({ isOnly: true, wanted: { 5: false, 7: true } });
    dropSeries({ port: 1, name: 'later' });
    expect(plotNow()).toMatchObject({ isOnly: false, wanted: {}, asked: [] });
  });

  it('keeps the curves that were chosen in the plot when a series is asked for', () => {
    choosePlot({ port: null });
    noteSeries(of(1, 4, 5));
    showSeries(4, false);
    askSeries({ port: 1, name: 'series 5' });
    expect(plotNow()).toMatchObject({ isOnly: false, wanted: { 4: false, 5: true } });
    choosePlot({ port: null });
  });

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

/**
 * The curves of the plot in their lanes: requests pictures and gives them to the canvas, which is painted outside of React. The pointer and
 * the keys zoom, and place the cursors.
 */
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
} from 'react';
import type { PlotPicture, PlotView } from '../../../../protocol/bench/plot-part.ts';
import { watchSize, watchTheme } from '../../../../shared/ui/watch-look.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { moved, type Stretch, zoomed, zoomedTo } from '../../../../workbench/plot/stretch.ts';
import { LaneCanvas } from './lane-canvas.ts';
import { extentOf, lanesOf, type Scale, valueAt } from './lanes.ts';
import { clearCursor, placeNear, stepCursor } from './plot-cursors.ts';
import { PlotLoop } from './plot-loop.ts';
import styles from './plot-panel.module.css';
import { holdPlot, noteSeries, onPlotChange, plotNow, rateKey, setRange } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { shownSeries } from './shown-series.ts';
import { grownRange, laneScale, zoomedRange, zoomStep } from './value-range.ts';

/** Figures of a picture for the panel, updated at a readable rate. */
export type PlotFacts = Omit<PlotPicture, 'revision' | 'window'>;

/** Values at the pointer. */
export interface PointedValues {
  /** Time at the pointer, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Values by series id. Series without a value near the pointer are missing. */
  readonly values: ReadonlyMap<number, number>;
}

export interface PlotCurvesHandle {
  /**
   * Pauses the plot at the range that `change` returns for the shown one. If the plot has just gone live, this waits
   * for its first picture.
   */
  hold(change: (shown: Stretch) => Stretch): void;
  /** Zooms the values of the lane that has a curve. @param factor Below 1 zooms in. */
  zoomValues(id: number, factor: number): void;
  /** Returns the lowest and the highest value that a curve's lane shows; null without any. */
  shownValues(id: number): Scale | null;
  /** Returns the scale of the lane that has a curve; null without one. */
  scaleOf(id: number): Scale | null;
  /** Returns the shown curves as a PNG file, or undefined if nothing is shown. */
  image(): Promise<Blob> | undefined;
}

export interface PlotCurvesProps {
  readonly ref?: Ref<PlotCurvesHandle>;
  /** Heads of the lanes, as tall as the curves. */
  readonly heads: ReactNode;
  /** Number of lanes. */
  readonly lanes: number;
  readonly onFacts: (facts: PlotFacts) => void;
  readonly onPointed: (pointed: PointedValues | null) => void;
}

/** Time between two updates of the figures, in milliseconds. */
const factInterval = 200;
/** Movement from which a press is a drag, in px. */
const dragDistance = 4;

/** Renders the plot as a PNG for a report: curves on the theme's background, with a legend above. */

interface NamedCurve {
  readonly id: number;
  readonly name: string;
}

/** Height of the legend, in CSS pixels. */
const legendHeight = 28;
const legendGap = 18;

/**
 * Draws the image.
 *
 * @param root Element whose style defines the colours.
 * @throws Error if the browser cannot create the image.
 */
async function plotImage(
  { canvas: chart, axis }: LaneCanvas,
  root: HTMLElement,
  curves: readonly NamedCurve[],
): Promise<Blob> {
  const scale = window.devicePixelRatio;
  const picture = document.createElement('canvas');
  picture.width = chart.width;
  picture.height = chart.height + axis.height + legendHeight * scale;
  const context = picture.getContext('2d');
  if (context === null) {
    throw new Error('This browser has no canvas.');
  }
  const style = getComputedStyle(root);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  context.fillStyle = colour('--color-well');
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(chart, 0, legendHeight * scale);
  context.drawImage(axis, 0, legendHeight * scale + chart.height);
  context.scale(scale, scale);
  context.font = `12px ${colour('--font-mono')}`;
  context.textBaseline = 'middle';
  let left = 12;
  for (const { id, name } of curves) {
    const look = lookOf(id);
    context.strokeStyle = colour(`--series-${look.colour}`);
    context.lineWidth = 2;
    context.setLineDash([...look.dash]);
    context.beginPath();
    context.moveTo(left, legendHeight / 2);
    context.lineTo(left + 22, legendHeight / 2);
    context.stroke();
    context.fillStyle = colour('--color-text');
    context.fillText(name, left + 28, legendHeight / 2);
    left += 28 + context.measureText(name).width + legendGap;
  }
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => (blob === null ? reject(new Error('The picture is too large.')) : resolve(blob)));
  });
}

export function PlotCurves({ ref, heads, lanes, onFacts, onPointed }: PlotCurvesProps) {
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const axis = useRef<HTMLCanvasElement>(null);
  const hover = useRef<HTMLDivElement>(null);
  const selected = useRef<HTMLDivElement>(null);
  const chart = useRef<LaneCanvas>(null);
  const picture = useRef<PlotPicture>(null);
  /** True: `picture` is a live picture. */
  const showsLive = useRef(false);
  /** Pending `hold`, until the first live picture arrives. */
  const toBeHeld = useRef<((shown: Stretch) => Stretch) | null>(null);
  const facts = useEffectEvent(onFacts);
  const pointed = useEffectEvent(onPointed);

  useEffect(() => {
    const [element, lanesCanvas, timesCanvas] = [root.current, canvas.current, axis.current];
    if (element === null || lanesCanvas === null || timesCanvas === null) {
      return;
    }
    const made = new LaneCanvas(element, lanesCanvas, timesCanvas, lookOf);
    chart.current = made;
    let reportedAt = 0;
    let laneKey = '';
    const tell = (shown: PlotPicture) => {
      reportedAt = performance.now();
      facts(shown);
    };
    const paint = (shown: PlotPicture) => {
      const { mode, groups, cursors } = plotNow();
      const { window } = shown;
      const all = shownSeries(shown, plotNow()).filter((one) => one.shown);
      const drawn = lanesOf(all, mode, groups);
      const key = drawn.map(({ ids }) => ids.join('+')).join();
      if (key !== laneKey) {
        // The heads of the lanes must not stand beside other curves.
        laneKey = key;
        tell(shown);
      }
      const values = new Map(all.map((one) => [one.id, one]));
      made.show(
        window && {
          from: shown.from,
          to: shown.to,
          window,
          lanes: drawn.map((lane) => ({ ...lane, scale: scaleOfLane(lane.ids, shown) })),
          valuesOf: (id) => values.get(id) ?? noValues,
          cursors: [cursors.a?.at ?? null, cursors.b?.at ?? null],
        },
      );
    };
    const loop = new PlotLoop({
      view: () => viewOf(made.width, picture.current),
      pull: (view) => getBench().call('plotPicture', view),
      onPicture: (shown, view) => {
        const isLive = plotNow().held === null;
        if (isLive !== (view.from === null)) {
          // The plot was paused or went live during the request. Another picture is already requested.
          return;
        }
        const before = picture.current;
        const turned = showsLive.current !== isLive;
        picture.current = shown;
        showsLive.current = isLive;
        noteSeries(shown.series);
        paint(shown);
        // The set of hidden series has changed: the next picture needs the points of those that are drawn now.
        if (String(viewOf(made.width, before).hidden) !== String(viewOf(made.width, shown).hidden)) {
          loop.invalidate();
        }
        if (turned || before?.series.length !== shown.series.length || performance.now() - reportedAt >= factInterval) {
          tell(shown);
        }
        if (isLive && toBeHeld.current !== null) {
          holdPlot(toBeHeld.current({ from: shown.from, to: shown.to }));
        }
      },
    });
    // Also reports the last picture, after which no other follows.
    const timer = setInterval(() => picture.current !== null && tell(picture.current), factInterval);
    let revision = -1;
    const endTicks = benchStatus.onTick(({ plotRevision }) => {
      if (plotRevision !== revision) {
        revision = plotRevision;
        loop.invalidate();
      }
    });
    const endChoices = onPlotChange(({ held, span, cursors }, before) => {
      const placed = cursors === before.cursors ? null : cursors[cursors.moved];
      const shown = picture.current;
      // All points are chosen, but the picture may still be one of fewer.
      const isWhole = held === null && span === null;
      if (placed !== null && !isWhole && shown !== null && (placed.at < shown.from || placed.at > shown.to)) {
        // A line of the log, or a step beyond the edge: the plot goes there.
        const half = (shown.to - shown.from) / 2;
        holdPlot({ from: placed.at - half, to: placed.at + half });
        return;
      }
      if (held !== null) {
        toBeHeld.current = null;
      }
      if (picture.current !== null) {
        paint(picture.current);
      }
      loop.invalidate();
    });
    const endSizes = watchSize(element, () => {
      made.resize();
      loop.invalidate();
    });
    const endThemes = watchTheme(() => made.repaint());
    loop.invalidate();
    return () => {
      chart.current = null;
      clearInterval(timer);
      for (const end of [endTicks, endChoices, endSizes, endThemes]) {
        end();
      }
      loop.end();
    };
  }, []);

  const hold = (change: (shown: Stretch) => Stretch) => {
    const shown = plotNow().held ?? (showsLive.current ? picture.current : null);
    if (shown === null) {
      toBeHeld.current = change;
    } else {
      holdPlot(change({ from: shown.from, to: shown.to }));
    }
  };
  const laneOf = (id: number) => chart.current?.picture?.lanes.find(({ ids }) => ids.includes(id));
  const laneSeries = (ids: readonly number[]) => picture.current?.series.filter(({ id }) => ids.includes(id)) ?? [];
  const zoomLane = (ids: readonly number[], factor: number, at = 0.5) => {
    const lane = laneOf(ids[0] ?? -1);
    const named = laneSeries(ids).find(({ id }) => id === ids[0]);
    const range = lane === undefined || lane.kind === 'bands' ? null : zoomedRange(lane.scale, factor, at);
    if (named !== undefined && range !== null) {
      setRange(named, range);
    }
  };
  useImperativeHandle(ref, () => ({
    hold,
    zoomValues: (id, factor) => zoomLane(laneOf(id)?.ids ?? [], factor),
    scaleOf: (id) => laneOf(id)?.scale ?? null,
    shownValues: (id) => {
      const ids = laneOf(id)?.ids ?? [];
      const extent = extentOf(chart.current?.picture?.window.series.filter((one) => ids.includes(one.id)) ?? []);
      return extent.high >= extent.low ? extent : null;
    },
    image: () => {
      const shown = picture.current;
      if (chart.current === null || root.current === null || !shown?.window) {
        return undefined;
      }
      const curves = shownSeries(shown, plotNow()).filter((one) => one.shown);
      return plotImage(chart.current, root.current, curves);
    },
  }));

  /** Returns a place in the curves: as a share of their width, as a time, as the ids of its lane, and as a share of its height. */
  const placeAt = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const shown = chart.current?.picture;
    const box = root.current?.getBoundingClientRect();
    if (!shown || box === undefined || box.width === 0) {
      return null;
    }
    const share = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
    const place = ((clientY - box.top) / box.height) * shown.lanes.length;
    const lane = shown.lanes[Math.floor(place)];
    const height = 1 - (place - Math.floor(place));
    return { share, at: shown.from + share * (shown.to - shown.from), ids: lane?.ids ?? [], height };
  };
  usePointer(root, {
    onPoint: (event) => {
      const place = event === null ? null : placeAt(event);
      const shown = chart.current?.picture;
      hover.current?.style.setProperty('left', `${(place?.share ?? 0) * 100}%`);
      hover.current?.toggleAttribute('hidden', place === null);
      const values = place === null || !shown ? null : valuesAt(shown.window, place.share);
      pointed(place === null || values === null || values.size === 0 ? null : { at: place.at, values });
    },
    onDrag: (first, last) => {
      const [one, other] = [placeAt(first), last === null ? null : placeAt(last)];
      selected.current?.toggleAttribute('hidden', one === null || other === null);
      if (one !== null && other !== null) {
        selected.current?.style.setProperty('left', `${Math.min(one.share, other.share) * 100}%`);
        selected.current?.style.setProperty('width', `${Math.abs(one.share - other.share) * 100}%`);
      }
    },
    onSelect: (first, last) => {
      const [one, other] = [placeAt(first), placeAt(last)];
      if (one !== null && other !== null) {
        holdPlot(zoomed({ from: Math.min(one.at, other.at), to: Math.max(one.at, other.at) }, 1));
      }
    },
    onPress: (event) => {
      const place = placeAt(event);
      if (place !== null) {
        void placeNear(event.shiftKey ? 'b' : 'a', place.at, place.ids);
      }
    },
    onTurn: (event) => {
      const place = placeAt(event);
      if (place !== null && event.ctrlKey) {
        zoomLane(place.ids, event.deltaY > 0 ? zoomStep : 1 / zoomStep, place.height);
      } else if (place !== null) {
        hold((shown) => zoomed(shown, event.deltaY > 0 ? zoomStep : 1 / zoomStep, place.share));
      }
    },
    onLive: (event) => {
      // The first double click takes back a range of the lane, the next one the pause.
      const named = laneSeries(placeAt(event)?.ids ?? []).find((one) => plotNow().ranges[rateKey(one)] !== undefined);
      if (named === undefined) {
        holdPlot(null);
      } else {
        setRange(named, null);
      }
    },
  });

  const pressed = (event: KeyboardEvent) => {
    const shown = picture.current;
    if (event.ctrlKey || event.metaKey || event.altKey || shown === null || event.target !== event.currentTarget) {
      return;
    }
    const ids = shownSeries(shown, plotNow()).flatMap((one) => (one.shown ? [one.id] : []));
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowRight':
        void stepCursor(event.key === 'ArrowRight' ? 1 : -1, ids, event.shiftKey, shown);
        break;
      case 'Escape':
        if (!clearCursor()) {
          return;
        }
        break;
      case '+':
        hold((one) => zoomedTo(one, 1 / zoomStep, cursorTime()));
        break;
      case '-':
        hold((one) => zoomedTo(one, zoomStep, cursorTime()));
        break;
      case 'PageUp':
      case 'PageDown':
        hold((one) => moved(one, event.key === 'PageUp' ? -0.5 : 0.5));
        break;
      case 'End':
        holdPlot(null);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div
      className={`ring-inside ${styles['area']}`}
      role="group"
      aria-label="Plot: arrow keys move the cursor, plus and minus zoom"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move the cursor.
      tabIndex={0}
      data-plot-area=""
      onKeyDown={pressed}
    >
      <div className={styles['lanes']} style={{ '--lanes': Math.max(1, lanes) } as React.CSSProperties}>
        {heads}
        <div ref={root} className={styles['curves']} role="img" aria-label="Curves of the numbers in the log">
          <canvas ref={canvas} />
          <div ref={selected} className={styles['selected']} hidden />
          <div ref={hover} className={styles['hover']} hidden />
        </div>
      </div>
      <div className={styles['axis']}>
        <canvas ref={axis} />
      </div>
    </div>
  );
}

type Point = Pick<MouseEvent, 'clientX' | 'clientY' | 'shiftKey'>;

interface PointerActs {
  /** The pointer has moved, or left (null). */
  readonly onPoint: (event: Point | null) => void;
  /** A range is being selected, or no longer (`last` is null). */
  readonly onDrag: (first: Point, last: Point | null) => void;
  readonly onSelect: (first: Point, last: Point) => void;
  readonly onPress: (event: Point) => void;
  readonly onTurn: (event: WheelEvent) => void;
  readonly onLive: (event: Point) => void;
}

/** Listens to the pointer over an element. A drag selects, a press without a movement does not. */
function usePointer(element: React.RefObject<HTMLElement | null>, acts: PointerActs): void {
  const point = useEffectEvent(acts.onPoint);
  const drag = useEffectEvent(acts.onDrag);
  const select = useEffectEvent(acts.onSelect);
  const press = useEffectEvent(acts.onPress);
  const turn = useEffectEvent(acts.onTurn);
  const live = useEffectEvent(acts.onLive);
  useEffect(() => {
    const { current } = element;
    if (current === null) {
      return;
    }
    const ending = new AbortController();
    const { signal } = ending;
    let first: PointerEvent | null = null;
    let isDrag = false;
    const end = () => {
      if (first !== null) {
        drag(first, null);
      }
      first = null;
      isDrag = false;
    };
    current.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button === 0 && event.isPrimary) {
          first = event;
        }
      },
      { signal },
    );
    current.addEventListener(
      'pointermove',
      (event) => {
        point(event);
        if (first === null) {
          return;
        }
        if (!isDrag && Math.abs(event.clientX - first.clientX) >= dragDistance) {
          isDrag = true;
          current.setPointerCapture(first.pointerId);
        }
        if (isDrag) {
          drag(first, event);
        }
      },
      { signal },
    );
    current.addEventListener(
      'pointerup',
      (event) => {
        if (first !== null && isDrag) {
          select(first, event);
        } else if (first !== null) {
          press(event);
        }
        end();
      },
      { signal },
    );
    current.addEventListener('pointercancel', end, { signal });
    current.addEventListener('pointerleave', () => point(null), { signal });
    current.addEventListener('dblclick', (event) => live(event), { signal });
    current.addEventListener(
      'wheel',
      (event) => {
        if (event.deltaY !== 0) {
          event.preventDefault();
          turn(event);
        }
      },
      { signal, passive: false },
    );
    return () => ending.abort();
  }, [element]);
}

const noValues = { valueNames: new Map<number, string>(), wholeValues: null };

/** Returns the scale of a lane, and takes what it shows into a range that grows. */
function scaleOfLane(ids: readonly number[], { series, window }: PlotPicture): Scale {
  const extent = extentOf(window?.series.filter(({ id }) => ids.includes(id)) ?? []);
  const named = series.find(({ id }) => id === ids[0]);
  const range = (named && plotNow().ranges[rateKey(named)]) ?? null;
  if (named === undefined || range === null) {
    return laneScale(null, extent);
  }
  const grown = grownRange(range, extent);
  if (grown !== range) {
    setRange(named, grown);
  }
  return laneScale(grown, extent);
}

/** Time of the cursor that was placed last; null without one. */
export function cursorTime(): number | null {
  const { cursors } = plotNow();
  return (cursors[cursors.moved] ?? cursors.a)?.at ?? null;
}

/** Returns the newest value of each series at or before a place. Omits series whose curve is broken there. */
function valuesAt({ series }: NonNullable<PlotPicture['window']>, share: number): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (const { id, values: column, before } of series) {
    const value = valueAt(column, Math.min(column.length - 1, Math.floor((share * column.length) / 2) * 2 + 1));
    const shown = value === undefined ? before?.value : value;
    if (shown !== undefined && shown !== null) {
      values.set(id, shown);
    }
  }
  return values;
}

/**
 * Returns the view to request.
 *
 * @param width Width of the chart in px.
 * @param shown Previous picture. Series hidden there stay hidden.
 */
function viewOf(width: number, shown: PlotPicture | null): PlotView {
  const { held, span } = plotNow();
  const hidden = shown === null ? [] : shownSeries(shown, plotNow()).flatMap((one) => (one.shown ? [] : [one.id]));
  return held === null ? { from: null, span, width, hidden } : { ...held, width, hidden };
}

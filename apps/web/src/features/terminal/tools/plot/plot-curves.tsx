/**
 * The curves of the plot: loads the chart on demand and feeds it with pictures. The chart draws itself, outside of
 * React.
 */
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import type { PlotPicture, PlotView } from '../../../../protocol/bench/plot-part.ts';
import { useLoaded } from '../../../../shared/ui/use-loaded.ts';
import { watchSize, watchTheme } from '../../../../shared/ui/watch-look.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import type { PlotChart, PointedValues } from '../../../../workbench/plot/plot-chart.ts';
import type { Stretch } from '../../../../workbench/plot/stretch.ts';
import { showTool } from '../open-tool.ts';
import styles from './plot-panel.module.css';
import { holdPlot, noteSeries, onPlotChange, plotNow } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { shownSeries } from './shown-series.ts';

/** Figures of a picture for the panel, updated at a readable rate. */
export type PlotFacts = Omit<PlotPicture, 'revision' | 'window'>;

export interface PlotCurvesHandle {
  /**
   * Pauses the plot at the range that `change` returns for the shown one. If the plot has just gone live, this waits
   * for its first picture.
   */
  hold(change: (shown: Stretch) => Stretch): void;
  /** Returns the shown curves as a PNG file, or undefined if nothing is shown. */
  image(): Promise<Blob> | undefined;
}

export interface PlotCurvesProps {
  readonly ref?: Ref<PlotCurvesHandle>;
  readonly onFacts: (facts: PlotFacts) => void;
  readonly onPointed: (pointed: PointedValues | null) => void;
}

/** Time between two updates of the figures, in milliseconds. */
const factInterval = 200;

const loadChart = () => import('../../../../workbench/plot/plot-chart.ts');

interface PlotLoopParts {
  /** Returns the view to request now. */
  readonly view: () => PlotView;
  readonly pull: (view: PlotView) => Promise<PlotPicture | null>;
  /** @param view View of the request. It may differ from the current one. */
  readonly onPicture: (picture: PlotPicture, view: PlotView) => void;
}

/** Requests at most one picture of the plot per animation frame, and only after a change. */
class PlotLoop {
  readonly #parts: PlotLoopParts;
  #frame = 0;
  #pulling = false;
  #stale = false;
  #ended = false;

  constructor(parts: PlotLoopParts) {
    this.#parts = parts;
  }

  /** Requests a new picture. Only one request is pending at a time, so that a busy bench gets no queue. */
  invalidate(): void {
    this.#stale = true;
    if (!this.#pulling && !this.#ended) {
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        void this.#pull();
      });
    }
  }

  end(): void {
    this.#ended = true;
    cancelAnimationFrame(this.#frame);
  }

  async #pull(): Promise<void> {
    this.#stale = false;
    this.#pulling = true;
    try {
      const view = this.#parts.view();
      const picture = await this.#parts.pull(view);
      if (picture !== null && !this.#ended) {
        this.#parts.onPicture(picture, view);
      }
    } finally {
      this.#pulling = false;
    }
    if (this.#stale) {
      this.invalidate();
    }
  }
}

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
async function plotImage(chart: HTMLCanvasElement, root: HTMLElement, curves: readonly NamedCurve[]): Promise<Blob> {
  const scale = window.devicePixelRatio;
  const picture = document.createElement('canvas');
  picture.width = chart.width;
  picture.height = chart.height + legendHeight * scale;
  const context = picture.getContext('2d');
  if (context === null) {
    throw new Error('This browser has no canvas.');
  }
  const style = getComputedStyle(root);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  context.fillStyle = colour('--color-well');
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(chart, 0, legendHeight * scale);
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

export function PlotCurves({ ref, onFacts, onPointed }: PlotCurvesProps) {
  const root = useRef<HTMLDivElement>(null);
  const chart = useRef<PlotChart>(null);
  const picture = useRef<PlotPicture>(null);
  /** True: `picture` is a live picture. */
  const showsLive = useRef(false);
  /** Pending `hold`, until the first live picture arrives. */
  const toBeHeld = useRef<((shown: Stretch) => Stretch) | null>(null);
  const loaded = useLoaded(true, loadChart, () => showTool(null));
  const facts = useEffectEvent(onFacts);
  const pointed = useEffectEvent(onPointed);

  useEffect(() => {
    if (loaded === null || root.current === null) {
      return;
    }
    const element = root.current;
    const made = new loaded.PlotChart({
      root: element,
      lookOf,
      onHold: holdPlot,
      onLive: () => holdPlot(null),
      onPointed: (values) => pointed(values),
    });
    chart.current = made;
    made.scaleEach(plotNow().ownScales);
    let reportedAt = 0;
    const tell = (shown: PlotPicture) => {
      reportedAt = performance.now();
      facts(shown);
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
        made.show(shown);
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
    const endChoices = onPlotChange(({ held, ownScales }) => {
      made.scaleEach(ownScales);
      if (held !== null) {
        toBeHeld.current = null;
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
      made.dispose();
    };
  }, [loaded]);

  useImperativeHandle(ref, () => ({
    hold: (change) => {
      const shown = plotNow().held ?? (showsLive.current ? picture.current : null);
      if (shown === null) {
        toBeHeld.current = change;
      } else {
        holdPlot(change({ from: shown.from, to: shown.to }));
      }
    },
    image: () => {
      const canvas = chart.current?.canvas;
      const shown = picture.current;
      if (!canvas || root.current === null || shown === null) {
        return undefined;
      }
      const curves = shownSeries(shown, plotNow().wanted).filter((one) => one.shown);
      return plotImage(canvas, root.current, curves);
    },
  }));

  return <div ref={root} className={styles['curves']} role="img" aria-label="Curves of the numbers in the log" />;
}

/**
 * Returns the view to request.
 *
 * @param width Width of the chart in px.
 * @param shown Previous picture. Series hidden there stay hidden.
 */
function viewOf(width: number, shown: PlotPicture | null): PlotView {
  const { held, span, wanted } = plotNow();
  const hidden = shown === null ? [] : shownSeries(shown, wanted).flatMap((one) => (one.shown ? [] : [one.id]));
  return held === null ? { from: null, span, width, hidden } : { ...held, width, hidden };
}

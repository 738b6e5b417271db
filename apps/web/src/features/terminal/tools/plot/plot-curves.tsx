/**
 * The curves of the plot: loads the chart on demand and feeds it with pictures. The chart draws itself, outside of
 * React.
 */
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import type { PlotPicture, PlotView } from '../../../../protocol/bench-protocol.ts';
import { useLoaded } from '../../../../shared/ui/use-loaded.ts';
import { watchSize, watchTheme } from '../../../../shared/ui/watch-look.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import type { PlotChart, PointedValues } from '../../../../workbench/plot/plot-chart.ts';
import type { Stretch } from '../../../../workbench/plot/stretch.ts';
import { showTool } from '../open-tool.ts';
import { plotImage } from './plot-image.ts';
import { PlotLoop } from './plot-loop.ts';
import styles from './plot-panel.module.css';
import { holdPlot, noteSeries, onPlotChange, plotNow } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { shownSeries } from './shown-series.ts';

/** Figures of a picture for the panel, updated at a readable rate. */
export type PlotFacts = Pick<PlotPicture, 'series' | 'skippedLines' | 'from' | 'to'>;

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

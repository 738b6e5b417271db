/** The curves as a component: fetches the chart, keeps it going, and stays out of what it draws. */
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import { useLoaded } from '../../../../shared/ui/use-loaded.ts';
import { watchSize, watchTheme } from '../../../../shared/ui/watch-look.ts';
import { getBench } from '../../../../workbench/bench.ts';
import type { PlotPicture, PlotView } from '../../../../workbench/bench-protocol.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import type { PlotChart, PointedValues } from '../../../../workbench/plot/plot-chart.ts';
import type { Stretch } from '../../../../workbench/plot/stretch.ts';
import { showTool } from '../open-tool.ts';
import { plotImage } from './plot-image.ts';
import { PlotLoop } from './plot-loop.ts';
import styles from './plot-panel.module.css';
import { holdPlot, noteSeries, plotStore } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { shownSeries } from './shown-series.ts';

/** Facts of a picture that the panel shows, at a pace that people can read. */
export type PlotFacts = Pick<PlotPicture, 'series' | 'skippedLines' | 'from' | 'to'>;

export interface PlotCurvesHandle {
  /** Holds what `change` makes of what is shown. Where that is not known yet, since the plot has just gone live, it is held once it is. */
  hold(change: (shown: Stretch) => Stretch): void;
  /** What is shown, as a file; undefined while nothing is. */
  image(): Promise<Blob> | undefined;
}

export interface PlotCurvesProps {
  readonly ref?: Ref<PlotCurvesHandle>;
  readonly onFacts: (facts: PlotFacts) => void;
  readonly onPointed: (pointed: PointedValues | null) => void;
}

/** Time between two looks at values, in milliseconds. */
const factInterval = 200;

const loadChart = () => import('../../../../workbench/plot/plot-chart.ts');

export function PlotCurves({ ref, onFacts, onPointed }: PlotCurvesProps) {
  const root = useRef<HTMLDivElement>(null);
  const chart = useRef<PlotChart>(null);
  const picture = useRef<PlotPicture>(null);
  /** What `picture` shows is live. */
  const showsLive = useRef(false);
  /** Waits for the first live picture. */
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
    made.scaleEach(plotStore.getState().ownScales);
    let reportedAt = 0;
    const tell = (shown: PlotPicture) => {
      reportedAt = performance.now();
      facts(shown);
    };
    const loop = new PlotLoop({
      view: () => viewOf(made.width, picture.current),
      pull: (view) => getBench().call('plotPicture', view),
      onPicture: (shown, view) => {
        const isLive = plotStore.getState().held === null;
        if (isLive !== (view.from === null)) {
          // It was paused, or went live, while this came; another picture is asked for by then.
          return;
        }
        const before = picture.current;
        const turned = showsLive.current !== isLive;
        picture.current = shown;
        showsLive.current = isLive;
        noteSeries(shown.series);
        made.show(shown);
        // What was left out by the picture before may be drawn by this one.
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
    // What came last is told even when nothing follows it.
    const timer = setInterval(() => picture.current !== null && tell(picture.current), factInterval);
    let revision = -1;
    const endTicks = benchStatus.onTick(({ plotRevision }) => {
      if (plotRevision !== revision) {
        revision = plotRevision;
        loop.invalidate();
      }
    });
    const endChoices = plotStore.subscribe(({ held, ownScales }) => {
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
      const shown = plotStore.getState().held ?? (showsLive.current ? picture.current : null);
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
      const curves = shownSeries(shown, plotStore.getState().wanted).filter((one) => one.shown);
      return plotImage(canvas, root.current, curves);
    },
  }));

  return <div ref={root} className={styles['curves']} role="img" aria-label="Curves of the numbers in the log" />;
}

/** @param shown the picture before: what is left out is left out of this one too. */
function viewOf(width: number, shown: PlotPicture | null): PlotView {
  const { held, span, wanted } = plotStore.getState();
  const hidden = shown === null ? [] : shownSeries(shown, wanted).flatMap((one) => (one.shown ? [] : [one.id]));
  return held === null ? { from: null, span, width, hidden } : { ...held, width, hidden };
}

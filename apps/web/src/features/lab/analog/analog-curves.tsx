/** The curves of what was sampled: fetches the chart, gives it a picture a frame, and stays out of what it draws. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { watchSize, watchTheme } from '../../../shared/ui/watch-look.ts';
import type { Stretch } from '../../../workbench/plot/stretch.ts';
import { sampledPins, sampleStore } from '../store/adc-samples.ts';
import styles from './analog-panel.module.css';
import { pictureOf, seriesCount } from './samples.ts';

export interface AnalogCurvesProps {
  /** Milliseconds that are shown. */
  readonly span: number;
  /** What is shown stands still. */
  readonly held: boolean;
  /** A stretch was chosen with the pointer, or all is to be live again. */
  readonly onHeld: (held: boolean) => void;
}

const loadChart = () => import('../../../workbench/plot/plot-chart.ts');

export function AnalogCurves({ span, held, onHeld }: AnalogCurvesProps) {
  const root = useRef<HTMLDivElement>(null);
  const stretch = useRef<Stretch | null>(null);
  const loaded = useLoaded(true, loadChart, () => undefined);
  const hold = useEffectEvent((chosen: Stretch | null) => {
    stretch.current = chosen;
    onHeld(chosen !== null);
  });
  const shown = useEffectEvent(() => {
    if (!held) {
      stretch.current = null;
    }
    const newest = Math.max(0, ...sampledPins().map(({ times }) => times.at(-1) ?? 0));
    stretch.current ??= held ? { from: newest - span, to: newest } : null;
    return stretch.current ?? { from: newest - span, to: newest };
  });

  useEffect(() => {
    if (loaded === null || root.current === null) {
      return;
    }
    const element = root.current;
    const chart = new loaded.PlotChart({
      root: element,
      lookOf: (id) => ({ colour: id % seriesCount, dash: [] }),
      onHold: (chosen) => hold(chosen),
      onLive: () => hold(null),
      onPointed: () => undefined,
    });
    let frame = 0;
    const paint = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        const { from, to } = shown();
        chart.show(pictureOf(sampledPins(), sampleStore.getState().revision, to, to - from));
      });
    };
    const ends = [
      sampleStore.subscribe(paint),
      watchSize(element, () => {
        chart.resize();
        paint();
      }),
      watchTheme(() => chart.repaint()),
      () => cancelAnimationFrame(frame),
      () => chart.dispose(),
    ];
    paint();
    return () => {
      for (const end of ends) {
        end();
      }
    };
  }, [loaded]);

  return <div ref={root} className={styles['curves']} role="img" aria-label="Curves of the sampled pins" />;
}

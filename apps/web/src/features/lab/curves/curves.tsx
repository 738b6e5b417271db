/** Curves of numbers over time. Fetches the chart, and gives it at most one picture for each animation frame. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { watchSize, watchTheme } from '../../../shared/ui/watch-look.ts';
import type { Stretch } from '../../../workbench/plot/stretch.ts';
import styles from './curves.module.css';
import { type Curve, pictureOf, seriesCount } from './picture.ts';

/** Access to the numbers, which are too many for React state. */
export interface CurveSource {
  readonly curves: () => readonly Curve[];
  readonly subscribe: (listener: () => void) => () => void;
}

export interface CurvesProps {
  readonly source: CurveSource;
  readonly label: string;
  /** Index of the first curve's colour. */
  readonly colour?: number;
  readonly className?: string | undefined;
  /** Length of the shown time in milliseconds. */
  readonly span: number;
  /** True: the shown time is fixed, and new numbers do not move it. */
  readonly held: boolean;
  /** Receives true when the user selects a stretch with the pointer, and false when the curves must be live again. */
  readonly onHeld: (held: boolean) => void;
}

const loadChart = () => import('../../../workbench/plot/plot-chart.ts');

export function Curves({ source, label, colour = 0, className, span, held, onHeld }: CurvesProps) {
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
    const newest = Math.max(0, ...source.curves().map(({ times }) => times[times.length - 1] ?? 0));
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
      lookOf: (id) => ({ colour: (id + colour) % seriesCount, dash: [] }),
      onHold: (chosen) => hold(chosen),
      onLive: () => hold(null),
      onPointed: () => undefined,
    });
    let frame = 0;
    const paint = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        const { from, to } = shown();
        chart.show(pictureOf(source.curves(), to, to - from));
      });
    };
    const ends = [
      source.subscribe(paint),
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
  }, [loaded, source, colour]);

  return <div ref={root} className={classNames(styles['curves'], className)} role="img" aria-label={label} />;
}

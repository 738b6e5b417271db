/**
 * Reads the shown part of the plot for another look at it, again whenever the plot has changed: four times a second at most, and no more
 * than a fifth of the time, since it takes all points of the part.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import type { PlotView } from '../../../../protocol/bench/plot-part.ts';
import { watchSize, watchTheme } from '../../../../shared/ui/watch-look.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { onPlotChange, plotNow } from './plot-store.ts';

/** Shortest time between two readings, in milliseconds. */
const interval = 250;
/** Time between two readings, in times of the first one. */
const rest = 4;
/** Room of the numbers below a plane, in px. */
export const axisHeight = 22;

/** Room of the pictures, in pixels of the canvas. */
export interface PlaneSize {
  readonly width: number;
  readonly height: number;
}

export interface PlaneLoop<Picture> {
  readonly canvas: React.RefObject<HTMLCanvasElement | null>;
  /** A new key reads at once. */
  readonly key: string;
  readonly read: (size: PlaneSize) => Promise<Picture | null>;
  readonly paint: (canvas: HTMLCanvasElement, picture: Picture | null) => void;
}

/** Returns the newest picture, which is painted on the canvas; null before the first. */
export function usePlaneLoop<Picture>({ canvas, key, read, paint }: PlaneLoop<Picture>): Picture | null {
  const [picture, setPicture] = useState<Picture | null>(null);
  const readNow = useEffectEvent(read);
  const paintNow = useEffectEvent(paint);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what has another key is read at once.
  useEffect(() => {
    const element = canvas.current;
    if (element === null) {
      return;
    }
    let last: Picture | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isEnded = false;
    let isReading = false;
    let isStale = false;
    const again = async () => {
      isStale = false;
      isReading = true;
      const from = performance.now();
      const found = await readNow({
        width: Math.max(2, Math.round(element.clientWidth * window.devicePixelRatio)),
        height: Math.max(2, Math.round((element.clientHeight - axisHeight) * window.devicePixelRatio)),
      });
      isReading = false;
      if (!isEnded) {
        last = found;
        paintNow(element, last);
        setPicture(found);
        timer = setTimeout(
          () => {
            timer = undefined;
            if (isStale) {
              void again();
            }
          },
          Math.max(interval, rest * (performance.now() - from)),
        );
      }
    };
    const want = () => {
      isStale = true;
      if (timer === undefined && !isReading && !isEnded) {
        void again();
      }
    };
    let revision = -1;
    const ends = [
      benchStatus.onTick(({ plotRevision }) => {
        if (plotRevision !== revision) {
          revision = plotRevision;
          want();
        }
      }),
      onPlotChange(want),
      watchSize(element, () => {
        paintNow(element, last);
        want();
      }),
      watchTheme(() => paintNow(element, last)),
    ];
    want();
    return () => {
      isEnded = true;
      clearTimeout(timer);
      for (const end of ends) {
        end();
      }
    };
  }, [key]);
  return picture;
}

/** Returns the shown part, as a view of these columns of pixels. @param hidden Ids of the series that are not read. */
export function planeView(width: number, hidden: readonly number[]): PlotView {
  const { held, span } = plotNow();
  return { ...(held === null ? ({ from: null, span } as const) : held), width, hidden };
}

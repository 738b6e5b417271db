/** Reads the figures of the shown part, again whenever it has changed: one request at a time, the newest part next. */
import type { FiguresQuery, SeriesFigures } from '@wirebench/serial/figures';
import { useEffect, useRef, useState } from 'react';
import { getBench } from '../../../../workbench/bench.ts';

/** Figures of a range. */
export interface ShownFigures {
  /** Milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  readonly series: readonly SeriesFigures[];
}

/**
 * Returns the newest figures; null before the first.
 *
 * @param query Null: nothing is shown.
 * @param revision Changes with the points of the range.
 */
export function useFigures(query: FiguresQuery | null, revision: string): ShownFigures | null {
  const [figures, setFigures] = useState<ShownFigures | null>(null);
  const next = useRef<FiguresQuery | null>(null);
  const isReading = useRef(false);
  const isEnded = useRef(false);
  useEffect(() => {
    isEnded.current = false;
    return () => {
      isEnded.current = true;
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision stands for the query and the points in it.
  useEffect(() => {
    next.current = query;
    if (isReading.current) {
      return;
    }
    const read = async () => {
      isReading.current = true;
      try {
        while (next.current !== null && !isEnded.current) {
          const { current } = next;
          next.current = null;
          const series = await getBench().call('plotFigures', current);
          if (series !== null && !isEnded.current) {
            setFigures({ from: current.from, to: current.to, series });
          }
        }
      } finally {
        isReading.current = false;
      }
    };
    void read();
  }, [revision]);
  return figures;
}

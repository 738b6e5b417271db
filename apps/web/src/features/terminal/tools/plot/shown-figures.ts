/** Reads the figures of the shown part of the plot, and says them in words. */
import type { FiguresQuery, NoFrequency, NumberFigures, SeriesFigures, StateFigures } from '@wirebench/serial/figures';
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../../../shared/format/numbers.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { scaleText, spanNumber, valueNumber } from './ticks.ts';

/** Figures of a range. */
interface ShownFigures {
  /** Milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  readonly series: readonly SeriesFigures[];
}

/**
 * Reads the figures again whenever they have changed: one request at a time, the newest part next. Returns the newest figures; null before
 * the first.
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

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Formats the length of a range: `30 s`, `1.5 ms`, `5 min`. @param span In milliseconds. */
export function spanText(span: number): string {
  const [size, unit] =
    span < second
      ? [span, 'ms']
      : span < 2 * minute
        ? [span / second, 's']
        : span < 2 * hour
          ? [span / minute, 'min']
          : [span / hour, 'h'];
  return `${valueNumber(Number(size.toPrecision(3)))} ${unit}`;
}

/** The numbers of a row. */
interface FigureTexts {
  readonly low: string;
  readonly mean: string;
  readonly high: string;
  /** A dash for a single point. */
  readonly deviation: string;
}

/** Formats figures with the digits of their range: the mean to a thousandth of peak to peak, the deviation to three digits. */
export function figureTexts({ low, mean, high, deviation, peakToPeak }: NumberFigures): FigureTexts {
  return {
    low: spanNumber(low, peakToPeak),
    mean: peakToPeak > 0 ? scaleText(mean, peakToPeak / 10) : spanNumber(mean, 0),
    high: spanNumber(high, peakToPeak),
    deviation: deviation === null ? '–' : toDigits(deviation, 3),
  };
}

const noFrequency = {
  'few-crossings': 'it does not rise through its mean twice',
  irregular: 'its rises through the mean are irregular',
  gaps: 'it has gaps',
  'unknown-times': 'its lines have no times',
} satisfies Record<NoFrequency, string>;

/** Returns the further figures: `RMS 1.732 V, peak to peak 4 V, 1.3 Hz.` */
export function moreText({ rms, peakToPeak, frequency }: NumberFigures, unit: string): string {
  const behind = unit === '' ? '' : ` ${unit}`;
  const rate =
    frequency === undefined
      ? ''
      : typeof frequency === 'number'
        ? `, ${toDigits(frequency, 4)} Hz`
        : `. No frequency: ${noFrequency[frequency]}`;
  return `RMS ${spanNumber(Number(rms.toPrecision(6)), 0)}${behind}, peak to peak ${toDigits(peakToPeak, 6)}${behind}${rate}.`;
}

/** States that are named beside each other. */
const maxStates = 3;

/** Returns the shares of states and their changes: `on 30 % of the time, 5 changes`. */
export function stateText({ shares, changes }: StateFigures, names: ReadonlyMap<number, string>): string {
  const isOnOff = shares.every(({ value }) => value === 0 || value === 1);
  const named = isOnOff
    ? [{ value: 1, share: shares.find(({ value }) => value === 1)?.share ?? 0 }]
    : shares.slice(0, maxStates);
  const parts = named.map(({ value, share }) => `${names.get(value) ?? `${valueNumber(value)} for`} ${percent(share)}`);
  return `${shares.length === 0 ? '' : `${parts.join(', ')} of the time, `}${counted(changes, 'change')}`;
}

/** Formats a share. Only all of the time is 100 %, and only none of it 0 %. */
function percent(share: number): string {
  const whole = Math.round(share * 100);
  const isRounded = (whole === 0 || whole === 100) && share !== 0 && share !== 1;
  return isRounded ? (whole === 0 ? '< 1 %' : '> 99 %') : `${whole} %`;
}

const toDigits = (value: number, digits: number): string => valueNumber(Number(value.toPrecision(digits)));

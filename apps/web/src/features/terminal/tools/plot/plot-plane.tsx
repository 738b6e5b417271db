/**
 * The shown part of the plot in another way: the spectrum of each curve, or curves over another one. Loaded when first chosen. It is read
 * again four times a second at most, since it takes all points of the part.
 */
import type { NoSpectrum, SeriesSpectrum, XyPlane } from '@wirebench/serial';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PlotView } from '../../../../protocol/bench/plot-part.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { watchSize, watchTheme } from '../../../../shared/ui/watch-look.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { Swatch, titleOf } from './lane-heads.tsx';
import type { PlotFacts } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import { onPlotChange, plotNow } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { numberTicks, scaleText, valueNumber } from './ticks.ts';

type Series = PlotFacts['series'][number];

export interface PlotPlaneProps {
  readonly look: 'spectrum' | 'xy';
  /** Drawn curves of numbers. */
  readonly shown: readonly Series[];
  /** Ids of all others. */
  readonly hidden: readonly number[];
}

/** Shortest time between two readings, in milliseconds. */
const interval = 250;
/** Room of the numbers below a plane, and distance of two of them, in px. */
const axisHeight = 22;
/** Room above and below the dots of a curve, in pixels of the canvas. */
const planeMargin = 6;
const tickDistance = 90;

interface Size {
  readonly width: number;
  /** Height of each curve's picture. */
  readonly height: number;
}

type Picture =
  | { readonly look: 'spectrum'; readonly curves: readonly SeriesSpectrum[] }
  | { readonly look: 'xy'; readonly right: Series; readonly size: Size; readonly plane: XyPlane | null };

export function PlotPlane({ look, shown, hidden }: PlotPlaneProps) {
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<Picture | null>(null);
  const ids = shown.map(({ id }) => id).join();
  const readNow = useEffectEvent((width: number, height: number) => readPlane({ look, shown, hidden }, width, height));

  // biome-ignore lint/correctness/useExhaustiveDependencies: other curves are read at once.
  useEffect(() => {
    const element = canvas.current;
    if (element === null || root.current === null) {
      return;
    }
    let last: Picture | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isEnded = false;
    let isReading = false;
    let isStale = false;
    const paint = () => paintPlane(element, last);
    const read = async () => {
      isStale = false;
      isReading = true;
      const width = Math.max(2, Math.round(element.clientWidth * window.devicePixelRatio));
      const height = Math.max(2, Math.round((element.clientHeight - axisHeight) * window.devicePixelRatio));
      const found = await readNow(width, height);
      isReading = false;
      if (!isEnded) {
        last = found;
        paint();
        setPicture(found);
        timer = setTimeout(() => {
          timer = undefined;
          if (isStale) {
            void read();
          }
        }, interval);
      }
    };
    const want = () => {
      isStale = true;
      if (timer === undefined && !isReading && !isEnded) {
        void read();
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
      watchSize(element, want),
      watchTheme(paint),
    ];
    want();
    return () => {
      isEnded = true;
      clearTimeout(timer);
      for (const end of ends) {
        end();
      }
    };
  }, [look, ids]);

  const drawn = picture?.look === 'xy' ? (picture.plane?.curves ?? []).map(({ id }) => id) : null;
  const heads = drawn === null ? shown : shown.filter(({ id }) => drawn.includes(id));
  const right = picture?.look === 'xy' ? titleOf(picture.right) : null;
  return (
    <div ref={root} className={styles['plane']}>
      <div className={styles['lanes']}>
        <ul className={styles['heads']} aria-label={look === 'xy' ? 'Curves upwards' : 'Spectra'}>
          {heads.map((one) => (
            <PlaneHead key={one.id} one={one} picture={picture} />
          ))}
        </ul>
        <div className={styles['curves']}>
          <canvas
            ref={canvas}
            role="img"
            aria-label={look === 'xy' ? 'Curves over another curve' : 'Spectra of the shown part'}
          />
          {picture?.look === 'spectrum' ? (
            <ul className={styles['missing']} aria-label="Curves without a spectrum">
              {picture.curves.map((one) => (
                <li key={one.id}>{'reason' in one ? noSpectrumText(one) : null}</li>
              ))}
            </ul>
          ) : null}
          {right === null ? null : (
            <span className={styles['right']}>
              {right.title}
              {right.unit === '' ? '' : `, ${right.unit}`} →
            </span>
          )}
        </div>
      </div>
    </div>
  );
}

/** Name of a curve, with its highest frequency or the number of its pairs. */
function PlaneHead({ one, picture }: { readonly one: Series; readonly picture: Picture | null }) {
  const { title, unit } = titleOf(one);
  const spectrum = picture?.look === 'spectrum' ? picture.curves.find(({ id }) => id === one.id) : undefined;
  const pairs = picture?.look === 'xy' ? picture.plane?.curves.find(({ id }) => id === one.id)?.pairs : undefined;
  return (
    <li className={styles['head']}>
      <span className={styles['name']}>
        <Swatch id={one.id} />
        <span className={styles['title']}>{title}</span>
      </span>
      {picture?.look === 'spectrum' ? (
        <>
          <span className={styles['value']}>
            {spectrum === undefined || 'reason' in spectrum
              ? 'no spectrum'
              : `${valueNumber(Number(spectrum.peak.frequency.toPrecision(4)))} Hz`}
          </span>
          {spectrum === undefined || 'reason' in spectrum ? null : (
            <em className={styles['least']}>
              {valueNumber(Number(spectrum.peak.amplitude.toPrecision(3)))} {unit}
            </em>
          )}
        </>
      ) : (
        <span className={styles['value']}>{pairs === undefined ? '' : counted(pairs, 'pair')}</span>
      )}
    </li>
  );
}

const remedy = 'Let the board send its time with each value, as in >name:1200:21.5.';

/** Says why a curve has no spectrum, and what to do. */
function noSpectrumText(missing: NoSpectrum): string {
  switch (missing.reason) {
    case 'few-points':
      return 'Too few points: a spectrum needs 8. Show a longer part, or wait for more.';
    case 'one-time':
      return `All points came at one time, so their distances are not known. ${remedy}`;
    case 'unknown-times':
      return 'This log has no times, so the distances of its points are not known. Mark its times, if its lines have some.';
    case 'uneven-times': {
      const [shortest, longest] = [missing.shortest, missing.longest].map((step) => valueNumber(toDigits(step)));
      return `The points are ${shortest} to ${longest} ms apart. Uneven times would show frequencies that are not there. ${remedy}`;
    }
  }
}

const toDigits = (value: number) => Number(value.toPrecision(3));

async function readPlane(
  { look, shown, hidden }: PlotPlaneProps,
  width: number,
  height: number,
): Promise<Picture | null> {
  const { held, span, right } = plotNow();
  const range = held === null ? ({ from: null, span } as const) : held;
  const view: PlotView = { ...range, width, hidden };
  const bench = getBench();
  if (look === 'spectrum') {
    const ids = shown.map(({ id }) => id);
    const curves = await bench.call('plotSpectra', view);
    return {
      look,
      curves: curves.filter(({ id }) => ids.includes(id)).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    };
  }
  const across = shown.find(({ id }) => id === right) ?? shown[0];
  if (across === undefined) {
    return null;
  }
  const ys = shown.flatMap(({ id }) => (id === across.id ? [] : [id]));
  // A margin keeps the dots away from the neighbours' scales.
  const size = { width, height: Math.max(2, Math.floor(height / Math.max(1, ys.length)) - 2 * planeMargin) };
  return { look, right: across, size, plane: await bench.call('plotPlane', view, { x: across.id, ys, ...size }) };
}

function paintPlane(canvas: HTMLCanvasElement, picture: Picture | null): void {
  const context = canvas.getContext('2d');
  if (context === null) {
    return;
  }
  const scale = window.devicePixelRatio;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const height = canvas.height - axisHeight * scale;
  context.font = `${11 * scale}px ${colour('--font-mono')}`;
  context.textBaseline = 'middle';
  const grid = (low: number, high: number, unit: string) => {
    const { step, values } = numberTicks(low, high, canvas.width / scale / tickDistance);
    context.textAlign = 'center';
    for (const value of values) {
      const x = Math.round(((value - low) / (high - low)) * (canvas.width - 1));
      context.fillStyle = colour('--color-grid-strong');
      context.fillRect(x, 0, Math.max(1, Math.round(scale)), height);
      const text = `${scaleText(value, step * 100)}${unit}`;
      const half = (text.length * 6.6 * scale) / 2;
      context.fillStyle = colour('--color-text-subtle');
      if (x >= half && x <= canvas.width - half) {
        context.fillText(text, x, height + (axisHeight * scale) / 2);
      }
    }
  };
  /** Writes the ends of a scale. @param low Null: the lower end is 0, and is left out. */
  const ends = (low: number | null, high: number, top: number, tall: number) => {
    context.textAlign = 'left';
    const write = (value: number, y: number) => {
      const text = scaleText(value, high - (low ?? 0) || 1);
      context.fillStyle = colour('--color-well');
      context.fillRect(4 * scale, y - 7 * scale, text.length * 6.7 * scale + 4 * scale, 14 * scale);
      context.fillStyle = colour('--color-text-subtle');
      context.fillText(text, 6 * scale, y);
    };
    write(high, top + 10 * scale);
    if (low !== null) {
      write(low, top + tall - 11 * scale);
    }
  };
  const inkOf = (id: number) => colour(`--series-${lookOf(id).colour}`);
  if (picture?.look === 'spectrum') {
    const top = Math.max(0, ...picture.curves.map((curve) => ('reason' in curve ? 0 : curve.top)));
    if (top > 0) {
      grid(0, top, ' Hz');
    }
    const tall = height / picture.curves.length;
    for (const [index, curve] of picture.curves.entries()) {
      const upper = Math.round(index * tall);
      context.fillStyle = colour('--color-border');
      context.fillRect(0, Math.round(upper + tall) - 1, canvas.width, 1);
      if ('reason' in curve) {
        continue;
      }
      const most = curve.peak.amplitude || 1;
      context.fillStyle = inkOf(curve.id);
      for (const [column, amplitude] of curve.columns.entries()) {
        const high = Math.round((amplitude / most) * (tall - 22 * scale));
        const x = Math.floor((column / curve.columns.length) * canvas.width * (curve.top / top));
        context.fillRect(x, Math.round(upper + tall - high) - 1, Math.max(1, Math.round(scale)), high + 1);
      }
      ends(null, most, upper, tall);
    }
  } else if (picture?.look === 'xy' && picture.plane !== null) {
    const { x, curves } = picture.plane;
    grid(x.low, x.high > x.low ? x.high : x.low + 1, '');
    const dotSize = Math.max(1, Math.round(1.5 * scale));
    const tall = height / curves.length;
    for (const [index, { id, y, dots }] of curves.entries()) {
      const upper = Math.round(index * tall);
      context.fillStyle = inkOf(id);
      for (const dot of dots) {
        const row = Math.floor(dot / picture.size.width);
        context.fillRect(dot % picture.size.width, upper + planeMargin + row, dotSize, dotSize);
      }
      ends(y.low, y.high, upper, tall);
      context.fillStyle = colour('--color-border');
      context.fillRect(0, Math.round(upper + tall) - 1, canvas.width, 1);
    }
  } else if (picture !== null) {
    context.fillStyle = colour('--color-text-muted');
    context.textAlign = 'center';
    context.fillText('No line has values of both curves', canvas.width / 2, height / 2);
  }
}

/** The shown part of the plot as curves over another one. Loaded when first chosen. */
import type { XyPlane } from '@wirebench/serial';
import { useRef } from 'react';
import { counted } from '../../../../shared/format/numbers.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { Swatch, titleOf } from './lane-heads.tsx';
import { drawEdge, drawEnds, drawGrid, planeCanvas } from './plane-canvas.ts';
import { type PlaneSize, planeView, usePlaneLoop } from './plane-loop.ts';
import type { PlotFacts } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import { plotNow } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { scaleText } from './ticks.ts';

type Series = PlotFacts['series'][number];

export interface PlaneProps {
  /** Drawn curves of numbers. */
  readonly shown: readonly Series[];
  /** Ids of all others. */
  readonly hidden: readonly number[];
}

/** Room above and below the dots of a curve, in pixels of the canvas. */
const planeMargin = 6;

interface Picture {
  readonly right: Series;
  /** Size of each curve's picture. */
  readonly size: PlaneSize;
  readonly plane: XyPlane | null;
}

export function PlotPlane({ shown, hidden }: PlaneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const key = shown.map(({ id }) => id).join();
  const picture = usePlaneLoop({ canvas, key, read: (size) => readPlane(shown, hidden, size), paint: paintPlane });
  const curves = picture?.plane?.curves ?? [];
  const right = picture === null ? null : titleOf(picture.right);
  return (
    <div className={styles['plane']}>
      <div className={styles['lanes']}>
        <ul className={styles['heads']} aria-label="Curves upwards">
          {shown.map((one) => {
            const pairs = curves.find(({ id }) => id === one.id)?.pairs;
            return pairs === undefined && picture !== null ? null : (
              <li key={one.id} className={styles['head']}>
                <span className={styles['name']}>
                  <Swatch id={one.id} />
                  <span className={styles['title']}>{titleOf(one).title}</span>
                </span>
                <span className={styles['value']}>{pairs === undefined ? '' : counted(pairs, 'pair')}</span>
              </li>
            );
          })}
        </ul>
        <div className={styles['curves']}>
          <canvas ref={canvas} role="img" aria-label="Curves over another curve" />
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

async function readPlane(
  shown: readonly Series[],
  hidden: readonly number[],
  { width, height }: PlaneSize,
): Promise<Picture | null> {
  const { right } = plotNow();
  const across = shown.find(({ id }) => id === right) ?? shown[0];
  if (across === undefined) {
    return null;
  }
  const ys = shown.flatMap(({ id }) => (id === across.id ? [] : [id]));
  // A margin keeps the dots away from the neighbours' scales.
  const size = { width, height: Math.max(2, Math.floor(height / Math.max(1, ys.length)) - 2 * planeMargin) };
  const plane = await getBench().call('plotPlane', planeView(width, hidden), { x: across.id, ys, ...size });
  return { right: across, size, plane };
}

function paintPlane(canvas: HTMLCanvasElement, picture: Picture | null): void {
  const made = planeCanvas(canvas);
  if (made === null || picture === null) {
    return;
  }
  const { context, scale, width, height, colour } = made;
  if (picture.plane === null) {
    context.fillStyle = colour('--color-text-muted');
    context.textAlign = 'center';
    context.fillText('No line has values of both curves', width / 2, height / 2);
    return;
  }
  const { x, curves } = picture.plane;
  drawGrid(made, x.low, x.high > x.low ? x.high : x.low + 1, '');
  const dotSize = Math.max(1, Math.round(1.5 * scale));
  const tall = height / curves.length;
  for (const [index, { id, y, dots }] of curves.entries()) {
    const upper = Math.round(index * tall);
    context.fillStyle = colour(`--series-${lookOf(id).colour}`);
    for (const dot of dots) {
      const row = Math.floor(dot / picture.size.width);
      context.fillRect(dot % picture.size.width, upper + planeMargin + row, dotSize, dotSize);
    }
    const textOf = (value: number) => scaleText(value, y.high - y.low || 1);
    drawEnds(made, { low: textOf(y.low), high: textOf(y.high) }, upper, tall);
    drawEdge(made, upper + tall);
  }
}

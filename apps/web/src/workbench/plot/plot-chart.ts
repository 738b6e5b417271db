/**
 * The curves on the screen: uPlot (https://github.com/leeoniya/uPlot) with our colours, a pointer that zooms, and no legend of
 * its own. Fetched when a plot is first shown. Knows pictures; neither where they come from nor what is chosen.
 */
import { curveBreak } from '@wirebench/serial';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { PlotPicture } from '../bench-protocol.ts';
import { hasRoom, tickNumber, tickTime } from './plot-times.ts';
import { type Stretch, zoomed } from './stretch.ts';

/** Pixels of the numbers beside the plot: usually, of a digit at 11 px, and of the ticks and gaps. */
const usualWidth = 62;
const digitWidth = 6.6;
const tickWidth = 12;

const numbersWidth = (labels: readonly string[]) =>
  Math.max(usualWidth, Math.ceil(Math.max(0, ...labels.map(({ length }) => length)) * digitWidth) + tickWidth);

export interface PointedValues {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** By the id of the series; those that have none near it are missing. */
  readonly values: ReadonlyMap<number, number>;
}

export interface SeriesLook {
  /** From 0; the style sheet of the chart's root has the colours, as `--series-0` and so on. */
  readonly colour: number;
  /** Lengths in px, drawn and left out in turn; none for a solid line. */
  readonly dash: readonly number[];
}

export interface PlotChartOptions {
  /** Its size is the chart's; its style has the colours. */
  readonly root: HTMLElement;
  /** How a series is told from the others, by its id. */
  readonly lookOf: (id: number) => SeriesLook;
  /** A stretch was chosen with the pointer. */
  readonly onHold: (stretch: Stretch) => void;
  readonly onLive: () => void;
  /** Null when the pointer has left. */
  readonly onPointed: (pointed: PointedValues | null) => void;
}

/** One notch of a wheel makes the stretch this much longer. */
const wheelFactor = 1.25;
/** Fewer points than one in so many px are drawn as dots, too: the line alone would not show where they are. */
const dotDistance = 12;
/** Px between the newest point and the chart's edge. */
const rightPadding = 8;

export class PlotChart {
  readonly #options: PlotChartOptions;
  #chart: uPlot | null = null;
  #picture: PlotPicture | null = null;
  /** Series that the chart was made for. */
  #made = '';
  #data: uPlot.AlignedData = [[]];
  #sparse: readonly boolean[] = [];
  #ownScales = false;

  constructor(options: PlotChartOptions) {
    this.#options = options;
  }

  /** Columns of pixels that a picture should have. */
  get width(): number {
    return Math.max(1, Math.round(this.#chart?.bbox.width ?? this.#options.root.clientWidth));
  }

  get canvas(): HTMLCanvasElement | null {
    return this.#chart?.ctx.canvas ?? null;
  }

  show(picture: PlotPicture): void {
    const { window, from, to } = picture;
    if (window === null) {
      this.dispose();
      return;
    }
    this.#picture = picture;
    const values = window.series.map((series) => withGaps(series.values));
    this.#sparse = values.map((column) => points(column) < this.#options.root.clientWidth / dotDistance);
    this.#data = [window.times, ...values];
    const chart = this.#chartFor(window.series.map(({ id }) => id));
    chart.batch(() => {
      chart.setData(this.#data, false);
      chart.setScale('x', { min: from, max: to });
    });
  }

  resize(): void {
    this.#chart?.setSize(this.#size);
  }

  /** Gives each series a scale of its own, without numbers beside the curves; false for one scale for all. */
  scaleEach(ownScales: boolean): void {
    if (ownScales !== this.#ownScales) {
      this.#ownScales = ownScales;
      this.repaint();
    }
  }

  /** The theme is another one. */
  repaint(): void {
    const picture = this.#picture;
    this.dispose();
    if (picture !== null) {
      this.show(picture);
    }
  }

  dispose(): void {
    this.#chart?.destroy();
    this.#chart = null;
    this.#made = '';
    this.#picture = null;
  }

  get #size(): { width: number; height: number } {
    const { clientWidth, clientHeight } = this.#options.root;
    return { width: Math.max(50, clientWidth), height: Math.max(50, clientHeight) };
  }

  #chartFor(ids: readonly number[]): uPlot {
    const made = ids.join();
    if (this.#chart !== null && made === this.#made) {
      return this.#chart;
    }
    this.#chart?.destroy();
    this.#made = made;
    const chart = new uPlot(this.#chartOptions(ids), this.#data, this.#options.root);
    chart.over.addEventListener('wheel', (event) => this.#turned(chart, event), { passive: false });
    chart.over.addEventListener('dblclick', () => this.#options.onLive());
    this.#chart = chart;
    return chart;
  }

  #chartOptions(ids: readonly number[]): uPlot.Options {
    const style = getComputedStyle(this.#options.root);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const font = `11px ${colour('--font-mono')}`;
    const axis = {
      stroke: colour('--color-text-subtle'),
      font,
      grid: { stroke: colour('--color-grid-strong'), width: 1 },
      ticks: { stroke: colour('--color-grid-strong'), width: 1, size: 4 },
    };
    return {
      ...this.#size,
      ms: 1,
      legend: { show: false },
      padding: [8, rightPadding, 0, 0],
      cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 5 } },
      scales: { x: { time: true } },
      axes: [
        {
          ...axis,
          space: 90,
          size: 26,
          values: (chart, splits, _axis, _space, step) => splits.map((at) => timeAt(chart, at, step)),
        },
        {
          ...axis,
          scale: this.#scaleOf(ids[0] ?? 0),
          // The numbers of one scale would be taken for those of all.
          show: !this.#ownScales,
          size: (_chart, labels) => numbersWidth(labels ?? []),
          space: 32,
          values: (_chart, splits, _axis, _space, step) => splits.map((value) => tickNumber(value, step)),
        },
      ],
      series: [
        {},
        ...ids.map((id, index): uPlot.Series => {
          const look = this.#options.lookOf(id);
          return {
            stroke: colour(`--series-${look.colour}`),
            scale: this.#scaleOf(id),
            // A line of one pixel is drawn several times as fast as a wider one, where no graphics processor helps.
            width: 1,
            dash: [...look.dash],
            points: { show: () => this.#sparse[index] ?? false, size: 4 },
          };
        }),
      ],
      hooks: {
        setSelect: [(chart) => this.#selected(chart)],
        setCursor: [(chart) => this.#options.onPointed(this.#pointed(chart, ids))],
      },
    };
  }

  #scaleOf(id: number): string {
    return this.#ownScales ? `y${id}` : 'y';
  }

  #selected(chart: uPlot): void {
    const { left, width } = chart.select;
    if (width > 0) {
      const stretch = { from: chart.posToVal(left, 'x'), to: chart.posToVal(left + width, 'x') };
      chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      this.#options.onHold(zoomed(stretch, 1));
    }
  }

  #turned(chart: uPlot, event: WheelEvent): void {
    const { min, max } = chart.scales['x'] ?? {};
    if (min === undefined || max === undefined || event.deltaY === 0) {
      return;
    }
    event.preventDefault();
    const at = Math.min(1, Math.max(0, event.offsetX / chart.over.clientWidth));
    this.#options.onHold(zoomed({ from: min, to: max }, event.deltaY > 0 ? wheelFactor : 1 / wheelFactor, at));
  }

  /** The newest value of each series at the pointer or before it; none where the curve is broken. */
  #pointed(chart: uPlot, ids: readonly number[]): PointedValues | null {
    const { idx, left } = chart.cursor;
    if (idx === null || idx === undefined || left === undefined || left < 0) {
      return null;
    }
    const values = new Map<number, number>();
    for (const [index, id] of ids.entries()) {
      const value = valueAt(this.#data[index + 1] ?? [], idx);
      if (value !== null) {
        values.set(id, value);
      }
    }
    return { at: chart.posToVal(left, 'x'), values };
  }
}

/** The time at a mark; empty where an edge of the chart would cut it off. It comes when its mark has moved on. */
function timeAt(chart: uPlot, at: number, step: number): string {
  const time = tickTime(at, step);
  const before = chart.bbox.left / uPlot.pxRatio + chart.valToPos(at, 'x');
  const behind = chart.bbox.width / uPlot.pxRatio - chart.valToPos(at, 'x') + rightPadding;
  return hasRoom(time, Math.min(before, behind)) ? time : '';
}

type Column = (number | null | undefined)[];

/** As uPlot wants it: its lines go on over what is undefined, and break at null. */
function withGaps(values: Float64Array): Column {
  return Array.from(values, (value) => (Number.isNaN(value) ? undefined : value === curveBreak ? null : value));
}

/** The value at a place or the one before it; null if there is none, or a break between that one and the next. */
export function valueAt(column: ArrayLike<number | null | undefined>, place: number): number | null {
  for (let at = place + 1; at < column.length && column[place] === undefined; at++) {
    if (column[at] !== undefined) {
      if (column[at] === null) {
        return null;
      }
      break;
    }
  }
  for (let at = place; at >= 0; at--) {
    const value = column[at];
    if (value !== undefined) {
      return value;
    }
  }
  return null;
}

const points = (column: Column) => column.reduce<number>((sum, value) => sum + (value == null ? 0 : 1), 0);

/**
 * The chart of a plot: uPlot (https://github.com/leeoniya/uPlot) with the theme's colours and a pointer that zooms.
 * It has no legend. Loaded when a plot is first shown.
 */
import { curveBreak } from '@wirebench/serial';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { hasRoom, tickNumber, tickTime } from './plot-times.ts';
import { type Stretch, zoomed } from './stretch.ts';

/** Curves in a time range. */
export interface ChartPicture {
  /** Milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  /** Values at shared times: NaN without one, `curveBreak` for a break. Null: there is nothing to show. */
  readonly window: {
    readonly times: Float64Array;
    readonly series: readonly { readonly id: number; readonly values: Float64Array }[];
  } | null;
}

/** Widths of the value axis in px: default width, width of a digit at 11 px, and width of ticks and gaps. */
const usualWidth = 62;
const digitWidth = 6.6;
const tickWidth = 12;

const numbersWidth = (labels: readonly string[]) =>
  Math.max(usualWidth, Math.ceil(Math.max(0, ...labels.map(({ length }) => length)) * digitWidth) + tickWidth);

export interface PointedValues {
  /** Time at the pointer, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Values by series id. Series without a value near the pointer are missing. */
  readonly values: ReadonlyMap<number, number>;
}

export interface SeriesLook {
  /** Colour index from 0. The style sheet of the chart's root defines the colours as `--series-0` and so on. */
  readonly colour: number;
  /** Alternating lengths of dashes and gaps, in px. Empty: a solid line. */
  readonly dash: readonly number[];
}

export interface PlotChartOptions {
  /** Element that defines the chart's size and colours. */
  readonly root: HTMLElement;
  /** Returns colour and dash of a series by id. */
  readonly lookOf: (id: number) => SeriesLook;
  /** Called when the user selects a range with the pointer or zooms with the wheel. */
  readonly onHold: (stretch: Stretch) => void;
  readonly onLive: () => void;
  /** Receives the values at the pointer, or null after it has left. */
  readonly onPointed: (pointed: PointedValues | null) => void;
}

/** Zoom factor of one wheel step. */
const wheelFactor = 1.25;
/**
 * Average distance of points, in px, above which they are also drawn as dots. A line alone would not show the points.
 */
const dotDistance = 12;
/** Distance between the newest point and the chart's edge, in px. */
const rightPadding = 8;

export class PlotChart {
  readonly #options: PlotChartOptions;
  #chart: uPlot | null = null;
  #picture: ChartPicture | null = null;
  /** Ids of the series that the chart was created for, separated by commas. */
  #made = '';
  #data: uPlot.AlignedData = [[]];
  #sparse: readonly boolean[] = [];
  #ownScales = false;

  constructor(options: PlotChartOptions) {
    this.#options = options;
  }

  /** Width of the plot area in pixel columns, for requesting a picture. */
  get width(): number {
    return Math.max(1, Math.round(this.#chart?.bbox.width ?? this.#options.root.clientWidth));
  }

  get canvas(): HTMLCanvasElement | null {
    return this.#chart?.ctx.canvas ?? null;
  }

  show(picture: ChartPicture): void {
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

  /** Gives each series its own scale and hides the value axis, or uses one scale for all. */
  scaleEach(ownScales: boolean): void {
    if (ownScales !== this.#ownScales) {
      this.#ownScales = ownScales;
      this.repaint();
    }
  }

  /** Recreates the chart, for example with the colours of a new theme. */
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
          // With several scales, the numbers of one would seem to apply to all.
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
            // Without a GPU, lines of one pixel are drawn several times as fast as wider ones.
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

  /** Returns the newest value of each series at or before the pointer. Omits series whose curve is broken there. */
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

/**
 * Returns the time at a mark, or an empty text if an edge of the chart would cut it off. It reappears when the mark
 * has moved.
 */
function timeAt(chart: uPlot, at: number, step: number): string {
  const time = tickTime(at, step);
  const before = chart.bbox.left / uPlot.pxRatio + chart.valToPos(at, 'x');
  const behind = chart.bbox.width / uPlot.pxRatio - chart.valToPos(at, 'x') + rightPadding;
  return hasRoom(time, Math.min(before, behind)) ? time : '';
}

type Column = (number | null | undefined)[];

/** Converts values for uPlot, which continues lines over undefined values and breaks them at null. */
function withGaps(values: Float64Array): Column {
  return Array.from(values, (value) => (Number.isNaN(value) ? undefined : value === curveBreak ? null : value));
}

/** Returns the value at or before an index. Null: no value, or a break between that value and the next. */
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

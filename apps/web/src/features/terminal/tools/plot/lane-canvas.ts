/**
 * Draws curves in lanes, each with its own scale, on one canvas, and the times below them on another. A column of pixels shows the lowest
 * and the highest of its points, which it gets from the worker.
 */
import { curveBreak, type EdgePoint, type PlotSeries, type PlotWindow } from '@wirebench/serial';
import type { SeriesLook } from '../../../../workbench/plot/plot-chart.ts';
import type { Lane, Scale } from './lanes.ts';
import { scaleText, timeText, timeTicks } from './ticks.ts';

/** Curves in a time range, as they are drawn. */
export interface LanePicture {
  /** Milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  readonly window: PlotWindow;
  readonly lanes: readonly DrawnLane[];
  /** Returns the values of a series as they are drawn. */
  readonly valuesOf: (id: number) => DrawnValues;
  /** Times of the cursors A and B. Null: not set. */
  readonly cursors: readonly [number | null, number | null];
}

/** A lane with the ends of its scale. */
type DrawnLane = Lane & { readonly scale: Scale };

/** Names of values, and the few whole values that are drawn in steps; null for others. */
type DrawnValues = Pick<PlotSeries, 'valueNames' | 'wholeValues'>;

type WindowSeries = PlotWindow['series'][number];

/** Average distance of points, in px, from which they are also drawn as dots. A line alone would not show the points. */
const dotDistance = 12;
/** Least distance of two times on the axis, in px. */
const timeDistance = 90;
/** Side of a cursor's flag, in px. */
const flagSize = 18;
const cursorNames = ['A', 'B'] as const;

interface Colours {
  readonly series: readonly string[];
  readonly text: string;
  readonly subtle: string;
  readonly muted: string;
  readonly ground: string;
  readonly grid: string;
  readonly border: string;
  readonly font: string;
}

export class LaneCanvas {
  readonly #root: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #axis: HTMLCanvasElement;
  readonly #lookOf: (id: number) => SeriesLook;
  #colours: Colours | null = null;
  #picture: LanePicture | null = null;
  /** Pixels of the canvas in a CSS pixel. */
  #scale = 1;

  /**
   * @param root Element of the canvas. Its style has the colours.
   * @param axis Canvas of the times, as wide as the other one.
   */
  constructor(
    root: HTMLElement,
    canvas: HTMLCanvasElement,
    axis: HTMLCanvasElement,
    lookOf: (id: number) => SeriesLook,
  ) {
    this.#root = root;
    this.#canvas = canvas;
    this.#axis = axis;
    this.#lookOf = lookOf;
    this.resize();
  }

  /** Columns of pixels, for requesting a picture. */
  get width(): number {
    return Math.max(1, this.#canvas.width);
  }

  get canvas(): HTMLCanvasElement {
    return this.#canvas;
  }

  get axis(): HTMLCanvasElement {
    return this.#axis;
  }

  get picture(): LanePicture | null {
    return this.#picture;
  }

  /** Fits the canvases to their elements and paints again. */
  resize(): void {
    this.#scale = window.devicePixelRatio;
    for (const canvas of [this.#canvas, this.#axis]) {
      const width = Math.max(1, Math.round(canvas.clientWidth * this.#scale));
      const height = Math.max(1, Math.round(canvas.clientHeight * this.#scale));
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
    }
    this.#paint();
  }

  /** Paints again in the colours of a new theme. */
  repaint(): void {
    this.#colours = null;
    this.#paint();
  }

  show(picture: LanePicture | null): void {
    this.#picture = picture;
    this.#paint();
  }

  #paint(): void {
    const context = this.#canvas.getContext('2d');
    const axis = this.#axis.getContext('2d');
    if (context === null || axis === null) {
      return;
    }
    const { width, height } = this.#canvas;
    context.clearRect(0, 0, width, height);
    axis.clearRect(0, 0, this.#axis.width, this.#axis.height);
    const picture = this.#picture;
    if (picture === null) {
      return;
    }
    this.#colours ??= coloursOf(this.#root);
    this.#paintTimes(context, axis, picture, this.#colours);
    const tall = height / picture.lanes.length;
    for (const [index, lane] of picture.lanes.entries()) {
      const top = Math.round(index * tall);
      this.#paintLane(context, picture, lane, top, Math.round((index + 1) * tall) - top, this.#colours);
    }
    this.#paintCursors(context, picture, this.#colours);
  }

  #paintTimes(
    context: CanvasRenderingContext2D,
    axis: CanvasRenderingContext2D,
    { from, to }: LanePicture,
    { grid, subtle, font }: Colours,
  ): void {
    const { width, height } = this.#canvas;
    const scale = this.#scale;
    const { step, values } = timeTicks(from, to, width / scale / timeDistance);
    context.fillStyle = grid;
    axis.fillStyle = subtle;
    axis.font = `${11 * scale}px ${font}`;
    axis.textAlign = 'center';
    axis.textBaseline = 'middle';
    for (const at of values) {
      const x = ((at - from) / (to - from)) * width;
      context.fillRect(Math.round(x), 0, Math.max(1, Math.round(scale)), height);
      const text = timeText(at, step);
      const half = (text.length * 6.6 * scale) / 2;
      if (x >= half && x <= width - half) {
        axis.fillText(text, x, this.#axis.height / 2);
      }
    }
  }

  #paintLane(
    context: CanvasRenderingContext2D,
    picture: LanePicture,
    lane: DrawnLane,
    top: number,
    height: number,
    colours: Colours,
  ): void {
    const { width } = this.#canvas;
    const series = lane.ids.flatMap((id) => picture.window.series.find((one) => one.id === id) ?? []);
    context.save();
    context.beginPath();
    context.rect(0, top, width, height);
    context.clip();
    if (lane.kind === 'bands') {
      for (const one of series) {
        this.#paintBands(context, picture, one, top, height, colours);
      }
    } else {
      for (const one of series) {
        this.#paintCurve(context, picture, one, lane.scale, top, height, colours);
      }
      if (series.some(({ points, before, after }) => points > 0 || (before !== null && after !== null))) {
        this.#paintScale(context, lane.scale, stepsOf(picture, lane), top, height, colours);
      }
    }
    context.restore();
    context.fillStyle = colours.border;
    context.fillRect(0, top + height - 1, width, 1);
  }

  #paintCurve(
    context: CanvasRenderingContext2D,
    { from, to, valuesOf }: LanePicture,
    series: WindowSeries,
    scale: Scale,
    top: number,
    height: number,
    colours: Colours,
  ): void {
    const { values, points, before, after } = series;
    const look = this.#lookOf(series.id);
    const { width } = this.#canvas;
    const columns = values.length / 2;
    const stretch = width / columns;
    const factor = height / (scale.high - scale.low);
    const yOf = (value: number) => top + (scale.high - value) * factor;
    const edge = (point: EdgePoint): [number, number] => [((point.at - from) / (to - from)) * width, yOf(point.value)];
    const colour = colours.series[look.colour] ?? colours.text;
    const thick = Math.max(1, Math.round(this.#scale));
    context.fillStyle = colour;
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.setLineDash(look.dash.map((length) => length * this.#scale));
    // Rectangles of whole pixels are filled several times as fast as lines are drawn.
    const isDense = points > columns && look.dash.length === 0;
    const { valueNames, wholeValues } = valuesOf(series.id);
    const isStepped = valueNames.size > 0 || wholeValues !== null;
    /** Continues the line to a point: in a step, or directly. */
    const lineTo = (x: number, y: number) => {
      if (isStepped) {
        context.lineTo(x, lastY);
      }
      context.lineTo(x, y);
    };
    const hasDots = !isStepped && points < width / (dotDistance * this.#scale);
    let lastX = Number.NaN;
    let lastY = 0;
    context.beginPath();
    if (before !== null) {
      [lastX, lastY] = edge(before);
      context.moveTo(lastX, lastY);
    }
    for (let column = 0; column < columns; column++) {
      const one = values[2 * column] as number;
      const other = values[2 * column + 1] as number;
      if (one === curveBreak) {
        lastX = Number.NaN;
      } else if (!Number.isNaN(one)) {
        const x = isDense ? Math.floor(column * stretch) : (column + 0.5) * stretch;
        const y = yOf(one);
        const hasOther = !Number.isNaN(other) && other !== curveBreak;
        const end = hasOther ? yOf(other) : y;
        if (isDense) {
          const isNext = x - lastX <= stretch + 1;
          const upper = Math.min(y, end);
          const lower = Math.max(y, end);
          const first = Math.round(isNext ? Math.min(upper, lastY) : upper);
          const last = Math.round(isNext ? Math.max(lower, lastY) : lower);
          context.fillRect(x, first, thick, Math.max(thick, last - first));
          if (!isNext && !Number.isNaN(lastX)) {
            context.moveTo(lastX, lastY);
            lineTo(x, y);
          }
        } else {
          if (Number.isNaN(lastX)) {
            context.moveTo(x, y);
          } else {
            lineTo(x, y);
          }
          if (hasOther) {
            context.lineTo(x, end);
          }
          if (hasDots) {
            context.fillRect(x - 1.5 * thick, y - 1.5 * thick, 3 * thick, 3 * thick);
            if (hasOther) {
              context.fillRect(x - 1.5 * thick, end - 1.5 * thick, 3 * thick, 3 * thick);
            }
          }
        }
        lastX = x;
        lastY = end;
      }
      if (other === curveBreak) {
        lastX = Number.NaN;
      }
    }
    if (after !== null && !Number.isNaN(lastX)) {
      if (isDense) {
        context.moveTo(lastX, lastY);
      }
      lineTo(...edge(after));
    }
    context.stroke();
    context.setLineDash([]);
  }

  /** Paints each state as a band from its first point to the next one, with its name where it has room. */
  #paintBands(
    context: CanvasRenderingContext2D,
    picture: LanePicture,
    { id, values, before }: WindowSeries,
    top: number,
    height: number,
    colours: Colours,
  ): void {
    const { width } = this.#canvas;
    const scale = this.#scale;
    const stretch = width / (values.length / 2);
    const { valueNames: names } = picture.valuesOf(id);
    const colour = colours.series[this.#lookOf(id).colour] ?? colours.text;
    const edge = Math.max(1, Math.round(scale));
    const room = Math.min(height * 0.6, 34 * scale);
    const upper = Math.round(top + (height - room) / 2);
    context.font = `${11 * scale}px ${colours.font}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    const band = (value: number, from: number, to: number) => {
      const wide = Math.max(edge, to - from);
      context.globalAlpha = value % 2 === 0 ? 0.3 : 0.16;
      context.fillStyle = colour;
      context.fillRect(from, upper, wide, room);
      context.globalAlpha = 1;
      context.fillRect(from, upper, edge, room);
      const name = names.get(value) ?? String(value);
      const most = Math.floor((wide / scale - 12) / 6.6);
      if (most >= Math.min(3, name.length)) {
        context.fillStyle = colours.text;
        context.fillText(
          name.length <= most ? name : `${name.slice(0, most - 1)}…`,
          from + 6 * scale,
          upper + room / 2,
        );
      }
    };
    let state = before?.value ?? Number.NaN;
    let since = 0;
    let last = 0;
    for (let slot = 0; slot < values.length; slot++) {
      const value = values[slot] as number;
      if (Number.isNaN(value)) {
        continue;
      }
      const x = Math.round((slot >> 1) * stretch);
      if (value === curveBreak) {
        if (!Number.isNaN(state)) {
          band(state, since, last + stretch);
        }
        state = Number.NaN;
        continue;
      }
      if (value !== state) {
        if (!Number.isNaN(state)) {
          band(state, since, x);
        }
        state = value;
        since = x;
      }
      last = x;
    }
    if (!Number.isNaN(state)) {
      const end = picture.window.series.find((one) => one.id === id)?.after === null ? last + stretch : width;
      band(state, since, end);
    }
  }

  /** Writes the ends of a scale into its lane, or the values between which its curves step. */
  #paintScale(
    context: CanvasRenderingContext2D,
    { low, high }: Scale,
    steps: readonly StepMark[] | null,
    top: number,
    height: number,
    { ground, subtle, font }: Colours,
  ): void {
    const scale = this.#scale;
    context.font = `${10.5 * scale}px ${font}`;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const write = (text: string, y: number) => {
      context.fillStyle = ground;
      context.fillRect(4 * scale, y - 7 * scale, text.length * 6.4 * scale + 4 * scale, 13 * scale);
      context.fillStyle = subtle;
      context.fillText(text, 6 * scale, y);
    };
    const [upper, lower] = [top + 10 * scale, top + height - 10 * scale];
    if (steps === null) {
      write(scaleText(high, high - low), upper);
      if (height > 44 * scale) {
        write(scaleText(low, high - low), lower);
      }
      return;
    }
    let last = Number.POSITIVE_INFINITY;
    for (const { value, text } of steps) {
      const y = top + ((high - value) / (high - low)) * height;
      const place = Math.min(lower, Math.max(upper, y));
      // A scale that was zoomed may leave a value out, and a low lane has no room for each.
      if (value >= low && value <= high && last - place >= 14 * scale) {
        write(text, place);
        last = place;
      }
    }
  }

  #paintCursors(
    context: CanvasRenderingContext2D,
    { from, to, cursors }: LanePicture,
    { text, muted, ground, font }: Colours,
  ): void {
    const { width, height } = this.#canvas;
    const scale = this.#scale;
    const side = flagSize * scale;
    context.lineWidth = Math.max(1, Math.round(scale));
    for (const [index, at] of cursors.entries()) {
      const x = at === null ? -1 : Math.round(((at - from) / (to - from)) * width);
      if (x < 0 || x > width) {
        continue;
      }
      context.strokeStyle = index === 0 ? text : muted;
      context.setLineDash(index === 0 ? [] : [4 * scale, 3 * scale]);
      context.beginPath();
      context.moveTo(x + 0.5, 0);
      context.lineTo(x + 0.5, height);
      context.stroke();
      context.setLineDash([]);
      context.fillStyle = text;
      context.fillRect(x - side / 2, 4 * scale, side, side);
      context.fillStyle = ground;
      context.font = `700 ${11 * scale}px ${font}`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText(cursorNames[index] ?? '', x, 4 * scale + side / 2);
    }
  }
}

interface StepMark {
  readonly value: number;
  readonly text: string;
}

/** Returns the values between which all curves of a lane step, from the lowest; null if one of them does not. */
function stepsOf({ valuesOf }: LanePicture, { ids, kind }: Lane): readonly StepMark[] | null {
  const values = new Map<number, string>();
  for (const id of ids) {
    const { valueNames, wholeValues } = valuesOf(id);
    if (wholeValues === null && kind === 'numbers') {
      return null;
    }
    for (const value of kind === 'numbers' ? (wholeValues ?? []) : valueNames.keys()) {
      values.set(value, valueNames.get(value) ?? scaleText(value, 100));
    }
  }
  return [...values].map(([value, text]) => ({ value, text })).sort((one, other) => one.value - other.value);
}

function coloursOf(root: HTMLElement): Colours {
  const style = getComputedStyle(root);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    series: Array.from({ length: 8 }, (_, index) => colour(`--series-${index}`)),
    text: colour('--color-text'),
    subtle: colour('--color-text-subtle'),
    muted: colour('--color-text-muted'),
    ground: colour('--color-well'),
    grid: colour('--color-grid-strong'),
    border: colour('--color-border'),
    font: colour('--font-mono'),
  };
}

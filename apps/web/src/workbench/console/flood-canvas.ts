/**
 * The rows of a flood, drawn instead of laid out: while every row on the screen is another one several times a second, elements
 * cost layout, style and paint for text that nobody can select or read. Draws plain received lines of the text layout; for
 * everything else there are the elements, which stay where they are below. Knows no scrolling and no log.
 */
import styles from './flood-canvas.module.css';
import type { PaintedRow } from './painted-row.ts';
import { attributes, type StyleRun } from './styled-text.ts';

/** Styles that are drawn by a colour and a font alone. */
const drawnStyles = 7 | attributes.bold | attributes.dim | attributes.italic;
const tabStop = 8;

/** A cell of a row: from its left edge, in CSS px. */
interface Cell {
  readonly left: number;
  readonly width: number;
  readonly font: string;
  readonly colour: string;
  readonly shown: boolean;
}

/** How a row looks, read from one that is laid out. */
export interface RowLook {
  readonly time: Cell;
  readonly port: Cell;
  readonly mark: Cell;
  readonly content: Cell;
  readonly rightTimes: boolean;
  /** Of the bar and the number of each port. */
  readonly portColours: ReadonlyMap<number, string>;
  /** By the number of a style. */
  readonly ink: (style: number) => string;
}

export interface FloodSize {
  /** What rows stand on. */
  readonly ground: string;
  /** In CSS px. */
  readonly width: number;
  readonly height: number;
  readonly rowHeight: number;
  /** By which the first row is above the upper edge. */
  readonly within: number;
}

/** True when these rows look the same drawn as laid out. */
export function isDrawable(rows: readonly PaintedRow[]): boolean {
  return rows.every(
    ({ direction, level, offset, part, cut, runs, crash = null }) =>
      direction === 'received' &&
      level === null &&
      crash === null &&
      offset === null &&
      part === 0 &&
      !cut &&
      runs.every(({ style }) => (style & ~drawnStyles) === 0),
  );
}

/** Tabs as the blanks that they are shown as, and the stretches moved along. */
export function withoutTabs(text: string, runs: readonly StyleRun[]): { text: string; runs: readonly StyleRun[] } {
  if (!text.includes('\t')) {
    return { text, runs };
  }
  let blank = '';
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    places.push(blank.length);
    const character = text.charAt(at);
    blank += character === '\t' ? ' '.repeat(tabStop - (blank.length % tabStop)) : character;
  }
  const moved = (place: number) => places[place] ?? blank.length;
  return { text: blank, runs: runs.map(({ start, end, style }) => ({ start: moved(start), end: moved(end), style })) };
}

export class FloodCanvas {
  readonly root = document.createElement('canvas');
  #look: RowLook | null = null;
  /** Colours of styles, as they were asked for. */
  readonly #inks = new Map<number, string>();
  readonly #ascents = new Map<string, number>();

  constructor() {
    this.root.className = styles['flood'] ?? '';
    // The elements below say what is said.
    this.root.setAttribute('aria-hidden', 'true');
    this.root.hidden = true;
  }

  get shown(): boolean {
    return !this.root.hidden;
  }

  hide(): void {
    this.root.hidden = true;
    this.#look = null;
    this.#inks.clear();
  }

  /** @param times what stands in front of each row. @param lookNow read once each time the canvas comes up. False where nothing can be drawn. */
  draw(rows: readonly PaintedRow[], times: readonly string[], size: FloodSize, lookNow: () => RowLook | null): boolean {
    const pen = this.root.getContext('2d', { alpha: false });
    this.#look ??= lookNow();
    if (pen === null || this.#look === null) {
      return false;
    }
    this.#fit(size);
    const scale = devicePixelRatio;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = size.ground;
    pen.fillRect(0, 0, size.width, size.height);
    for (const [index, row] of rows.entries()) {
      this.#drawRow(pen, this.#look, row, times[index] ?? '', index * size.rowHeight - size.within, size);
    }
    this.root.hidden = false;
    return true;
  }

  /** A canvas that gets a size is cleared and made anew: only when it is another. */
  #fit({ width, height }: FloodSize): void {
    const [across, down] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (this.root.width !== across || this.root.height !== down) {
      this.root.width = across;
      this.root.height = down;
      this.root.style.setProperty('width', `${width}px`);
      this.root.style.setProperty('height', `${height}px`);
    }
  }

  #drawRow(
    pen: CanvasRenderingContext2D,
    look: RowLook,
    row: PaintedRow,
    time: string,
    top: number,
    { width, rowHeight }: FloodSize,
  ): void {
    const colour = (row.port === null ? null : look.portColours.get(row.port)) ?? look.content.colour;
    pen.fillStyle = colour;
    pen.fillRect(0, top, 3, rowHeight);
    const write = (cell: Cell, text: string, left: number, ink: string) => {
      if (cell.shown && text !== '') {
        pen.font = cell.font;
        pen.fillStyle = ink;
        pen.fillText(text, left, top + this.#baseline(pen, cell.font, rowHeight));
      }
    };
    pen.textAlign = look.rightTimes ? 'right' : 'left';
    write(look.time, time, look.rightTimes ? look.time.left + look.time.width : look.time.left, look.time.colour);
    pen.textAlign = 'center';
    write(look.port, String(row.port ?? ''), look.port.left + look.port.width / 2, colour);
    pen.textAlign = 'left';
    write(look.mark, '←', look.mark.left, look.mark.colour);
    this.#drawContent(pen, look, row, width, (text, left, font, ink) =>
      write({ ...look.content, font }, text, left, ink),
    );
  }

  #drawContent(
    pen: CanvasRenderingContext2D,
    { content, ink }: RowLook,
    row: PaintedRow,
    width: number,
    write: (text: string, left: number, font: string, ink: string) => void,
  ): void {
    const { text, runs } = withoutTabs(row.text, row.runs);
    let [at, left] = [0, content.left];
    const take = (end: number, style: number) => {
      if (end <= at || left > width) {
        return;
      }
      const font = fontOf(content.font, style);
      const piece = text.slice(at, end);
      write(piece, left, font, style === 0 ? content.colour : this.#ink(ink, style));
      pen.font = font;
      left += end < text.length ? pen.measureText(piece).width : 0;
      at = end;
    };
    for (const { start, end, style } of runs) {
      take(start, 0);
      take(end, style);
    }
    take(text.length, 0);
  }

  #ink(ask: RowLook['ink'], style: number): string {
    const colour = this.#inks.get(style) ?? ask(style);
    this.#inks.set(style, colour);
    return colour;
  }

  /** From the top of a row down to where its letters stand, as a line box of that height has it (CSS 2.1, 10.8.1). */
  #baseline(pen: CanvasRenderingContext2D, font: string, rowHeight: number): number {
    const known = this.#ascents.get(`${font} ${rowHeight}`);
    if (known !== undefined) {
      return known;
    }
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = pen.measureText('0');
    const baseline = Math.round((rowHeight - ascent - descent) / 2 + ascent);
    this.#ascents.set(`${font} ${rowHeight}`, baseline);
    return baseline;
  }
}

/** A font in the form that a canvas takes begins with its slant and weight: these are what a style changes. */
function fontOf(font: string, style: number): string {
  const weight = (style & attributes.bold) === 0 ? '' : '600 ';
  const slant = (style & attributes.italic) === 0 ? '' : 'italic ';
  return `${slant}${weight}${font}`;
}

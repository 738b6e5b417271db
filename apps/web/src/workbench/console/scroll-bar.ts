/**
 * The native scroll bar of the log. It tells by how much a person scrolled, and is brought to where the rows are when nobody
 * touches it: rows can move without it, and it without rows.
 */
import { type ScrollExtent, scrollTopAt, spacerHeight, topAt } from './scroll-map.ts';

/** How long it is left alone after the person moved it, in milliseconds. */
const settleTime = 150;
/** Shortest time between two corrections while the rows run by, in milliseconds. */
const correctionInterval = 250;
/** Growth of the log that its bar hardly shows, as a fraction of what it was, and how long it may go untold, in milliseconds. */
const slightGrowth = 0.1;
const slightInterval = 1_000;

export interface ScrollBarParts {
  readonly scroller: HTMLElement;
  /** As tall as all rows: gives the bar its length. */
  readonly spacer: HTMLElement;
  /** Where the rows are: their extent, and how far they are scrolled. */
  readonly rows: () => { readonly extent: ScrollExtent; readonly top: number; readonly following: boolean };
}

/** What a person did with it, in px of the rows. */
export type Scrolled =
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'by'; readonly pixels: number }
  | { readonly kind: 'to'; readonly top: number; readonly downwards: boolean };

export class ScrollBar {
  readonly #parts: ScrollBarParts;
  #scrollTop = 0;
  #clientHeight = 0;
  #touchedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #correcting = false;
  /** At the last correction: height of the spacer in px, and whether the newest rows were followed. */
  #height = 0;
  #followed = false;
  #correctedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ScrollBarParts) {
    this.#parts = parts;
  }

  /** After a scroll event: null when nobody but this code or the browser itself has scrolled. */
  take(): Scrolled | null {
    const { scrollTop, clientHeight, scrollHeight } = this.#parts.scroller;
    const delta = scrollTop - this.#scrollTop;
    const atEnd = scrollTop >= scrollHeight - clientHeight - 1;
    const resized = clientHeight !== this.#clientHeight;
    this.#scrollTop = scrollTop;
    this.#clientHeight = clientHeight;
    // Backwards and yet at the end: the log became taller or its rows fewer, and the browser took up the slack. When it became
    // shorter again before this event, the end is elsewhere by now.
    const slack = delta < 0 && (atEnd || (resized && this.#parts.rows().following));
    if (Math.abs(delta) < 1 || slack) {
      return null;
    }
    this.#touchedAt = performance.now();
    this.#correctIn(settleTime);
    if (atEnd) {
      return { kind: 'end' };
    }
    if (scrollTop <= 0) {
      return { kind: 'start' };
    }
    // A wheel, a key or a finger moves by less than this and means pixels; beyond, somebody drags the bar to a place.
    if (Math.abs(delta) <= 2 * clientHeight) {
      return { kind: 'by', pixels: delta };
    }
    return { kind: 'to', top: topAt(scrollTop, this.#parts.rows().extent), downwards: delta > 0 };
  }

  /** The rows have moved. */
  follow(): void {
    if (!this.#correcting) {
      this.#correctIn(this.#parts.rows().following ? correctionInterval : 0);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #correctIn(delay: number): void {
    clearTimeout(this.#timer);
    this.#correcting = true;
    this.#timer = setTimeout(() => this.#correct(), delay);
  }

  #correct(): void {
    const { scroller, spacer, rows } = this.#parts;
    const { extent, top, following } = rows();
    const now = performance.now();
    const untouched = now - this.#touchedAt;
    if (untouched < settleTime && !following) {
      this.#correctIn(settleTime - untouched);
      return;
    }
    const height = spacerHeight(extent);
    const runsOn = following && this.#followed && this.#touchedAt < this.#correctedAt;
    const slight = height >= this.#height && height <= this.#height * (1 + slightGrowth);
    if (runsOn && slight && now - this.#correctedAt < slightInterval) {
      this.#correctIn(correctionInterval);
      return;
    }
    this.#correcting = false;
    this.#height = height;
    this.#followed = following;
    this.#correctedAt = now;
    spacer.style.setProperty('height', `${height}px`);
    // In whole px, as the height.
    const target = Math.round(scrollTopAt(top, extent));
    if (Math.abs(target - scroller.scrollTop) >= 1) {
      scroller.scrollTop = target;
    }
    this.#scrollTop = scroller.scrollTop;
    this.#clientHeight = scroller.clientHeight;
  }
}

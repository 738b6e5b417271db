/**
 * The native scroll bar of the log. It reports the user's scrolling, and is moved to the rows' position while the
 * user does not touch it. Rows and bar can therefore move independently for a short time.
 */
import { type ScrollExtent, scrollTopAt, spacerHeight, topAt } from './scroll-map.ts';

/** Time without corrections after the user moved the bar, in milliseconds. */
const settleTime = 150;
/** Minimum time between two corrections while the log follows, in milliseconds. */
const correctionInterval = 250;
/**
 * Growth of the log that hardly changes the bar, as a fraction. Such growth is applied after `slightInterval`
 * milliseconds at the latest.
 */
const slightGrowth = 0.1;
const slightInterval = 1_000;

export interface ScrollBarParts {
  readonly scroller: HTMLElement;
  /** Element as tall as all rows. It gives the bar its length. */
  readonly spacer: HTMLElement;
  /** Returns the extent and the scroll position of the rows. */
  readonly rows: () => { readonly extent: ScrollExtent; readonly top: number; readonly following: boolean };
}

/** A scroll by the user, in px of the rows. */
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
  /** State at the last correction: height of the spacer in px, and if the log followed the newest rows. */
  #height = 0;
  #followed = false;
  #correctedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ScrollBarParts) {
    this.#parts = parts;
  }

  /** Handles a scroll event. Returns null if the scroll was caused by this class or by the browser. */
  take(): Scrolled | null {
    const { scrollTop, clientHeight, scrollHeight } = this.#parts.scroller;
    const delta = scrollTop - this.#scrollTop;
    const atEnd = scrollTop >= scrollHeight - clientHeight - 1;
    const resized = clientHeight !== this.#clientHeight;
    this.#scrollTop = scrollTop;
    this.#clientHeight = clientHeight;
    // A scroll backwards that is still at the end: the view grew or rows were removed, and the browser clamped
    // `scrollTop`. If the view shrank again before this event, the end has moved.
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
    // Wheel, keys and touch scroll by less than this and mean pixels. Larger steps are drags of the bar and mean a
    // position.
    if (Math.abs(delta) <= 2 * clientHeight) {
      return { kind: 'by', pixels: delta };
    }
    return { kind: 'to', top: topAt(scrollTop, this.#parts.rows().extent), downwards: delta > 0 };
  }

  /** Reports that the rows have moved. */
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
    // Whole px, like the spacer's height.
    const target = Math.round(scrollTopAt(top, extent));
    if (Math.abs(target - scroller.scrollTop) >= 1) {
      scroller.scrollTop = target;
    }
    this.#scrollTop = scroller.scrollTop;
    this.#clientHeight = scroller.clientHeight;
  }
}

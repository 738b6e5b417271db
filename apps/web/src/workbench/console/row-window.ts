/**
 * Selects the rows that a console shows: the newest ones, or those at the reading position. Rows at the reading
 * position stay in place when lines arrive or are dropped. Rows have a uniform height, or measured heights that are
 * estimated before painting. Estimates never move visible rows.
 */
import type { RowLayout, RowQuery } from '@wirebench/serial';
import { type RowHeights, uniformHeights } from './row-heights.ts';
import { RowTops } from './row-tops.ts';
import { lastTop, type ScrollExtent } from './scroll-map.ts';

/** Number of rows painted beyond each edge of the view, so that short scrolls find them ready. */
export const overscan = 10;

/** Maximum distance from the page for pixel-exact scrolling, in view heights. Longer scrolls jump to a position. */
const nearScreens = 4;

interface RowKey {
  readonly sequence: number;
  readonly part: number;
}

export interface WindowPage<Row extends RowKey> {
  readonly first: number;
  readonly total: number;
  readonly rows: readonly Row[];
  /** True: there are rows, and a filter hides all of them. */
  readonly isHidden?: boolean;
}

/**
 * Reading position: distance from the top of a row to the top of the view, in px. Negative if the row is further
 * down.
 */
export interface Anchor {
  readonly row: RowKey;
  readonly pixels: number;
}

/**
 * Place of the view among all rows:
 * - `following`: the newest row is at the lower edge. `isLoaded` is false until the page has the newest rows.
 * - `reading`: the anchor stays in place, and the page has its rows. A null anchor stands for the first row.
 * - `seeking`: the page was loaded for another layout or place than the anchor's.
 * - `jumping`: the rows of a far scroll are not loaded. `above` is the fractional number of rows above the view.
 *
 * `isDownwards` is true after a scroll down: the view follows if that scroll turns out to have reached the end.
 */
type ViewPlace =
  | { readonly kind: 'following'; readonly isLoaded: boolean }
  | { readonly kind: 'reading'; readonly anchor: Anchor | null; readonly isDownwards: boolean }
  | { readonly kind: 'seeking'; readonly anchor: Anchor }
  | { readonly kind: 'jumping'; readonly above: number; readonly isDownwards: boolean };

export class RowWindow<Row extends RowKey> {
  #page: WindowPage<Row> = { first: 0, total: 0, rows: [] };
  #tops: RowTops<Row>;
  /** Distance from the top of the page's first row to the top of the view, in px. */
  #within = 0;
  #place: ViewPlace = { kind: 'following', isLoaded: true };
  #layout: RowLayout;
  #heights: RowHeights<Row>;
  #viewport = 0;
  #covered = 0;

  /** @param rowHeight Height of a row, in px. */
  constructor(layout: RowLayout, rowHeight: number) {
    this.#layout = layout;
    this.#heights = uniformHeights(rowHeight);
    this.#tops = new RowTops<Row>([], this.#heights);
  }

  get following(): boolean {
    return this.#place.kind === 'following';
  }

  get page(): WindowPage<Row> {
    return this.#page;
  }

  get layout(): RowLayout {
    return this.#layout;
  }

  /** Extent for the scroll bar. With estimated heights, every row counts as the typical height. */
  get extent(): ScrollExtent {
    const { total } = this.#page;
    const rowHeight = this.#hasStart && this.#hasEnd && total > 0 ? this.#tops.height / total : this.#heights.typical;
    return { total, rowHeight, viewport: this.#viewport, covered: this.#covered };
  }

  /** Distance from the top of all rows to the top of the view, in px, as far as heights are known. */
  get top(): number {
    const { extent } = this;
    if (this.#place.kind === 'jumping') {
      return this.#place.above * extent.rowHeight;
    }
    // Measured from the start or the end if the page contains it, so that bar and rows arrive there together.
    if (this.#heights.uniform || this.#hasStart) {
      return this.#page.first * extent.rowHeight + this.#within;
    }
    if (this.#hasEnd) {
      return lastTop(extent) - (this.#tops.height - this.#within - this.#viewport);
    }
    return (this.#page.first + this.#tops.rowsAt(this.#within)) * extent.rowHeight;
  }

  /** Distance from the top of the page's first row to the top of the view, in px. */
  get within(): number {
    return this.#within;
  }

  /** True: the page covers the whole view, so painting it at `within` leaves no gap. */
  get covered(): boolean {
    return (
      this.#isLoaded && this.#within >= 0 && (this.#hasEnd || this.#within + this.#viewport <= this.#tops.height + 1)
    );
  }

  /** Returns the request for the rows that are needed now. */
  query(): RowQuery {
    const layout = this.#layout;
    const { least } = this.#heights;
    const visible = Math.ceil(this.#viewport / least) + 1;
    if (this.following) {
      return { layout, anchor: 'tail', count: visible + overscan };
    }
    const count = visible + 2 * overscan;
    const anchor = anchorOf(this.#place);
    if (anchor === null) {
      const above = this.#place.kind === 'jumping' ? this.#place.above : 0;
      return { layout, anchor: { position: Math.max(0, Math.floor(above) - overscan) }, count };
    }
    const { row, pixels } = anchor;
    const { sequence, part } = row;
    const above = Math.ceil(Math.max(0, -pixels) / least);
    // Maximum number of unmeasured rows between the anchor and the view.
    const between = this.#heights.uniform ? 0 : Math.ceil(Math.max(0, pixels) / least);
    return { layout, anchor: { sequence, part, offset: -overscan - above }, count: count + between };
  }

  /** Applies the answer to `asked`. Returns false and ignores an answer to an outdated layout or position. */
  accept(page: WindowPage<Row>, asked: RowQuery): boolean {
    const place = this.#place;
    // An answer with the newest rows was requested before the user paused, and may not contain the rows of the
    // reading position.
    const outdated = asked.anchor === 'tail' || (place.kind === 'seeking' && !isAbout(asked, place.anchor.row));
    if (asked.layout !== this.#layout || (!this.following && outdated)) {
      return false;
    }
    const above = this.top / this.extent.rowHeight;
    this.#page = page;
    this.#layOut();
    if (this.following || (page.total === 0 && page.isHidden !== true)) {
      this.#place = { kind: 'following', isLoaded: true };
    } else if (page.total === 0) {
      // The rows come back where they were read.
      this.#place = { kind: 'reading', anchor: anchorOf(this.#place), isDownwards: false };
    } else {
      this.#restore(above, asked);
    }
    if (this.#isLoaded) {
      this.#settle();
      if (this.#heights.uniform) {
        this.#hold();
      }
    }
    return true;
  }

  /** Updates the layout after heights were measured. The row at the top stays in place. */
  remeasure(): void {
    this.#layOut();
    if (this.#isLoaded) {
      this.#settle();
      this.#hold();
    }
    if (this.#place.kind === 'reading' && this.covered) {
      this.#place = { ...this.#place, isDownwards: false };
    }
  }

  /** Scrolls by `delta` px. Scrolling up stops following. Scrolling down to the newest row resumes it. */
  scrollBy(delta: number): void {
    if (delta === 0) {
      return;
    }
    if (this.#heights.uniform || !this.#isLoaded) {
      this.scrollTo(this.top + delta, delta > 0);
      return;
    }
    this.#place = { kind: 'reading', anchor: null, isDownwards: delta > 0 };
    this.#within += delta;
    const far = nearScreens * this.#viewport;
    if (this.#within < -far || this.#within > this.#tops.height + far) {
      this.scrollTo((this.#page.first + this.#tops.rowsAt(this.#within)) * this.extent.rowHeight, delta > 0);
    } else {
      this.#clamp();
      this.#hold();
    }
  }

  /**
   * Scrolls to a position.
   *
   * @param top Distance from the top of all rows, in px.
   * @param downwards Direction of the scroll. Only a downward scroll to the end starts following.
   */
  scrollTo(top: number, downwards: boolean): void {
    const { extent } = this;
    const end = lastTop(extent);
    if (downwards && top >= end - 1) {
      this.follow();
      this.#settle();
      return;
    }
    const above = Math.min(Math.max(0, top), end) / extent.rowHeight;
    const index = above - this.#page.first;
    if (index >= 0 && index < this.#page.rows.length) {
      this.#place = { kind: 'reading', anchor: null, isDownwards: downwards };
      this.#within = this.#tops.pixelsAt(index);
      this.#clamp();
      this.#hold();
    } else {
      this.#place = { kind: 'jumping', above, isDownwards: downwards };
      this.#within = index * extent.rowHeight;
    }
  }

  follow(): void {
    this.#place = { kind: 'following', isLoaded: this.#isLoaded };
  }

  pause(): void {
    if (this.#place.kind === 'following') {
      const anchor = this.#topAnchor();
      this.#place =
        this.#place.isLoaded || anchor === null
          ? { kind: 'reading', anchor, isDownwards: false }
          : { kind: 'seeking', anchor };
    }
  }

  /** The reading position, so that another window can restore it. Null: following the newest rows, or jumping. */
  get place(): Anchor | null {
    return anchorOf(this.#place);
  }

  /** Stops following and restores the position of another window. */
  takeUp({ row: { sequence, part }, pixels }: Anchor): void {
    this.#place = { kind: 'seeking', anchor: { row: { sequence, part }, pixels } };
  }

  /**
   * @param viewport Height of the view, in px.
   * @param covered Height of what lies over the rows below the view, in px.
   */
  resize(viewport: number, covered = 0): void {
    this.#viewport = viewport;
    this.#covered = covered;
    if (this.#isLoaded) {
      this.#settle();
    }
  }

  /** Sets a uniform height for all rows, in px. */
  setRowHeight(rowHeight: number): void {
    this.setHeights(uniformHeights(rowHeight));
  }

  setHeights(heights: RowHeights<Row>): void {
    const top = this.#tops.rowAt(this.#within);
    this.#heights = heights;
    this.#layOut();
    if (this.#place.kind === 'reading') {
      this.#place = { ...this.#place, anchor: top === undefined ? null : { row: top, pixels: 0 } };
    }
    if (this.#isLoaded) {
      this.#settle();
    }
  }

  /** Changes the layout. The same lines stay in view. */
  setLayout(layout: RowLayout): void {
    if (layout !== this.#layout) {
      this.#layout = layout;
      const row = this.#tops.rowAt(this.#within);
      if (this.#place.kind === 'following') {
        this.#place = { kind: 'following', isLoaded: this.#place.isLoaded && row === undefined };
      } else if (row !== undefined) {
        this.#place = { kind: 'seeking', anchor: { row: { sequence: row.sequence, part: 0 }, pixels: 0 } };
      } else if (this.#place.kind !== 'jumping') {
        this.#place = { kind: 'reading', anchor: null, isDownwards: false };
      }
    }
  }

  /** The newest fully visible row. */
  get bottomRow(): Row | undefined {
    return this.#tops.wholeRowAbove(this.#within + this.#viewport);
  }

  /** Stops following and scrolls the line into the upper half of the view, unless it is visible. */
  reveal(sequence: number): void {
    this.pause();
    const index = this.#page.rows.findIndex((row) => row.sequence === sequence);
    const above = this.#tops.of(index) - this.#within;
    const below = this.#tops.of(index + 1) - this.#within;
    if (index < 0 || above < 0 || below > this.#viewport) {
      const { least } = this.#heights;
      const pixels = -Math.floor(this.#viewport / least / 3) * least;
      this.#place = { kind: 'seeking', anchor: { row: { sequence, part: 0 }, pixels } };
    }
  }

  /** True: the page has the rows of the view, so `within` is a place in it. */
  get #isLoaded(): boolean {
    return this.#place.kind === 'following' ? this.#place.isLoaded : this.#place.kind === 'reading';
  }

  get #hasStart(): boolean {
    return this.#page.first === 0;
  }

  get #hasEnd(): boolean {
    return this.#page.first + this.#page.rows.length >= this.#page.total;
  }

  #layOut(): void {
    this.#tops = new RowTops(this.#page.rows, this.#heights);
  }

  /** Value of `within` at the end of all rows, in px. Estimated if the page does not contain the last row. */
  get #end(): number {
    return this.#tops.pixelsAt(this.#page.total - this.#page.first) - this.#viewport;
  }

  /** Moves the view to the end or to the anchor. */
  #settle(): void {
    const anchor = anchorOf(this.#place);
    const index = anchor === null ? -1 : this.#page.rows.findIndex((row) => isSame(row, anchor.row));
    if (anchor !== null && index >= 0) {
      this.#within = this.#tops.of(index) + anchor.pixels;
    }
    this.#clamp();
  }

  #clamp(): void {
    const { uniform } = this.#heights;
    if (!uniform && this.#hasEnd && isDownwards(this.#place) && this.#within >= this.#end - 1) {
      this.follow();
    }
    if (this.following || ((uniform || this.#hasEnd) && this.#within > this.#end)) {
      this.#within = this.#end;
    }
    if (uniform || this.#hasStart) {
      this.#within = Math.max(this.#within, this.#tops.pixelsAt(-this.#page.first));
    }
  }

  /** Anchors the reading position to the row at the top. */
  #hold(): void {
    if (this.#place.kind === 'reading' && this.#page.rows.length > 0) {
      this.#place = { ...this.#place, anchor: this.#topAnchor() };
    }
  }

  /** Returns the position of the row at the top, or of the nearest loaded row. */
  #topAnchor(): Anchor | null {
    const { rows } = this.#page;
    const index = Math.min(Math.max(0, this.#tops.indexAt(this.#within)), rows.length - 1);
    const row = rows[index];
    return row === undefined ? null : { row, pixels: this.#within - this.#tops.of(index) };
  }

  /**
   * Returns the row that replaces an anchor row that is gone. If a filter hid it, this is the next shown row, or the
   * newest one at the end. If it was dropped from the full buffer, this is the oldest row.
   */
  #nearest(index: number): Row | undefined {
    const { rows } = this.#page;
    if (index < 0) {
      return this.#hasEnd ? rows.at(-1) : undefined;
    }
    return this.#hasStart ? rows[0] : undefined;
  }

  /** Returns the anchor in a new page: the same row, or the row that replaces it. Null if the page has neither. */
  #findAnchor(anchor: Anchor, asked: RowQuery): Anchor | null {
    const { rows } = this.#page;
    const index = rows.findIndex((row) => !isBefore(row, anchor.row));
    const found = rows[index];
    if (found !== undefined && isSame(found, anchor.row)) {
      return anchor;
    }
    const next = index > 0 ? found : isKeyed(asked) ? this.#nearest(index) : undefined;
    const keepsPixels = index !== 0 && this.#place.kind === 'seeking';
    return next === undefined ? null : { row: next, pixels: keepsPixels ? anchor.pixels : 0 };
  }

  /** Restores the position of before in a new page, by the anchor row or by the number of rows above. */
  #restore(above: number, asked: RowQuery): void {
    const downwards = isDownwards(this.#place);
    const before = anchorOf(this.#place);
    const anchor = before === null ? null : this.#findAnchor(before, asked);
    if (anchor !== null) {
      this.#place = { kind: 'reading', anchor, isDownwards: downwards };
      return;
    }
    const { rows, first } = this.#page;
    const index = Math.min(above, lastTop(this.extent) / this.extent.rowHeight) - first;
    if (index >= 0 && index <= rows.length) {
      this.#place = { kind: 'reading', anchor: null, isDownwards: downwards };
      this.#within = this.#tops.pixelsAt(index);
      this.#clamp();
      this.#hold();
    } else {
      this.#place = { kind: 'jumping', above: first + index, isDownwards: downwards };
      this.#within = index * this.#heights.typical;
      this.#clamp();
    }
  }
}

/** Returns the anchor of a reading position. Null if the view follows or jumps. */
function anchorOf(place: ViewPlace): Anchor | null {
  return place.kind === 'reading' || place.kind === 'seeking' ? place.anchor : null;
}

function isDownwards(place: ViewPlace): boolean {
  return 'isDownwards' in place && place.isDownwards;
}

function isBefore(a: RowKey, b: RowKey): boolean {
  return a.sequence < b.sequence || (a.sequence === b.sequence && a.part < b.part);
}

function isSame(a: RowKey, b: RowKey): boolean {
  return a.sequence === b.sequence && a.part === b.part;
}

function isAbout({ anchor }: RowQuery, { sequence, part }: RowKey): boolean {
  return typeof anchor === 'object' && 'sequence' in anchor && anchor.sequence === sequence && anchor.part === part;
}

function isKeyed({ anchor }: RowQuery): boolean {
  return typeof anchor === 'object' && 'sequence' in anchor;
}

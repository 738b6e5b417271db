/**
 * Which rows a console shows: the newest ones, or those that a person reads, which stay where they are whatever arrives
 * below or leaves above. Counts rows and pixels; knows no element, no thread and no time. Rows are all of one height, or of
 * heights that are known once they were painted: what is not painted is guessed then, and never moves what is seen.
 */
import type { RowLayout, RowQuery } from '@wirebench/serial';
import { type RowHeights, uniformHeights } from './row-heights.ts';
import { RowTops } from './row-tops.ts';
import { lastTop, type ScrollExtent } from './scroll-map.ts';

/** Rows painted beyond each edge of the visible part, so that a small scroll finds them there. */
export const overscan = 10;

/** Screens beyond the page to which one scrolls pixel by pixel; what is further away is found by its position. */
const nearScreens = 4;

interface RowKey {
  readonly sequence: number;
  readonly part: number;
}

export interface WindowPage<Row extends RowKey> {
  readonly first: number;
  readonly total: number;
  readonly rows: readonly Row[];
}

/** Px from the top of a row down to the top of the visible part; below 0 when the row stands further down. */
export interface Anchor {
  readonly row: RowKey;
  readonly pixels: number;
}

export class RowWindow<Row extends RowKey> {
  #page: WindowPage<Row> = { first: 0, total: 0, rows: [] };
  #tops: RowTops<Row>;
  /** Px from the top of the page's first row down to the top of the visible part. */
  #within = 0;
  #following = true;
  #layout: RowLayout;
  #heights: RowHeights<Row>;
  #viewport = 0;
  /** What the visible part stays with while it does not follow. */
  #anchor: Anchor | null = null;
  /** The page holds rows of another layout or another place than the anchor's. */
  #lost = false;
  /** Rows before the place that was jumped to, as long as nobody knows which row is there. */
  #jump: number | null = null;
  /** The last scroll went down: where it turns out to have come to the end, it follows. */
  #downwards = false;

  /** @param rowHeight in px. */
  constructor(layout: RowLayout, rowHeight: number) {
    this.#layout = layout;
    this.#heights = uniformHeights(rowHeight);
    this.#tops = new RowTops<Row>([], this.#heights);
  }

  get following(): boolean {
    return this.#following;
  }

  get page(): WindowPage<Row> {
    return this.#page;
  }

  get layout(): RowLayout {
    return this.#layout;
  }

  /** For the scroll bar: where heights are guessed, a row stands for the typical one. */
  get extent(): ScrollExtent {
    const { total } = this.#page;
    const rowHeight = this.#hasStart && this.#hasEnd && total > 0 ? this.#tops.height / total : this.#heights.typical;
    return { total, rowHeight, viewport: this.#viewport };
  }

  /** Px from the top of all rows held down to the top of the visible part, as far as heights are known. */
  get top(): number {
    const { extent } = this;
    if (this.#jump !== null) {
      return this.#jump * extent.rowHeight;
    }
    // By the nearer end where there is one: the bar and the rows come to it together then.
    if (this.#heights.uniform || this.#hasStart) {
      return this.#page.first * extent.rowHeight + this.#within;
    }
    if (this.#hasEnd) {
      return lastTop(extent) - (this.#tops.height - this.#within - this.#viewport);
    }
    return (this.#page.first + this.#tops.rowsAt(this.#within)) * extent.rowHeight;
  }

  /** Px from the top of the page's first row down to the top of the visible part. */
  get within(): number {
    return this.#within;
  }

  /** The page reaches over the whole visible part: painted where `within` says it leaves no gap. */
  get covered(): boolean {
    return (
      !this.#lost &&
      this.#jump === null &&
      this.#within >= 0 &&
      (this.#hasEnd || this.#within + this.#viewport <= this.#tops.height + 1)
    );
  }

  /** What to ask for now. */
  query(): RowQuery {
    const layout = this.#layout;
    const { least } = this.#heights;
    const visible = Math.ceil(this.#viewport / least) + 1;
    if (this.#following) {
      return { layout, anchor: 'tail', count: visible + overscan };
    }
    const count = visible + 2 * overscan;
    if (this.#anchor === null || this.#jump !== null) {
      return { layout, anchor: { position: Math.max(0, Math.floor(this.#jump ?? 0) - overscan) }, count };
    }
    const { row, pixels } = this.#anchor;
    const { sequence, part } = row;
    const above = Math.ceil(Math.max(0, -pixels) / least);
    // Of rows that nobody has measured so many may stand between the anchor and what is to be seen.
    const between = this.#heights.uniform ? 0 : Math.ceil(Math.max(0, pixels) / least);
    return { layout, anchor: { sequence, part, offset: -overscan - above }, count: count + between };
  }

  /** Takes the answer to `asked`; false for an answer to a layout or a place that is no longer wanted, which is left aside. */
  accept(page: WindowPage<Row>, asked: RowQuery): boolean {
    const anchor = this.#anchor;
    const elsewhere = this.#lost && anchor !== null && !isAbout(asked, anchor.row);
    // The newest rows, that were asked for before the person stopped at others, could hold none of these.
    const passed = asked.anchor === 'tail' || elsewhere;
    if (asked.layout !== this.#layout || (!this.#following && passed)) {
      return false;
    }
    const position = this.top / this.extent.rowHeight;
    this.#page = page;
    this.#layOut();
    if (page.total === 0) {
      this.#following = true;
    }
    if (this.#following) {
      this.#jump = null;
    } else {
      this.#stay(position, asked);
    }
    this.#lost = false;
    if (this.#jump === null) {
      this.#settle();
      if (this.#heights.uniform) {
        this.#hold();
      }
    }
    return true;
  }

  /** Heights of rows of the page are known now, or are others than they were. The row at the top stays where it is. */
  remeasure(): void {
    this.#layOut();
    if (!this.#lost && this.#jump === null) {
      this.#settle();
      this.#hold();
      this.#downwards &&= !this.covered;
    }
  }

  /** Scrolls by `delta` px: upwards it stops following, down to the newest row it follows again. */
  scrollBy(delta: number): void {
    if (delta === 0) {
      return;
    }
    if (this.#heights.uniform || this.#jump !== null || this.#lost) {
      this.scrollTo(this.top + delta, delta > 0);
      return;
    }
    this.#following = false;
    this.#downwards = delta > 0;
    this.#within += delta;
    const far = nearScreens * this.#viewport;
    if (this.#within < -far || this.#within > this.#tops.height + far) {
      this.scrollTo((this.#page.first + this.#tops.rowsAt(this.#within)) * this.extent.rowHeight, delta > 0);
    } else {
      this.#clamp();
      this.#hold();
    }
  }

  /** Scrolls to `top` px of all rows; `downwards` says where from. */
  scrollTo(top: number, downwards: boolean): void {
    const { extent } = this;
    const end = lastTop(extent);
    this.#downwards = downwards;
    this.#following = downwards && top >= end - 1;
    if (this.#following) {
      this.#settle();
      return;
    }
    const position = Math.min(Math.max(0, top), end) / extent.rowHeight;
    const index = position - this.#page.first;
    this.#lost = false;
    if (index >= 0 && index < this.#page.rows.length) {
      this.#jump = null;
      this.#within = this.#tops.pixelsAt(index);
      this.#clamp();
      this.#hold();
    } else {
      this.#jump = position;
      this.#within = index * extent.rowHeight;
    }
  }

  follow(): void {
    this.#following = true;
  }

  pause(): void {
    if (this.#following) {
      this.#following = false;
      this.#downwards = false;
      this.#hold();
    }
  }

  /** What is read, for another window to go on with; null while the newest rows are followed. */
  get place(): Anchor | null {
    return this.#following || this.#jump !== null ? null : this.#anchor;
  }

  /** Stops following and shows what another window has left. */
  takeUp({ row: { sequence, part }, pixels }: Anchor): void {
    this.#following = false;
    this.#downwards = false;
    this.#anchor = { row: { sequence, part }, pixels };
    this.#lost = true;
    this.#jump = null;
  }

  /** @param viewport height of the visible part, in px. */
  resize(viewport: number): void {
    this.#viewport = viewport;
    if (!this.#lost && this.#jump === null) {
      this.#settle();
    }
  }

  /** All rows are this tall from now on, in px. */
  setRowHeight(rowHeight: number): void {
    this.setHeights(uniformHeights(rowHeight));
  }

  setHeights(heights: RowHeights<Row>): void {
    const top = this.#tops.rowAt(this.#within);
    this.#heights = heights;
    this.#layOut();
    if (!this.#lost && this.#jump === null) {
      this.#anchor = top === undefined ? null : { row: top, pixels: 0 };
      this.#settle();
    }
  }

  /** Shows the same lines in another layout. */
  setLayout(layout: RowLayout): void {
    if (layout !== this.#layout) {
      this.#layout = layout;
      const row = this.#tops.rowAt(this.#within);
      this.#lost = row !== undefined;
      this.#anchor = row === undefined ? null : { row: { sequence: row.sequence, part: 0 }, pixels: 0 };
    }
  }

  /** The newest row that is seen whole. */
  get bottomRow(): Row | undefined {
    return this.#tops.wholeRowAbove(this.#within + this.#viewport);
  }

  /** Stops following and brings the line `sequence` into the upper half, unless it is seen already. */
  reveal(sequence: number): void {
    this.pause();
    const index = this.#page.rows.findIndex((row) => row.sequence === sequence);
    const above = this.#tops.of(index) - this.#within;
    const below = this.#tops.of(index + 1) - this.#within;
    if (index < 0 || above < 0 || below > this.#viewport) {
      const { least } = this.#heights;
      this.#anchor = { row: { sequence, part: 0 }, pixels: -Math.floor(this.#viewport / least / 3) * least };
      this.#lost = true;
      this.#jump = null;
    }
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

  /** Px of the page at which the visible part stands at the end of all rows; guessed where the page does not reach it. */
  get #end(): number {
    return this.#tops.pixelsAt(this.#page.total - this.#page.first) - this.#viewport;
  }

  /** Brings the visible part to where it belongs: to the end, or to the anchor. */
  #settle(): void {
    const index = this.#page.rows.findIndex((row) => this.#anchor !== null && isSame(row, this.#anchor.row));
    if (!this.#following && this.#anchor !== null && index >= 0) {
      this.#within = this.#tops.of(index) + this.#anchor.pixels;
    }
    this.#clamp();
  }

  #clamp(): void {
    const { uniform } = this.#heights;
    if (!uniform && this.#hasEnd && this.#downwards && this.#within >= this.#end - 1) {
      this.#following = true;
    }
    if (this.#following || ((uniform || this.#hasEnd) && this.#within > this.#end)) {
      this.#within = this.#end;
    }
    if (uniform || this.#hasStart) {
      this.#within = Math.max(this.#within, this.#tops.pixelsAt(-this.#page.first));
    }
  }

  /** Stays with the row at the top from now on; with the nearest one while that is not known. */
  #hold(): void {
    const { rows } = this.#page;
    const index = Math.min(Math.max(0, this.#tops.indexAt(this.#within)), rows.length - 1);
    const row = rows[index];
    this.#anchor = row === undefined ? null : { row, pixels: this.#within - this.#tops.of(index) };
  }

  /**
   * A filter may have taken the row away: what comes next among those that are left has its place, or the newest one where
   * none comes next. Or it has left the full ring: the oldest one that is left is nearest.
   */
  #nearest(index: number): Row | undefined {
    const { rows } = this.#page;
    if (index < 0) {
      return this.#hasEnd ? rows.at(-1) : undefined;
    }
    return this.#hasStart ? rows[0] : undefined;
  }

  /** Finds the place of before in a new page, by its row or by its position. */
  #stay(position: number, asked: RowQuery): void {
    const { rows, first } = this.#page;
    const anchor = this.#jump === null ? this.#anchor : null;
    if (anchor !== null) {
      const index = rows.findIndex((row) => !isBefore(row, anchor.row));
      const found = rows[index];
      if (found !== undefined && isSame(found, anchor.row)) {
        return;
      }
      const next = index > 0 ? found : isKeyed(asked) ? this.#nearest(index) : undefined;
      if (next !== undefined) {
        this.#anchor = { row: next, pixels: index !== 0 && this.#lost ? anchor.pixels : 0 };
        return;
      }
    }
    const index = Math.min(position, lastTop(this.extent) / this.extent.rowHeight) - first;
    const known = index >= 0 && index <= rows.length;
    this.#jump = known ? null : first + index;
    this.#within = known ? this.#tops.pixelsAt(index) : index * this.#heights.typical;
    this.#clamp();
    this.#hold();
  }
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

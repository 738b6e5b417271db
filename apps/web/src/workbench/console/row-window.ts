/**
 * Which rows a console shows: the newest ones, or those that a person reads, which stay where they are whatever arrives
 * below or leaves above. Counts rows and pixels; knows no element, no thread and no time.
 */
import type { RowLayout, RowQuery } from '@wirebench/serial';
import { lastTop, type ScrollExtent } from './scroll-map.ts';

/** Rows painted beyond each edge of the visible part, so that a small scroll finds them there. */
export const overscan = 10;

interface RowKey {
  readonly sequence: number;
  readonly part: number;
}

export interface WindowPage<Row extends RowKey> {
  readonly first: number;
  readonly total: number;
  readonly rows: readonly Row[];
}

export class RowWindow<Row extends RowKey> {
  #page: WindowPage<Row> = { first: 0, total: 0, rows: [] };
  /** Px from the top of the page's first row down to the top of the visible part. */
  #within = 0;
  #following = true;
  #layout: RowLayout;
  #rowHeight: number;
  #viewport = 0;
  /** The row to show while the page holds rows of another layout, or of another place. */
  #kept: RowKey | null = null;
  /** Rows between the upper edge and the one that is to be shown. */
  #lead = 0;

  /** @param rowHeight in px. */
  constructor(layout: RowLayout, rowHeight: number) {
    this.#layout = layout;
    this.#rowHeight = rowHeight;
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

  get extent(): ScrollExtent {
    return { total: this.#page.total, rowHeight: this.#rowHeight, viewport: this.#viewport };
  }

  /** Px from the top of all rows held down to the top of the visible part. */
  get top(): number {
    return this.#page.first * this.#rowHeight + this.#within;
  }

  /** Px from the top of the page's first row down to the top of the visible part. */
  get within(): number {
    return this.#within;
  }

  /** The page reaches over the whole visible part: painted where `within` says it leaves no gap. */
  get covered(): boolean {
    const pageHeight = this.#page.rows.length * this.#rowHeight;
    const visibleHeight = Math.min(this.#viewport, this.#page.total * this.#rowHeight - this.top);
    return this.#kept === null && this.#within >= 0 && this.#within + visibleHeight <= pageHeight + 1;
  }

  /** What to ask for now. @param flooded the rows run by: what nobody could scroll to in time is not asked for. */
  query(flooded = false): RowQuery {
    const layout = this.#layout;
    const visible = Math.ceil(this.#viewport / this.#rowHeight) + 1;
    if (this.#following) {
      return { layout, anchor: 'tail', count: visible + (flooded ? 0 : overscan) };
    }
    const count = visible + 2 * overscan;
    const row = this.#kept ?? this.#topRow();
    if (row !== undefined) {
      return { layout, anchor: { sequence: row.sequence, part: row.part, offset: -overscan - this.#lead }, count };
    }
    const position = Math.max(0, Math.floor(this.top / this.#rowHeight) - overscan);
    return { layout, anchor: { position }, count };
  }

  /** Takes the answer to `asked`. An answer for a layout or a place that is no longer wanted is left aside. */
  accept(page: WindowPage<Row>, asked: RowQuery): void {
    if (asked.layout !== this.#layout || (!this.#following && this.#kept !== null && !isAbout(asked, this.#kept))) {
      return;
    }
    const row = this.#kept ?? this.#topRow();
    const oldTop = this.top;
    this.#page = page;
    if (page.total === 0) {
      this.#following = true;
    }
    if (!this.#following) {
      this.#stayWith(row, oldTop, asked);
    }
    this.#kept = null;
    this.#lead = 0;
    this.#moveTo(this.#following ? lastTop(this.extent) : this.top);
  }

  /** Scrolls by `delta` px: upwards it stops following, down to the newest row it follows again. */
  scrollBy(delta: number): void {
    if (delta !== 0) {
      this.scrollTo(this.top + delta, delta > 0);
    }
  }

  /** Scrolls to `top` px of all rows; `downwards` says where from. */
  scrollTo(top: number, downwards: boolean): void {
    const end = lastTop(this.extent);
    this.#following = downwards && top >= end - 1;
    this.#moveTo(this.#following ? end : top);
  }

  follow(): void {
    this.#following = true;
  }

  pause(): void {
    this.#following = false;
  }

  /** @param viewport height of the visible part, in px. */
  resize(viewport: number): void {
    this.#viewport = viewport;
    this.#moveTo(this.#following ? lastTop(this.extent) : this.top);
  }

  setRowHeight(rowHeight: number): void {
    this.#within = Math.floor(this.#within / this.#rowHeight) * rowHeight;
    this.#rowHeight = rowHeight;
    this.resize(this.#viewport);
  }

  /** Shows the same lines in another layout. */
  setLayout(layout: RowLayout): void {
    if (layout !== this.#layout) {
      this.#layout = layout;
      const row = this.#topRow();
      this.#kept = row === undefined ? null : { sequence: row.sequence, part: 0 };
      this.#lead = 0;
    }
  }

  /** The newest row that is seen whole. */
  get bottomRow(): Row | undefined {
    const { rows } = this.#page;
    return rows[Math.min(rows.length, Math.floor((this.#within + this.#viewport) / this.#rowHeight)) - 1];
  }

  /** Stops following and brings the line `sequence` into the upper half, unless it is seen already. */
  reveal(sequence: number): void {
    this.#following = false;
    const index = this.#page.rows.findIndex((row) => row.sequence === sequence);
    const above = index * this.#rowHeight - this.#within;
    if (index < 0 || above < 0 || above + this.#rowHeight > this.#viewport) {
      this.#kept = { sequence, part: 0 };
      this.#lead = Math.floor(this.#viewport / this.#rowHeight / 3);
    }
  }

  #topRow(): Row | undefined {
    return this.#page.rows[Math.floor(this.#within / this.#rowHeight)];
  }

  #moveTo(top: number): void {
    const clamped = Math.min(Math.max(0, top), lastTop(this.extent));
    this.#within = clamped - this.#page.first * this.#rowHeight;
  }

  #stayWith(row: RowKey | undefined, oldTop: number, asked: RowQuery): void {
    const { rows, first } = this.#page;
    const index = row === undefined ? -1 : rows.findIndex((candidate) => !isBefore(candidate, row));
    const found = rows[index];
    const same = found !== undefined && row !== undefined && !isBefore(row, found);
    const pixel = this.#kept === null && same ? oldTop % this.#rowHeight : 0;
    // A filter may have taken the row away: what comes next among those that are left has its place.
    if (same || index > 0) {
      this.#within = (index - this.#lead) * this.#rowHeight + pixel;
    } else if (isKeyed(asked) && first === 0) {
      // The row has left the full ring: the oldest one that is left stands nearest.
      this.#within = 0;
    } else {
      this.#within = oldTop - first * this.#rowHeight;
    }
  }
}

function isBefore(a: RowKey, b: RowKey): boolean {
  return a.sequence < b.sequence || (a.sequence === b.sequence && a.part < b.part);
}

function isAbout({ anchor }: RowQuery, { sequence, part }: RowKey): boolean {
  return typeof anchor === 'object' && 'sequence' in anchor && anchor.sequence === sequence && anchor.part === part;
}

function isKeyed({ anchor }: RowQuery): boolean {
  return typeof anchor === 'object' && 'sequence' in anchor;
}

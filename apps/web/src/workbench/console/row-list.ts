/** Ordered list of row elements. Reuses the elements of rows that stay on the screen, and writes only changes. */

import type { PaintedPage, PaintedRow } from '../../protocol/rows/painted-row.ts';
import { type InspectedBytes, inspectedBytes } from './inspected-bytes.ts';
import { columnsIn, type LogSpan } from './log-selection.ts';
import { lineFlags } from './open-logs.ts';
import { type NoticeIcons, RowElement } from './row-element.ts';
import type { MeasuredHeights } from './row-heights.ts';
import { rowTimes, type TimeMode } from './row-times.ts';
import { canHighlight } from './selection-painter.ts';

export class RowList {
  readonly root = document.createElement('div');
  readonly #icons: NoticeIcons;
  readonly #elements: RowElement[] = [];
  #columns = 0;
  #times: TimeMode = 'clock';
  #startedAt: number | null = null;
  #current: number | null = null;
  #selected: LogSpan | null = null;
  /** Sequence numbers of unfolded lines. */
  #whole: ReadonlySet<number> = new Set();

  constructor(icons: NoticeIcons) {
    this.#icons = icons;
  }

  /** Length of the longest row since the log was last empty, in characters. */
  get columns(): number {
    return this.#columns;
  }

  setTimes(times: TimeMode): void {
    this.#times = times;
    this.#showTimes();
  }

  /** @param sequence Line of the current match. Null: no current match. */
  setCurrent(sequence: number | null): void {
    if (sequence !== this.#current) {
      this.#current = sequence;
      this.#showState();
    }
  }

  /** @param whole Sequence numbers of lines that are shown with all of their text lines. */
  setWhole(whole: ReadonlySet<number>): void {
    this.#whole = whole;
  }

  /** Marks the rows of a selection. `selectedRanges` has its text. */
  setSelected(span: LogSpan | null): void {
    this.#selected = span;
    this.#showState();
  }

  #showState(): void {
    const sequence = this.#current;
    const span = this.#selected;
    for (const element of this.#elements) {
      const isSelected = span !== null && element.row !== null && columnsIn(span, element.row) !== null;
      element.setSelected(!isSelected ? null : span.field === 'rows' || !canHighlight ? 'rows' : 'text');
      element.setCurrent(sequence !== null && element.row?.sequence === sequence);
      element.setFlag(element.row?.part === 0 ? lineFlags.get(element.row.sequence) : null);
    }
  }

  /** @param startedAt Arrival of the first line, in milliseconds since the Unix epoch. */
  setStart(startedAt: number | null): void {
    this.#startedAt = startedAt;
  }

  /** Returns the row that contains `element`, or undefined if the row is gone. */
  rowOf(element: Element): PaintedRow | undefined {
    return this.#elements.find(({ root }) => root.contains(element))?.row ?? undefined;
  }

  /** Returns the element of the row at a vertical position in the viewport, in px, or the nearest one. */
  elementAt(y: number): RowElement | undefined {
    const elements = this.#elements;
    let low = 0;
    let high = elements.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((elements[middle] as RowElement).root.getBoundingClientRect().bottom > y) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return elements[low];
  }

  /** Returns the element of the row that contains `element`, or undefined if the row is gone. */
  elementOf(element: Element): RowElement | undefined {
    return this.#elements.find(({ root }) => root.contains(element));
  }

  /** Hex layout: returns the selected bytes of the first line on the screen that has any. Null: no bytes are selected. */
  inspect(): InspectedBytes | null {
    const span = this.#selected;
    if (span === null) {
      return null;
    }
    return inspectedBytes(
      this.#elements.flatMap(({ row }) => {
        const columns = row === null ? null : columnsIn(span, row);
        return row === null || columns === null ? [] : [{ row, marked: { from: columns.start, to: columns.end } }];
      }),
    );
  }

  /** Returns the ranges of the selected text, and those of the same bytes in the other column of the hex layout. */
  selectedRanges(): { readonly selected: Range[]; readonly mirrored: Range[] } {
    const span = this.#selected;
    const selected: Range[] = [];
    const mirrored: Range[] = [];
    // Whole rows have a background of their own.
    if (span === null || span.field === 'rows') {
      return { selected, mirrored };
    }
    const other = span.field === 'content' ? 'characters' : 'content';
    for (const element of this.#elements) {
      const columns = element.row === null ? null : columnsIn(span, element.row);
      if (columns === null) {
        continue;
      }
      const range = element.rangeOf(span.field, columns);
      if (range !== null) {
        selected.push(range);
      }
      const mirror = element.row?.offset == null ? null : element.rangeOf(other, columns);
      if (mirror !== null) {
        mirrored.push(mirror);
      }
    }
    return { selected, mirrored };
  }

  /** Shows exactly these rows. Returns the number of rows that were not shown before. */
  show({ rows, total }: PaintedPage): number {
    this.#rotate(rows);
    while (this.#elements.length < rows.length) {
      const element = new RowElement(this.#icons);
      this.#elements.push(element);
      this.root.append(element.root);
    }
    for (const { root } of this.#elements.splice(rows.length)) {
      root.remove();
    }
    let fresh = 0;
    this.#columns = total === 0 ? 0 : this.#columns;
    const times = rowTimes(rows, this.#times, this.#startedAt);
    for (const [index, row] of rows.entries()) {
      const element = this.#elements[index];
      fresh += isSameRow(element?.row, row) ? 0 : 1;
      element?.show(row, times[index] ?? '');
      element?.setWhole(this.#whole.has(row.sequence));
      this.#columns = Math.max(this.#columns, row.text.length + 2);
    }
    this.#showState();
    return fresh;
  }

  /**
   * Measures the rows whose current text was not measured yet.
   *
   * @param columns Number of characters that fit beside each other. 0: unknown.
   */
  measure(heights: MeasuredHeights, columns: number): void {
    for (const element of this.#elements) {
      const { root, row } = element;
      if (row === null) {
        continue;
      }
      const isShort = element.fitsIn(columns);
      if (heights.has(row)) {
        element.showMore(heights.foldedOf(row));
      } else if (isShort) {
        element.showMore(0);
        heights.keep(row, heights.least);
      } else {
        const folded = element.folded();
        element.showMore(folded);
        heights.keep(row, Math.max(heights.least, root.offsetHeight), folded);
      }
    }
  }

  /** Returns where the row of a line is in the viewport, in px, and whether it is an opened frame. Null: not shown. */
  placeOf(sequence: number): { readonly top: number; readonly bottom: number; readonly isOpened: boolean } | null {
    const element = this.#elements.find(({ row }) => row?.sequence === sequence);
    if (element === undefined) {
      return null;
    }
    const { top, bottom } = element.root.getBoundingClientRect();
    return { top, bottom, isOpened: element.row?.frame?.detail !== undefined };
  }

  /** Returns the width of the rows' text, in px. 0: there is no row. */
  get contentWidth(): number {
    return this.#elements[0]?.contentWidth ?? 0;
  }

  /** Returns true if the first match in a line is folded away, or may be behind the shown part of the line. */
  hidesMark(sequence: number): boolean {
    const element = this.#elements.find(({ row }) => row?.sequence === sequence);
    return (
      element?.row != null &&
      !this.#whole.has(sequence) &&
      (element.mark === null ? element.row.cut : element.hidesMark)
    );
  }

  /** Returns the position of the first match in a line, in px from the left edge and from the top of the first row. */
  markIn(sequence: number): { readonly left: number; readonly right: number; readonly top: number } | null {
    const mark = this.#elements.find((element) => element.row?.sequence === sequence && element.mark !== null)?.mark;
    if (mark === undefined || mark === null) {
      return null;
    }
    const rows = this.root.getBoundingClientRect();
    const { left, right, top } = mark.getBoundingClientRect();
    return { left: left - rows.left, right: right - rows.left, top: top - rows.top };
  }

  /** @param pixels Distance of the first row above the upper edge, in px. */
  moveUp(pixels: number): void {
    this.root.style.setProperty('transform', `translateY(${-pixels}px)`);
  }

  #showTimes(): void {
    const rows = this.#elements.flatMap(({ row }) => row ?? []);
    const times = rowTimes(rows, this.#times, this.#startedAt);
    for (const [index, row] of rows.entries()) {
      this.#elements[index]?.show(row, times[index] ?? '');
    }
  }

  /**
   * Moves the elements of rows that stay to their new positions. Elements are in row order in the document, so that a
   * selection across rows has the visible order.
   */
  #rotate(rows: readonly PaintedRow[]): void {
    const gone = this.#elements.findIndex(({ row }) => isSameRow(row, rows[0]));
    if (gone >= 0) {
      for (const element of this.#elements.splice(0, gone)) {
        this.#elements.push(element);
        this.root.append(element.root);
      }
      return;
    }
    const added = rows.findIndex((row) => isSameRow(row, this.#elements[0]?.row));
    for (const element of added > 0 ? this.#elements.splice(-added) : []) {
      this.#elements.unshift(element);
      this.root.prepend(element.root);
    }
  }
}

function isSameRow(a: PaintedRow | null | undefined, b: PaintedRow | null | undefined): boolean {
  return a?.sequence === b?.sequence && a?.part === b?.part;
}

/** The part of a log view that selecting needs, and the reports of selecting. */
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import type { LogPlace, LogSpan, RowName, SelectedField } from './log-selection.ts';

/** Place under a pointer. */
export interface Pointed {
  readonly row: PaintedRow;
  readonly field: SelectedField;
  /** Column nearest to the pointer. */
  readonly column: number;
  /** Column of the character or byte under the pointer. */
  readonly at: number;
}

/** The part of a log view that selecting needs. */
export interface SelectableView {
  /**
   * Returns the place under a pointer, or the nearest one in the visible rows. Undefined: the log is empty.
   *
   * @param field Part of the row in which the column is looked up. Null: the part under the pointer.
   */
  placeAt(pointer: MouseEvent, field: SelectedField | null): Pointed | undefined;
  rowOf(element: Element): PaintedRow | undefined;
  /** Returns a loaded row. */
  rowNamed(name: RowName): PaintedRow | undefined;
  /** Returns the row after (1) or before (−1) `row` if it is loaded. For null, returns the last fully visible row. */
  neighbour(row: RowName | null, step: 1 | -1): PaintedRow | undefined;
  /** Scrolls, in px. Stops following. */
  scrollBy(right: number, down: number): void;
  /** Scrolls a row into view. */
  reveal(sequence: number): void;
  /** Number of rows that fit into the view. */
  readonly pageRows: number;
  /** Keeps rows in place while the button of a mouse is down and the log follows. */
  setPressed(pressed: boolean): void;
  setSelected(span: LogSpan | null): void;
}

export interface SelectingParts {
  readonly scroller: HTMLElement;
  readonly view: SelectableView;
  /** Returns the end of the newest line, or null if the log is empty. */
  readonly endOfLog: () => Promise<LogPlace | null>;
  /** Called when a selection is complete or cleared, not during a drag. */
  readonly onSettle: (span: LogSpan | null) => void;
  readonly onCopy: (span: LogSpan) => void;
  /** Called with the text that the keyboard has selected, for screen readers. */
  readonly onSay: (text: string) => void;
  /** Called for a click or Enter at a place of the text without a selection. */
  readonly onOpen: (row: PaintedRow, column: number) => boolean;
  readonly signal: AbortSignal;
}

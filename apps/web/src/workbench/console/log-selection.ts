/**
 * Selected part of a log, from an anchor to a focus. Both are named by line and column, so that the selection stays
 * with its text when lines arrive, are dropped or are hidden. It may extend beyond the screen.
 */

export interface RowName {
  readonly sequence: number;
  /** Row within the line. */
  readonly part: number;
}

/** Position between two characters of a row. */
export interface LogPlace extends RowName {
  /** UTF-16 units before the position. In rows of bytes: bytes before it, 0 to 16. */
  readonly column: number;
}

/**
 * Selected part of each row. `rows`: all of it. `content`: text, or the digits of bytes. `characters`: the character
 * column of the hex layout.
 */
export type SelectedField = 'rows' | 'content' | 'characters';

/** Selected range in the order of the log. Columns of both ends count only if `field` is not `rows`. */
export interface LogSpan {
  readonly from: LogPlace;
  /** Exclusive column. `rows`: the whole row is included. */
  readonly to: LogPlace;
  readonly field: SelectedField;
}

/** Range of columns. `end` is exclusive; infinite up to the end of the row. */
export interface ColumnRange {
  readonly start: number;
  readonly end: number;
}

export class LogSelection {
  #anchor: LogPlace | null = null;
  #focus: LogPlace | null = null;
  #field: SelectedField = 'rows';

  /** The selected range. Null: nothing is selected. */
  get span(): LogSpan | null {
    const anchor = this.#anchor;
    const focus = this.#focus;
    if (anchor === null || focus === null) {
      return null;
    }
    const [from, to] = isBefore(focus, anchor) ? [focus, anchor] : [anchor, focus];
    return this.#field !== 'rows' && isSamePlace(from, to) ? null : { from, to, field: this.#field };
  }

  get field(): SelectedField {
    return this.#field;
  }

  get anchor(): LogPlace | null {
    return this.#anchor;
  }

  /** The moving end of the selection. Without a selection, the anchor. */
  get focus(): LogPlace | null {
    return this.#focus ?? this.#anchor;
  }

  /** Sets the anchor of the next selection and clears the current one. */
  pointAt(place: LogPlace | null, field: SelectedField = 'rows'): void {
    this.#anchor = place;
    this.#focus = null;
    this.#field = field;
  }

  /** Selects from the anchor to this place. Without an anchor, the place becomes it. */
  extendTo(place: LogPlace): void {
    this.#anchor ??= place;
    this.#focus = place;
  }

  select(anchor: LogPlace, focus: LogPlace, field: SelectedField): void {
    this.#anchor = anchor;
    this.#focus = focus;
    this.#field = field;
  }

  /** Selects the whole lines of the current selection: columns mean other text from now on. */
  widenToLines(): void {
    const { span } = this;
    if (span === null) {
      this.pointAt(null);
    } else {
      this.select(startOfLine(span.from), endOfLine(span.to), 'rows');
    }
  }
}

export const startOfLine = ({ sequence }: RowName): LogPlace => ({ sequence, part: 0, column: 0 });

export const endOfLine = ({ sequence }: RowName): LogPlace => ({
  sequence,
  part: Number.MAX_SAFE_INTEGER,
  column: Number.POSITIVE_INFINITY,
});

/** Returns the selected columns of a row. Null: nothing of the row is selected. */
export function columnsIn({ from, to, field }: LogSpan, row: RowName): ColumnRange | null {
  if (isBeforeRow(row, from) || isBeforeRow(to, row)) {
    return null;
  }
  const start = field !== 'rows' && isSameRow(row, from) ? from.column : 0;
  const end = field !== 'rows' && isSameRow(row, to) ? to.column : Number.POSITIVE_INFINITY;
  return { start, end };
}

export function isBefore(a: LogPlace, b: LogPlace): boolean {
  return isBeforeRow(a, b) || (isSameRow(a, b) && a.column < b.column);
}

export function isSameRow(a: RowName, b: RowName): boolean {
  return a.sequence === b.sequence && a.part === b.part;
}

function isSamePlace(a: LogPlace, b: LogPlace): boolean {
  return isSameRow(a, b) && a.column === b.column;
}

function isBeforeRow(a: RowName, b: RowName): boolean {
  return a.sequence < b.sequence || (a.sequence === b.sequence && a.part < b.part);
}

/** Rows that a person has selected, from one to another, also beyond the screen. Knows row names; no element and no text. */

export interface RowName {
  readonly sequence: number;
  readonly part: number;
}

/** Both ends included, in the order of the timeline. */
export interface RowSpan {
  readonly from: RowName;
  readonly to: RowName;
}

export class RowSelection {
  #anchor: RowName | null = null;
  #end: RowName | null = null;

  /** What is selected, if anything. */
  get span(): RowSpan | null {
    const anchor = this.#anchor;
    const end = this.#end;
    if (anchor === null || end === null) {
      return null;
    }
    return isBefore(end, anchor) ? { from: end, to: anchor } : { from: anchor, to: end };
  }

  /** The end that moves; the row that was pointed at while nothing is selected. */
  get end(): RowName | null {
    return this.#end ?? this.#anchor;
  }

  /** A selection may begin at this row. Gives up what is selected. */
  pointAt(row: RowName | null): void {
    this.#anchor = row;
    this.#end = null;
  }

  /** Selects from where it began up to this row; this row alone when it has not begun. */
  extendTo(row: RowName): void {
    this.#anchor ??= row;
    this.#end = row;
  }

  select({ from, to }: RowSpan): void {
    this.#anchor = from;
    this.#end = to;
  }
}

export function contains({ from, to }: RowSpan, row: RowName): boolean {
  return !isBefore(row, from) && !isBefore(to, row);
}

function isBefore(a: RowName, b: RowName): boolean {
  return a.sequence < b.sequence || (a.sequence === b.sequence && a.part < b.part);
}

/** Selected rows, from an anchor to an end. They may extend beyond the screen. */

export interface RowName {
  readonly sequence: number;
  readonly part: number;
}

/** Range of rows in timeline order. Both ends are inclusive. */
export interface RowSpan {
  readonly from: RowName;
  readonly to: RowName;
}

export class RowSelection {
  #anchor: RowName | null = null;
  #end: RowName | null = null;

  /** The selected range, or null. */
  get span(): RowSpan | null {
    const anchor = this.#anchor;
    const end = this.#end;
    if (anchor === null || end === null) {
      return null;
    }
    return isBefore(end, anchor) ? { from: end, to: anchor } : { from: anchor, to: end };
  }

  /** The moving end of the selection. Without a selection, the anchor. */
  get end(): RowName | null {
    return this.#end ?? this.#anchor;
  }

  /** Sets the anchor of the next selection and clears the current one. */
  pointAt(row: RowName | null): void {
    this.#anchor = row;
    this.#end = null;
  }

  /** Selects from the anchor to this row. Without an anchor, selects this row only. */
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

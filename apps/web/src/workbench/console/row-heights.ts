/** How tall rows are: all the same, or as they were measured where long lines are wrapped. Knows no element. */

/** In px. */
export interface RowHeights<Row> {
  /** All rows are as tall as `least`. */
  readonly uniform: boolean;
  /** No row is lower. */
  readonly least: number;
  /** What a row that nobody has measured may have. */
  readonly typical: number;
  of(row: Row): number;
}

/** @param height in px. */
export function uniformHeights(height: number): RowHeights<unknown> {
  return { uniform: true, least: height, typical: height, of: () => height };
}

/** What the height of a row depends on, besides the width that it has. */
export interface MeasuredRow {
  readonly sequence: number;
  readonly text: string;
  readonly cut: boolean;
}

/** Entries kept at most, and how many of the oldest go then. */
const mostKept = 5_000;
const pruned = 1_000;
/** The typical height is another one when the average is further off than this fraction of it: less would only shake the bar. */
const tolerance = 0.1;

export class MeasuredHeights implements RowHeights<MeasuredRow> {
  readonly uniform = false;
  readonly least: number;
  readonly #kept = new Map<number, { readonly height: number; readonly length: number }>();
  #sum = 0;
  #typical: number;

  /** @param least height of a row of one line, in px. */
  constructor(least: number) {
    this.least = least;
    this.#typical = least;
  }

  get typical(): number {
    return this.#typical;
  }

  /** Entries kept. */
  get size(): number {
    return this.#kept.size;
  }

  of(row: MeasuredRow): number {
    return this.#known(row) ?? this.#typical;
  }

  /** It has been measured with the text that it has now. */
  has(row: MeasuredRow): boolean {
    return this.#known(row) !== undefined;
  }

  /** @param height in px. */
  keep(row: MeasuredRow, height: number): void {
    this.#remove(row.sequence);
    this.#kept.set(row.sequence, { height, length: shownLength(row) });
    this.#sum += height;
    if (this.#kept.size > mostKept) {
      for (const sequence of [...this.#kept.keys()].slice(0, pruned)) {
        this.#remove(sequence);
      }
    }
    const average = Math.max(this.least, this.#sum / this.#kept.size);
    if (Math.abs(average - this.#typical) > this.#typical * tolerance) {
      this.#typical = average;
    }
  }

  /** All rows have to be measured again: they have another width. */
  clear(): void {
    this.#kept.clear();
    this.#sum = 0;
  }

  #known(row: MeasuredRow): number | undefined {
    const entry = this.#kept.get(row.sequence);
    return entry?.length === shownLength(row) ? entry.height : undefined;
  }

  #remove(sequence: number): void {
    this.#sum -= this.#kept.get(sequence)?.height ?? 0;
    this.#kept.delete(sequence);
  }
}

function shownLength({ text, cut }: MeasuredRow): number {
  return text.length + (cut ? 1 : 0);
}

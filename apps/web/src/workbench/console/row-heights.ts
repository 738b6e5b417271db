/** Heights of rows: uniform, or measured if long lines wrap. */

/** Heights in px. */
export interface RowHeights<Row> {
  /** True: all rows have the height `least`. */
  readonly uniform: boolean;
  /** Lower bound of all heights. */
  readonly least: number;
  /** Estimate for rows that are not measured. */
  readonly typical: number;
  of(row: Row): number;
}

/** @param height Height of each row, in px. */
export function uniformHeights(height: number): RowHeights<unknown> {
  return { uniform: true, least: height, typical: height, of: () => height };
}

/** Properties of a row that determine its height, besides its width. */
export interface MeasuredRow {
  readonly sequence: number;
  readonly text: string;
  readonly cut: boolean;
}

/** Maximum number of entries, and number of the oldest that are dropped when it is exceeded. */
const maxKept = 5_000;
const pruned = 1_000;
/**
 * Minimum deviation of the average before the typical height is updated, as a fraction. Smaller updates would make
 * the scroll bar jitter.
 */
const tolerance = 0.1;

export class MeasuredHeights implements RowHeights<MeasuredRow> {
  readonly uniform = false;
  readonly least: number;
  readonly #kept = new Map<number, { readonly height: number; readonly length: number }>();
  #sum = 0;
  #typical: number;

  /** @param least Height of a row with one text line, in px. */
  constructor(least: number) {
    this.least = least;
    this.#typical = least;
  }

  get typical(): number {
    return this.#typical;
  }

  /** Number of entries. */
  get size(): number {
    return this.#kept.size;
  }

  of(row: MeasuredRow): number {
    return this.#known(row) ?? this.#typical;
  }

  /** Returns true if the row was measured with its current text length. */
  has(row: MeasuredRow): boolean {
    return this.#known(row) !== undefined;
  }

  /**
   * Stores a measured height.
   *
   * @param height Height in px.
   */
  keep(row: MeasuredRow, height: number): void {
    this.#remove(row.sequence);
    this.#kept.set(row.sequence, { height, length: shownLength(row) });
    this.#sum += height;
    if (this.#kept.size > maxKept) {
      for (const sequence of [...this.#kept.keys()].slice(0, pruned)) {
        this.#remove(sequence);
      }
    }
    const average = Math.max(this.least, this.#sum / this.#kept.size);
    if (Math.abs(average - this.#typical) > this.#typical * tolerance) {
      this.#typical = average;
    }
  }

  /** Discards all heights, because the rows have another width. */
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

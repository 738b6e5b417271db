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
  /** Row within the line. */
  readonly part: number;
  readonly text: string;
  readonly cut: boolean;
  /** True: the line still grows, so that it is not folded. */
  readonly open?: boolean;
}

/** Maximum number of entries, and number of the oldest that are dropped when it is exceeded. */
const maxKept = 5_000;
const pruned = 1_000;
/**
 * Minimum deviation of the average before the typical height is updated, as a fraction. Smaller updates would make
 * the scroll bar jitter.
 */
const tolerance = 0.1;

interface KeptHeight {
  readonly height: number;
  /** `shownLength` of the row when it was measured. */
  readonly length: number;
  /** Number of characters of that text that are folded away. */
  readonly folded: number;
}

export class MeasuredHeights implements RowHeights<MeasuredRow> {
  readonly uniform = false;
  readonly least: number;
  /** By `keyOf`. */
  readonly #kept = new Map<number, KeptHeight>();
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
    return this.#known(row)?.height ?? this.#typical;
  }

  /** Returns true if the row was measured with its current text length. */
  has(row: MeasuredRow): boolean {
    return this.#known(row) !== undefined;
  }

  /** Returns the number of characters that are folded away at the end of a measured row. */
  foldedOf(row: MeasuredRow): number {
    return this.#known(row)?.folded ?? 0;
  }

  /**
   * Stores a measured height.
   *
   * @param height Height in px.
   * @param folded Number of characters that are folded away.
   */
  keep(row: MeasuredRow, height: number, folded = 0): void {
    const key = keyOf(row);
    this.#drop(key);
    this.#kept.set(key, { height, length: shownLength(row), folded });
    this.#sum += height;
    if (this.#kept.size > maxKept) {
      for (const oldest of [...this.#kept.keys()].slice(0, pruned)) {
        this.#drop(oldest);
      }
    }
    const average = Math.max(this.least, this.#sum / this.#kept.size);
    if (Math.abs(average - this.#typical) > this.#typical * tolerance) {
      this.#typical = average;
    }
  }

  /** Discards the height of a line that is one row. */
  forget(sequence: number): void {
    this.#drop(sequence * PARTS);
  }

  #drop(key: number): void {
    this.#sum -= this.#kept.get(key)?.height ?? 0;
    this.#kept.delete(key);
  }

  /** Discards all heights, because the rows have another width. */
  clear(): void {
    this.#kept.clear();
    this.#sum = 0;
  }

  #known(row: MeasuredRow): KeptHeight | undefined {
    const entry = this.#kept.get(keyOf(row));
    return entry?.length === shownLength(row) ? entry : undefined;
  }
}

/** More than a line has rows: the longest line of a port, 64 MiB, has 2 ** 17. */
const PARTS = 2 ** 18;

/** Returns the number under which the height of a row is kept. */
const keyOf = ({ sequence, part }: MeasuredRow): number => sequence * PARTS + part;

/** Returns a number that changes with each property that determines the height. */
function shownLength({ text, cut, open = false }: MeasuredRow): number {
  return 4 * text.length + (cut ? 2 : 0) + (open ? 1 : 0);
}

/**
 * A source of a timeline with folded stretches of lines. Each stretch appears as one line, the first of it that is
 * held, or not at all. An instance is valid for one query only, because lines that arrive later are not counted.
 */
import type { LineChannel } from './line-channel.ts';
import type { LineSource } from './line-source.ts';
import type { RowLayout } from './timeline-rows.ts';

/** A stretch of lines of one channel, by sequence numbers. */
export interface LineFold {
  readonly from: number;
  /** Number after the last line; infinite while the fold still grows. */
  readonly end: number;
  /** True: no line stands for the stretch. Missing: its first one. */
  readonly isHidden?: boolean;
}

/** A fold among the held lines, by their numbers in the source. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Lines that stand for the stretch. */
  readonly shown: 0 | 1;
  /** Lines hidden by this fold and the folds before it. */
  readonly hidden: number;
}

/** Lines with folds. A folded stretch is one row in each layout, or none. */
export class FoldedLines implements LineSource {
  readonly channel: LineChannel;
  readonly firstLine = 0;
  readonly endLine: number;
  readonly #source: LineSource;
  readonly #first: number;
  /** Rows of the text layout beyond one for each line: the newest line may be broken. */
  readonly #furtherRows: number;
  readonly #stretches: readonly Stretch[];
  /** For each stretch, the hex rows hidden by it and the stretches before it; null until first needed. */
  #hiddenHexRows: readonly number[] | null = null;

  /** @param folds In order, without overlaps. */
  constructor(source: LineSource, folds: readonly LineFold[]) {
    this.channel = source.channel;
    this.#source = source;
    this.#first = source.firstLine;
    const end = source.endLine;
    const stretches: Stretch[] = [];
    let hidden = 0;
    for (const fold of folds) {
      const start = source.lineAtSequence(fold.from);
      const after = fold.end === Number.POSITIVE_INFINITY ? end : source.lineAtSequence(fold.end);
      const shown = fold.isHidden ? 0 : 1;
      if (after - start > shown) {
        hidden += after - start - shown;
        stretches.push({ start, end: after, shown, hidden });
      }
    }
    this.#stretches = stretches;
    this.#furtherRows = stretches.at(-1)?.end === end ? 0 : source.rows('text') - (end - this.#first);
    this.endLine = end - this.#first - hidden;
  }

  ordinalOf(line: number): number {
    return this.#source.ordinalOf(this.#lineOf(line));
  }

  sequenceOf(line: number): number {
    return this.#source.sequenceOf(this.#lineOf(line));
  }

  lineAtSequence(sequence: number): number {
    const line = this.#source.lineAtSequence(sequence);
    const index = this.#lastWhere(({ start }) => start < line);
    const stretch = this.#stretches[index];
    if (stretch === undefined) {
      return line - this.#first;
    }
    // A hidden line leads to the line after its fold.
    return Math.max(line, stretch.end) - this.#first - stretch.hidden;
  }

  rowsBefore(line: number, layout: RowLayout): number {
    if (layout === 'text') {
      return line === this.endLine ? line + this.#furtherRows : line;
    }
    const index = this.#lastBefore(line);
    this.#hiddenHexRows ??= this.#countHexRows();
    return this.#source.rowsBefore(this.#lineOf(line), layout) - (this.#hiddenHexRows[index] ?? 0);
  }

  rows(layout: RowLayout): number {
    return this.rowsBefore(this.endLine, layout);
  }

  /** Converts a number to the line of the source. */
  #lineOf(line: number): number {
    const stretch = this.#stretches[this.#lastBefore(line)];
    return this.#first + line + (stretch?.hidden ?? 0);
  }

  /** Returns the index of the last stretch before the line with this number; -1 if there is no such stretch. */
  #lastBefore(line: number): number {
    return this.#lastWhere(({ shown }, at) => this.#shownAs(at) + shown <= line);
  }

  /** Returns the number of the line that shows a stretch, or of the one after a hidden stretch. */
  #shownAs(index: number): number {
    return (this.#stretches[index]?.start ?? 0) - this.#first - (this.#stretches[index - 1]?.hidden ?? 0);
  }

  /**
   * Returns the index of the last stretch for which `holds` is true; -1 if there is no such stretch. `holds` must be
   * true up to a point and false after it.
   */
  #lastWhere(holds: (stretch: Stretch, index: number) => boolean): number {
    let low = 0;
    let high = this.#stretches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#stretches[middle] as Stretch, middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  #countHexRows(): number[] {
    let hidden = 0;
    return this.#stretches.map(({ start, end, shown }) => {
      hidden += this.#source.rowsBefore(end, 'hex') - this.#source.rowsBefore(start, 'hex') - shown;
      return hidden;
    });
  }
}

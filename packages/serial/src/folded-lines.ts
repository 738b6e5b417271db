/**
 * A source of a timeline with folded stretches of lines. Each stretch appears as one line, the first of it that is
 * held. An instance is valid for one query only, because lines that arrive later are not counted.
 */
import type { LineChannel } from './line-channel.ts';
import type { LineSource } from './line-source.ts';
import type { RowLayout } from './timeline-rows.ts';

/** A stretch of lines of one channel, by sequence numbers. */
export interface LineFold {
  readonly from: number;
  /** Number after the last line; infinite while the fold still grows. */
  readonly end: number;
}

/** A fold among the held lines, by their numbers in the source. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Lines hidden by this fold and the folds before it. */
  readonly hidden: number;
}

/** Lines with folds. A folded stretch is one row in each layout. */
export class FoldedLines implements LineSource {
  readonly channel: LineChannel;
  readonly firstLine = 0;
  readonly endLine: number;
  readonly #source: LineSource;
  readonly #first: number;
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
      if (after - start > 1) {
        hidden += after - start - 1;
        stretches.push({ start, end: after, hidden });
      }
    }
    this.#stretches = stretches;
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
      return line;
    }
    const index = this.#lastWhere((_, at) => this.#shownAs(at) < line);
    this.#hiddenHexRows ??= this.#countHexRows();
    return this.#source.rowsBefore(this.#lineOf(line), layout) - (this.#hiddenHexRows[index] ?? 0);
  }

  rows(layout: RowLayout): number {
    return this.rowsBefore(this.endLine, layout);
  }

  /** Converts a number to the line of the source. */
  #lineOf(line: number): number {
    const stretch = this.#stretches[this.#lastWhere((_, at) => this.#shownAs(at) < line)];
    return this.#first + line + (stretch?.hidden ?? 0);
  }

  /** Returns the number of the line that shows a stretch. */
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
    return this.#stretches.map(({ start, end }) => {
      hidden += this.#source.rowsBefore(end, 'hex') - this.#source.rowsBefore(start, 'hex') - 1;
      return hidden;
    });
  }
}

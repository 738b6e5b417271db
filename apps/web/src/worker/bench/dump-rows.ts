/**
 * Core dumps among the rows of a console: the row that represents a folded dump, and all lines of the dump, including
 * lines that a filter hides.
 */
import { type Bench, channelNames, type PortNumber, type Row, type RowRange, type RowView } from '@wirebench/serial';
import type { DumpStrip } from '../../protocol/rows/dump-folds.ts';
import type { CrashWatch } from '../crash/crash-watch.ts';

export class DumpRows {
  readonly #bench: Bench;
  readonly #crashes: CrashWatch;

  constructor(bench: Bench, crashes: CrashWatch) {
    this.#bench = bench;
    this.#crashes = crashes;
  }

  /**
   * Returns a function for one page of rows. It returns the core dump that a row represents, or that is unfolded from
   * this row on, else null.
   */
  stripsIn({ filter }: RowView): (row: Row) => DumpStrip | null {
    const firsts = new Map<number, number | undefined>();
    const firstShown = (port: PortNumber, { from }: DumpStrip) => {
      if (!firsts.has(from)) {
        firsts.set(from, this.#firstLine(port, from, filter));
      }
      return firsts.get(from);
    };
    return ({ port, direction, sequence, part }) => {
      if (filter?.picks || port === null || direction !== 'received' || part !== 0) {
        return null;
      }
      const strip = this.#crashes.stripAt(port, sequence);
      return strip !== null && (!strip.shown || sequence === firstShown(port, strip)) ? strip : null;
    };
  }

  /**
   * Returns all lines of the core dump that contains a line of `port`; null without a dump, or if its first line has
   * left the ring.
   */
  linesAt(port: PortNumber, sequence: number): Generator<string, void> | null {
    const strip = this.#crashes.stripAt(port, sequence);
    return strip === null || this.#firstLine(port, strip.from) !== strip.from
      ? null
      : this.#bench.copyRows({ layout: 'text', ...rangeOf(port, strip) });
  }

  /**
   * Yields the text of a selection in the order on screen. The row of a folded core dump yields all of its lines,
   * including those that a filter hides and those after the end of the selection. A dump whose row is not selected
   * yields nothing.
   */
  *copied(range: RowRange, { filter }: RowView): Generator<string, void> {
    const { from, to } = range;
    const folded = filter?.picks ? [] : this.#foldedIn(from.sequence, to.sequence, filter);
    const borders = folded.flatMap(({ row, strip }) => [strip.from, row ?? strip.from, strip.to + 1]);
    const cuts = [...new Set(borders.filter((cut) => cut > from.sequence && cut <= to.sequence))];
    cuts.sort((one, other) => one - other);
    for (const [index, begin] of [from.sequence, ...cuts].entries()) {
      const end = cuts[index] ?? to.sequence + 1;
      const around = folded.filter(({ strip }) => strip.from <= begin && begin <= strip.to);
      for (const { port, strip } of around.filter(({ row }) => row === begin)) {
        yield* this.#bench.copyRows({ ...range, ...rangeOf(port, strip) });
      }
      const part = {
        ...range,
        from: begin === from.sequence ? from : { sequence: begin, part: 0 },
        to: end > to.sequence ? to : { sequence: end - 1, part: Number.MAX_SAFE_INTEGER },
        channels: channelNames.filter((name) => around.every(({ port }) => name !== receivedFrom(port))),
      };
      yield* this.#bench.copyRows(part, filter);
    }
  }

  /** Returns the folded core dumps within a range of lines. Lines of other ports may be between their lines. */
  #foldedIn(first: number, last: number, filter: RowView['filter']): readonly FoldedDump[] {
    return this.#crashes.foldedDumps
      .filter(({ strip }) => strip.from <= last && strip.to >= first)
      .map(({ port, strip }) => ({ port, strip, row: this.#firstLine(port, strip.from, filter) }));
  }

  /** Returns the first received line of `port` from `sequence` on that is in the ring and passes the filter. */
  #firstLine(port: PortNumber, sequence: number, filter?: RowView['filter']): number | undefined {
    const anchor = { sequence, part: 0, offset: 0 };
    const query = { layout: 'text', channels: [receivedFrom(port)], anchor, count: 1 } as const;
    return this.#bench.rows(query, filter === undefined ? {} : { filter }).rows[0]?.sequence;
  }
}

/** A core dump that is shown as one row. */
interface FoldedDump {
  readonly port: PortNumber;
  readonly strip: DumpStrip;
  /** Line whose place the row takes: the first line in the ring that passes the filter. Undefined: no such line. */
  readonly row: number | undefined;
}

const receivedFrom = (port: PortNumber) => `received-${port}` as const;

const rangeOf = (port: PortNumber, { from, to }: DumpStrip) =>
  ({
    channels: [receivedFrom(port)],
    from: { sequence: from, part: 0 },
    to: { sequence: to, part: Number.MAX_SAFE_INTEGER },
  }) satisfies Omit<RowRange, 'layout'>;

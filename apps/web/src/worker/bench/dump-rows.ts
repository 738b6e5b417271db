/** Core dumps among the rows of a console: which row stands for one, and all lines that it stands for, whatever a filter leaves out. */
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

  /** For one page of rows: the core dump that a row stands for, or that is unfolded from there on; null for any other row. */
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

  /** The core dumps with folded lines from one line to another. Their lines have those of other ports among them. */
  #foldedIn(first: number, last: number, filter: RowView['filter']): readonly FoldedDump[] {
    return this.#crashes.foldedDumps
      .filter(({ strip }) => strip.from <= last && strip.to >= first)
      .map(({ port, strip }) => ({ port, strip, row: this.#firstLine(port, strip.from, filter) }));
  }

  /** The first received line of `port` from `sequence` on, as far as it is held and found. */
  #firstLine(port: PortNumber, sequence: number, filter?: RowView['filter']): number | undefined {
    const anchor = { sequence, part: 0, offset: 0 };
    const query = { layout: 'text', channels: [receivedFrom(port)], anchor, count: 1 } as const;
    return this.#bench.rows(query, filter === undefined ? {} : { filter }).rows[0]?.sequence;
  }
}

/** A core dump whose lines are one row. */
interface FoldedDump {
  readonly port: PortNumber;
  readonly strip: DumpStrip;
  /** The line in whose place the row stands: the first one that is held and found; undefined when none is. */
  readonly row: number | undefined;
}

const receivedFrom = (port: PortNumber) => `received-${port}` as const;

const rangeOf = (port: PortNumber, { from, to }: DumpStrip) =>
  ({
    channels: [receivedFrom(port)],
    from: { sequence: from, part: 0 },
    to: { sequence: to, part: Number.MAX_SAFE_INTEGER },
  }) satisfies Omit<RowRange, 'layout'>;

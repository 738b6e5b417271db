/**
 * A search over the held lines. It searches the newest lines first, because they are on the screen, and works in
 * slices, so that the caller stays responsive. It can be continued at any time for new lines. Its matches are a
 * timeline of their own, which serves as a filter for the rows of a console.
 */
import type { Clock } from '@wirebench/clock';
import { ChannelSearch } from './channel-search.ts';
import type { LineChannel } from './line-channel.ts';
import { type LineMatcher, matcherOf, nowhere } from './line-matcher.ts';
import { type LineQuery, linesWith, type SearchQuery } from './line-query.ts';
import { scopeOf, within } from './line-scope.ts';
import type { LineSource } from './line-source.ts';
import { Marker } from './marks.ts';
import { Timeline } from './timeline.ts';
import type { Row } from './timeline-rows.ts';

/**
 * Fewest and most lines of all channels together in a slice. The first slice is small, because the cost of a line is
 * unknown. Later ones are as large as possible while they take a few milliseconds.
 */
const LEAST_SLICE_LINES = 64;
const MAX_SLICE_LINES = 8_192;
/** Most bytes of a channel in a slice, per line of the slice. */
const LINE_BYTES = 128;
/** Duration above which slices become smaller, and below which they become larger, in milliseconds. */
const LONG_SLICE = 8;
const SHORT_SLICE = 2;
/** Time that `run` works between two pauses, in milliseconds. */
const TURN = 8;

/** One of the found lines, for stepping through them. */
export interface Hit {
  readonly sequence: number;
  /** Index among `count` matches, 0 for the oldest. While the search is not complete, among those found so far. */
  readonly index: number;
  /** True: the search continued from the other end to find it. */
  readonly wrapped: boolean;
}

export class LineSearch {
  readonly #clock: Clock;
  readonly #searches: readonly ChannelSearch[];
  /** Lines of each searched channel that can be found. */
  readonly #wanted = new Map<LineChannel, 'all' | LineMatcher>();
  /** True: where the marker marks something, the line is found. */
  readonly #marksFound: boolean;
  readonly #timeline: Timeline;
  readonly #marker: Marker;
  /** True: a line must contain a term to be found. False if all terms exclude lines, or without terms. */
  readonly picks: boolean;
  #sliceLines = LEAST_SLICE_LINES;

  /**
   * @param query A query, or a matcher of its own, which is asked about every channel and marks nothing.
   * @throws SearchQueryError if the query cannot be used.
   */
  constructor(clock: Clock, channels: readonly LineChannel[], query: SearchQuery | LineQuery | LineMatcher) {
    const isMatcher = 'find' in query;
    const lines: LineQuery = isMatcher ? { terms: [] } : linesWith(query);
    const matcher = isMatcher ? query : lines.terms.length === 0 ? null : matcherOf(lines.terms);
    const sources: LineSource[] = [];
    const searches: ChannelSearch[] = [];
    for (const channel of channels) {
      const scope = matcher === nowhere ? 'none' : scopeOf(channel.identity, lines);
      const wanted = scope === 'none' ? scope : within(scope, matcher);
      if (wanted !== 'none') {
        this.#wanted.set(channel, wanted);
      }
      if (wanted === 'all') {
        sources.push(channel);
      } else if (wanted !== 'none') {
        const search = new ChannelSearch(channel, wanted);
        searches.push(search);
        sources.push(search.matched);
      }
    }
    this.#clock = clock;
    this.#searches = searches;
    this.#timeline = new Timeline(sources);
    this.#marker = new Marker(lines.terms);
    const { terms, channels: named, ports, directions, levels } = lines;
    this.#marksFound = terms.length === 1 && [named, ports, directions, levels].every((scope) => scope === undefined);
    this.picks = isMatcher || lines.terms.some(({ not }) => !not);
  }

  /** True if all held lines have been searched. */
  get complete(): boolean {
    return this.#searches.every(({ hasNew, hasOld }) => !hasNew && !hasOld);
  }

  /** Number of matching lines found so far and still held. */
  get count(): number {
    return this.#timeline.total('text');
  }

  /** Timeline of the matches. It grows and shrinks with the held lines. */
  get timeline(): Timeline {
    return this.#timeline;
  }

  /** Marks the matches within a row of a line that is found. */
  get marker(): Marker {
    return this.#marker;
  }

  /**
   * Returns the marker for a row, if its line is found. The line is tested here, because the search may not have come to
   * it.
   */
  markerOf({ sequence, port, direction }: Pick<Row, 'sequence' | 'port' | 'direction'>): Marker | undefined {
    if (this.#marksFound) {
      return this.#marker;
    }
    for (const [channel, wanted] of this.#wanted) {
      const { identity } = channel;
      if (identity.direction === direction && (identity.port === null || identity.port === port)) {
        const line = channel.lineAtSequence(sequence);
        const isThere = line < channel.endLine && channel.sequenceOf(line) === sequence;
        return isThere && (wanted === 'all' || wanted.find(channel, line, line + 1).length > 0)
          ? this.#marker
          : undefined;
      }
    }
    return undefined;
  }

  /** Searches one more slice: new lines first, else older ones. Returns false if nothing is left. */
  step(): boolean {
    const begun = this.#clock.now();
    if (!this.catchUp()) {
      this.#searchOld();
    }
    const took = this.#clock.now() - begun;
    if (took > LONG_SLICE) {
      this.#sliceLines = Math.max(LEAST_SLICE_LINES, this.#sliceLines / 2);
    } else if (took < SHORT_SLICE) {
      this.#sliceLines = Math.min(MAX_SLICE_LINES, this.#sliceLines * 2);
    }
    return !this.complete;
  }

  /** Searches new lines, at most one slice of each channel. Returns false if there were no new lines. */
  catchUp(): boolean {
    const grown = this.#searches.filter(({ hasNew }) => hasNew);
    for (const search of grown) {
      search.searchNew(this.#sliceLines, this.#sliceLines * LINE_BYTES);
    }
    return grown.length > 0;
  }

  /**
   * Steps until complete, and awaits `pause` in between so that other work gets its turn. Rejects with the reason of
   * an abort.
   */
  async run(pause: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    let turnEnds = this.#clock.now() + TURN;
    while (this.step()) {
      if (this.#clock.now() >= turnEnds) {
        await pause();
        signal?.throwIfAborted();
        turnEnds = this.#clock.now() + TURN;
      }
    }
  }

  /** Returns the sequence number of a match's line, index 0 for the oldest; undefined outside of 0 to `count` − 1. */
  sequenceAt(index: number): number | undefined {
    return this.#timeline.sequenceAt('text', index);
  }

  /**
   * Returns the number of matches before the line `sequence`, which is also the index of the first match from there
   * on.
   */
  rank(sequence: number): number {
    return this.#timeline.rowsBefore('text', sequence);
  }

  /** Returns the first match after the line `sequence`, or else the oldest one; null without matches. */
  next(sequence: number): Hit | null {
    const { count } = this;
    const index = this.rank(sequence + 1);
    return this.#hit(index < count ? index : 0, index >= count);
  }

  /** Returns the last match before the line `sequence`, or else the newest one; null without matches. */
  previous(sequence: number): Hit | null {
    const index = this.rank(sequence) - 1;
    return this.#hit(index >= 0 ? index : this.count - 1, index < 0);
  }

  /** Returns the sequence numbers of all matches, ascending, as a copy that may be transferred. */
  sequences(): Float64Array<ArrayBuffer> {
    const all = new Float64Array(this.count);
    let at = 0;
    for (const { channel, line } of this.#timeline.linesFrom(0, this.#timeline.endSequence)) {
      all[at++] = channel.sequenceOf(line);
    }
    return all;
  }

  #hit(index: number, wrapped: boolean): Hit | null {
    const sequence = this.sequenceAt(index);
    return sequence === undefined ? null : { sequence, index, wrapped };
  }

  /** Searches the next slice of older lines, about the same span of time in all channels. */
  #searchOld(): void {
    const open = this.#searches.filter(({ hasOld }) => hasOld);
    const newest = Math.max(...open.map(({ newestOld }) => newestOld));
    for (const search of open) {
      search.searchOld(newest - this.#sliceLines + 1, this.#sliceLines * LINE_BYTES);
    }
  }
}

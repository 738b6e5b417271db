/**
 * A search over the lines held: the newest lines first, so that what a person looks at is found at once, in slices, so that
 * whoever runs it stays responsive. It can be taken up again at any time for the lines that came since. What it has found
 * is a timeline of its own, and so a filter for the rows of a console.
 */
import type { Clock } from '@wirebench/clock';
import { ChannelSearch } from './channel-search.ts';
import type { LineChannel } from './line-channel.ts';
import { matcherOf, nowhere } from './line-matcher.ts';
import { type LineQuery, linesWith, type SearchQuery } from './line-query.ts';
import { scopeOf, within } from './line-scope.ts';
import type { LineSource } from './line-source.ts';
import { Marker } from './marks.ts';
import { Timeline } from './timeline.ts';

/**
 * Lines of all channels together in a slice: the first one is small, because nobody knows yet how long a line takes, and those
 * after it are as large as they can be while they take a few milliseconds.
 */
const LEAST_SLICE_LINES = 64;
const MOST_SLICE_LINES = 8_192;
/** A slice ends before it has more bytes of a channel than this for each of its lines. */
const LINE_BYTES = 128;
/** Slices become smaller when they take longer than the first of these, in milliseconds, and larger below the second. */
const LONG_SLICE = 8;
const SHORT_SLICE = 2;
/** `run` works for this long between two pauses, in milliseconds. */
const TURN = 8;

/** One of the lines found, as a person steps through them. */
export interface Hit {
  readonly sequence: number;
  /** 0 for the oldest of `count`; while the search is not complete, of those found so far. */
  readonly index: number;
  /** The search went on at the other end to find it. */
  readonly wrapped: boolean;
}

export class LineSearch {
  readonly #clock: Clock;
  readonly #searches: readonly ChannelSearch[];
  readonly #timeline: Timeline;
  readonly #marker: Marker;
  /** Whether a line must have something in it to be found; false where terms only leave lines out, or there are none. */
  readonly picks: boolean;
  #sliceLines = LEAST_SLICE_LINES;

  /** Throws a `SearchQueryError` when the query cannot be used. */
  constructor(clock: Clock, channels: readonly LineChannel[], query: SearchQuery | LineQuery) {
    const lines = linesWith(query);
    const matcher = lines.terms.length === 0 ? null : matcherOf(lines.terms);
    const sources: LineSource[] = [];
    const searches: ChannelSearch[] = [];
    for (const channel of channels) {
      const scope = matcher === nowhere ? 'none' : scopeOf(channel.identity, lines);
      const wanted = scope === 'none' ? scope : within(scope, matcher);
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
    this.picks = lines.terms.some(({ not }) => !not);
  }

  /** Everything that is held now has been searched. */
  get complete(): boolean {
    return this.#searches.every(({ hasNew, hasOld }) => !hasNew && !hasOld);
  }

  /** Matching lines found so far and still held. */
  get count(): number {
    return this.#timeline.total('text');
  }

  /** What has been found, as it grows and shrinks with what is held. */
  get timeline(): Timeline {
    return this.#timeline;
  }

  /** Marks where in a row stands what is looked for. */
  get marker(): Marker {
    return this.#marker;
  }

  /** Searches one slice more: lines that are new since the last step, else older ones. False when nothing is left. */
  step(): boolean {
    const begun = this.#clock.now();
    if (!this.catchUp()) {
      this.#searchOld();
    }
    const took = this.#clock.now() - begun;
    if (took > LONG_SLICE) {
      this.#sliceLines = Math.max(LEAST_SLICE_LINES, this.#sliceLines / 2);
    } else if (took < SHORT_SLICE) {
      this.#sliceLines = Math.min(MOST_SLICE_LINES, this.#sliceLines * 2);
    }
    return !this.complete;
  }

  /** Searches what is new since the last step, one slice of each channel at most. False when there is nothing. */
  catchUp(): boolean {
    const grown = this.#searches.filter(({ hasNew }) => hasNew);
    for (const search of grown) {
      search.searchNew(this.#sliceLines, this.#sliceLines * LINE_BYTES);
    }
    return grown.length > 0;
  }

  /** Steps until complete; calls `pause` in between, so that others get their turn. Rejects with the reason of an abort. */
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

  /** Sequence number of the line of a match, 0 for the oldest; undefined outside of 0 to `count` − 1. */
  sequenceAt(index: number): number | undefined {
    return this.#timeline.sequenceAt('text', index);
  }

  /** Matches before the line `sequence`: also the index of the first match from there on. */
  rank(sequence: number): number {
    return this.#timeline.rowsBefore('text', sequence);
  }

  /** The first match after the line `sequence`, or else the oldest one; null while there are none. */
  next(sequence: number): Hit | null {
    const { count } = this;
    const index = this.rank(sequence + 1);
    return this.#hit(index < count ? index : 0, index >= count);
  }

  /** The last match before the line `sequence`, or else the newest one; null while there are none. */
  previous(sequence: number): Hit | null {
    const index = this.rank(sequence) - 1;
    return this.#hit(index >= 0 ? index : this.count - 1, index < 0);
  }

  /** The sequence numbers of all matches, ascending; a copy that may be transferred. */
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

  /** The next slice of lines before those searched, about the same span of time in all channels. */
  #searchOld(): void {
    const open = this.#searches.filter(({ hasOld }) => hasOld);
    const newest = Math.max(...open.map(({ newestOld }) => newestOld));
    for (const search of open) {
      search.searchOld(newest - this.#sliceLines + 1, this.#sliceLines * LINE_BYTES);
    }
  }
}

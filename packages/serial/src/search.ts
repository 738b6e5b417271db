/**
 * A search over the lines held: the newest lines first, so that what a person looks at is found at once, in slices, so that
 * whoever runs it stays responsive. It can be taken up again at any time for the lines that came since.
 */
import type { Clock } from '@wirebench/clock';
import type { LineChannel } from './line-channel.ts';
import { type LineMatcher, lineMatcher, type SearchQuery } from './line-matcher.ts';
import { SequenceList } from './sequence-list.ts';

/** Lines of all channels together in a slice: a few milliseconds' work. */
const SLICE_LINES = 8_192;
/** `run` works for this long between two pauses, in milliseconds. */
const TURN = 8;

/** The search in one channel: the lines from `low` up to `high` have been searched. */
interface ChannelSearch {
  readonly channel: LineChannel;
  /** Sequence numbers of the lines found. */
  readonly found: SequenceList;
  low: number;
  high: number;
  /** How much there was of the channel when its newest lines were searched last. */
  seenBytes: number;
  seenLines: number;
}

export class LineSearch {
  readonly #clock: Clock;
  readonly #matcher: LineMatcher | null;
  readonly #searches: readonly ChannelSearch[];

  /** Throws a `SearchQueryError` when the query is not valid. */
  constructor(clock: Clock, channels: readonly LineChannel[], query: SearchQuery) {
    this.#clock = clock;
    const matcher = lineMatcher(query);
    this.#matcher = matcher;
    this.#searches = channels.map((channel) => {
      const settled = matcher === null ? channel.endLine : settledLines(matcher, channel, channel.endLine);
      return {
        channel,
        found: new SequenceList(),
        low: settled,
        high: settled,
        seenBytes: channel.ring.end,
        seenLines: settled,
      };
    });
  }

  /** Everything that is held now has been searched. */
  get complete(): boolean {
    return this.#matcher === null || this.#searches.every((search) => !hasNew(search) && !hasOld(search));
  }

  /** Matching lines found so far and still held. */
  get count(): number {
    this.#dropGone();
    return this.#searches.reduce((sum, { found }) => sum + found.length, 0);
  }

  /** Searches one slice more: lines that are new since the last step, else older ones. False when nothing is left. */
  step(): boolean {
    const matcher = this.#matcher;
    if (matcher === null) {
      return false;
    }
    const grown = this.#searches.filter(hasNew);
    if (grown.length > 0) {
      for (const search of grown) {
        searchNew(matcher, search);
      }
    } else {
      this.#searchOld(matcher);
    }
    return !this.complete;
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
    const { count } = this;
    if (index < 0 || index >= count) {
      return undefined;
    }
    const lists = this.#searches.map(({ found }) => found).filter((found) => found.length > 0);
    let low = Math.min(...lists.map((found) => found.at(0) ?? 0));
    let high = Math.max(...lists.map((found) => found.at(found.length - 1) ?? 0)) + 1;
    while (high - low > 1) {
      const middle = low + Math.floor((high - low) / 2);
      if (lists.reduce((sum, found) => sum + found.rank(middle), 0) <= index) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Matches before the line `sequence`: also the index of the first match from there on. */
  rank(sequence: number): number {
    this.#dropGone();
    return this.#searches.reduce((sum, { found }) => sum + found.rank(sequence), 0);
  }

  /** The sequence numbers of all matches, ascending; a copy that may be transferred. */
  sequences(): Float64Array<ArrayBuffer> {
    const all = new Float64Array(this.count);
    let at = 0;
    for (const { found } of this.#searches) {
      all.set(found.view(), at);
      at += found.length;
    }
    return all.sort();
  }

  /** The next slice of lines before those searched, the same span of time in all channels. */
  #searchOld(matcher: LineMatcher): void {
    const open = this.#searches.filter(hasOld);
    const newest = Math.max(...open.map(({ channel, low }) => channel.sequenceOf(low - 1)));
    for (const search of open) {
      const { channel, low, found } = search;
      const from = channel.lineAtSequence(newest - SLICE_LINES + 1, channel.firstLine, low);
      found.prepend(matcher.find(channel, from, low).map((line) => channel.sequenceOf(line)));
      search.low = from;
    }
  }

  /** Takes away the matches whose lines had to leave the ring. */
  #dropGone(): void {
    for (const { channel, found } of this.#searches) {
      found.dropBefore(channel.lines === 0 ? Number.POSITIVE_INFINITY : channel.sequenceOf(channel.firstLine));
    }
  }
}

function hasNew({ channel, seenBytes, seenLines }: ChannelSearch): boolean {
  return channel.ring.end !== seenBytes || channel.endLine !== seenLines;
}

function hasOld({ channel, low }: ChannelSearch): boolean {
  return low > channel.firstLine;
}

/** The next slice of lines after those searched. The ones that may still grow are searched again each time. */
function searchNew(matcher: LineMatcher, search: ChannelSearch): void {
  const { channel, found } = search;
  const from = Math.max(search.high, channel.firstLine);
  const to = Math.min(from + SLICE_LINES, channel.endLine);
  if (from < to) {
    found.dropFrom(channel.sequenceOf(from));
    found.append(matcher.find(channel, from, to).map((line) => channel.sequenceOf(line)));
  }
  search.low = Math.min(search.low, from);
  search.high = Math.max(from, settledLines(matcher, channel, to));
  if (to === channel.endLine) {
    search.seenBytes = channel.ring.end;
    search.seenLines = channel.endLine;
  }
}

/** How many lines up to `to` cannot come to match by what is still to arrive. */
function settledLines({ lookahead }: LineMatcher, channel: LineChannel, to: number): number {
  let settled = to;
  if (settled > channel.firstLine && channel.isOpen(settled - 1)) {
    settled--;
  }
  if (lookahead > 0 && settled > channel.firstLine) {
    const decisive = Math.max(channel.ring.end - lookahead, channel.start);
    settled = Math.min(settled, channel.lineAtOffset(decisive, channel.firstLine));
  }
  return settled;
}

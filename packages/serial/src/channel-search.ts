/**
 * A search in one channel that can be continued at any time. The lines from `low` up to `high` have been searched.
 * `search.ts` decides in which order the lines of several channels are searched.
 */
import type { LineChannel } from './line-channel.ts';
import type { LineMatcher } from './line-matcher.ts';
import { MatchedLines } from './matched-lines.ts';

/**
 * Length in bytes above which an unfinished line is searched again only after it has grown by 1 / `GROWN_SHARE` of
 * its length.
 */
const LONG_OPEN_LINE = 1 << 16;
const GROWN_SHARE = 16;

export class ChannelSearch {
  readonly channel: LineChannel;
  readonly matched: MatchedLines;
  readonly #matcher: LineMatcher;
  #low: number;
  #high: number;
  /** Bytes and lines of the channel when its newest lines were last searched. */
  #seenBytes: number;
  #seenLines: number;
  /** True: the newest line was open then. Its end may change its content, which is then decoded. */
  #seenOpen: boolean;

  constructor(channel: LineChannel, matcher: LineMatcher) {
    this.channel = channel;
    this.matched = new MatchedLines(channel);
    this.#matcher = matcher;
    this.#low = this.#settledLines(channel.endLine);
    this.#high = this.#low;
    this.#seenBytes = channel.ring.end;
    this.#seenLines = this.#low;
    this.#seenOpen = this.#isNewestOpen;
  }

  /** True if new data has arrived. A small addition to a very long unfinished line does not count. */
  get hasNew(): boolean {
    const { channel } = this;
    const grown = channel.ring.end - this.#seenBytes;
    if (channel.endLine !== this.#seenLines || this.#isNewestOpen !== this.#seenOpen) {
      return true;
    }
    if (grown === 0 || !this.#seenOpen) {
      return grown > 0;
    }
    const length = channel.ring.end - channel.startOf(channel.endLine - 1);
    return length <= LONG_OPEN_LINE || grown * GROWN_SHARE >= length;
  }

  /** True if older lines are still to be searched. */
  get hasOld(): boolean {
    return this.#low > this.channel.firstLine;
  }

  /** Sequence number of the newest unsearched older line. Requires `hasOld`. */
  get newestOld(): number {
    return this.channel.sequenceOf(this.#low - 1);
  }

  /**
   * Searches the next `count` lines after the searched ones, with not much more than `bytes` bytes in total. Lines
   * that may still grow are searched again each time.
   */
  searchNew(count: number, bytes: number): void {
    const { channel, matched } = this;
    const from = Math.max(this.#high, channel.firstLine);
    let to = Math.min(from + count, channel.endLine);
    if (from < to && channel.endOf(to - 1) - channel.startOf(from) > bytes) {
      to = channel.lineAtOffset(channel.startOf(from) + bytes, from, to) + 1;
    }
    if (from < to) {
      matched.dropFrom(from);
      matched.append(this.#matcher.find(channel, from, to));
    }
    this.#low = Math.min(this.#low, from);
    this.#high = Math.max(from, this.#settledLines(to));
    if (to === channel.endLine) {
      this.#seenBytes = channel.ring.end;
      this.#seenLines = channel.endLine;
      this.#seenOpen = this.#isNewestOpen;
    }
  }

  /** Searches older lines back to the one with number `sequence`, but not much more than `bytes` bytes of them. */
  searchOld(sequence: number, bytes: number): void {
    const { channel, matched } = this;
    let from = channel.lineAtSequence(sequence, channel.firstLine, this.#low);
    if (from < this.#low) {
      const decisive = channel.endOf(this.#low - 1) - bytes;
      from = channel.startOf(from) < decisive ? channel.lineAtOffset(decisive, from, this.#low) : from;
    }
    matched.prepend(this.#matcher.find(channel, from, this.#low));
    this.#low = from;
  }

  get #isNewestOpen(): boolean {
    return this.channel.isOpen(this.channel.endLine - 1);
  }

  /** Returns the end of the lines before `to` whose result cannot change by data that is still to arrive. */
  #settledLines(to: number): number {
    const { channel } = this;
    const { lookahead } = this.#matcher;
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
}

/** Interface of the lines that a timeline merges: lines of one channel, numbered. */
import type { LineChannel } from './line-channel.ts';
import type { RowLayout } from './timeline-rows.ts';

/**
 * Lines of one channel that a timeline shows: all of them (a `LineChannel` itself), or some. Their numbers follow
 * their order.
 */
export interface LineSource {
  readonly channel: LineChannel;
  /** Number of the oldest line, and the number after the newest. */
  readonly firstLine: number;
  readonly endLine: number;
  /** Returns the ordinal of a line in its channel. */
  ordinalOf(line: number): number;
  sequenceOf(line: number): number;
  /**
   * Returns the first line with at least this sequence number. A caller that knows a range passes it as `low` and
   * `high`.
   */
  lineAtSequence(sequence: number, low?: number, high?: number): number;
  /** Returns the number of rows of the lines before `line`. */
  rowsBefore(line: number, layout: RowLayout): number;
  rows(layout: RowLayout): number;
}

/** What a timeline merges: lines of one channel, numbered. Knows no other channel and no order among them. */
import type { LineChannel } from './line-channel.ts';
import type { RowLayout } from './timeline-rows.ts';

/** Lines of one channel that a timeline shows: all of them (a `LineChannel` itself), or some. Numbered in their order. */
export interface LineSource {
  readonly channel: LineChannel;
  /** Number of the oldest line, and the number after the newest. */
  readonly firstLine: number;
  readonly endLine: number;
  /** Ordinal of a line in its channel. */
  ordinalOf(line: number): number;
  sequenceOf(line: number): number;
  /** The first line whose sequence number is not below `sequence`; it is known to stand between `low` and `high`. */
  lineAtSequence(sequence: number, low?: number, high?: number): number;
  /** Rows of the lines before `line`. */
  rowsBefore(line: number, layout: RowLayout): number;
  rows(layout: RowLayout): number;
}

/** Slices of lines for work that gives the thread to other work in between. */
import type { LineChannel } from '../line-channel.ts';

/** Most lines and bytes of one slice. */
const SLICE_LINES = 2_048;
const SLICE_BYTES = 1 << 18;

/** Returns the ordinal after the newest line that has an end. */
export function endOf(channel: LineChannel): number {
  const { endLine } = channel;
  return channel.lines > 0 && channel.isOpen(endLine - 1) ? endLine - 1 : endLine;
}

/** Returns the end of the slice that begins at `from`, at most `end`. */
export function sliceEnd(channel: LineChannel, from: number, end: number): number {
  const to = Math.min(from + SLICE_LINES, end);
  const base = channel.startOf(from);
  return channel.endOf(to - 1) - base <= SLICE_BYTES
    ? to
    : Math.max(from + 1, channel.lineAtOffset(base + SLICE_BYTES, from, to));
}

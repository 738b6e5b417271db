/** Which bytes of a line a row shows. Knows lines and their bytes; the text made of them is `line-text.ts`. */
import { hexRowBytes, type LineChannel } from './line-channel.ts';
import { maxRowBytes, type RowLayout } from './timeline-rows.ts';

const CARRIAGE_RETURN = 0x0d;
const NEWLINE = 0x0a;
/** Continuation bytes of a UTF-8 sequence at most, after its first byte. */
const MAX_CONTINUATION = 3;

/** Absolute offsets in the ring of the channel. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

export function rowSpan(channel: LineChannel, line: number, layout: RowLayout, part: number): ByteSpan {
  const start = channel.startOf(line);
  const end = channel.endOf(line);
  if (layout === 'hex') {
    const from = start + part * hexRowBytes;
    return { from, to: Math.min(end, from + hexRowBytes) };
  }
  return cutSpan(channel, { from: start, to: textEnd(channel, start, end) });
}

/** Offset where the line's text ends and its line ending begins. */
export function textEnd(channel: LineChannel, start: number, end: number): number {
  if (end === start || channel.ring.byteAt(end - 1) !== NEWLINE) {
    return end;
  }
  return end - start > 1 && channel.ring.byteAt(end - 2) === CARRIAGE_RETURN ? end - 2 : end - 1;
}

/** The same for a line that stands in `bytes` from `start` up to `end`. */
export function textEndIn(bytes: Uint8Array, start: number, end: number): number {
  if (end === start || bytes[end - 1] !== NEWLINE) {
    return end;
  }
  return end - start > 1 && bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1;
}

/**
 * A line that is too long for a row is shown from its beginning. Only when its end was written over with `\r`, as a
 * progress bar does, its end is what a terminal would show, so the row begins behind one of the last of them.
 */
function cutSpan(channel: LineChannel, { from, to }: ByteSpan): ByteSpan {
  if (to - from <= maxRowBytes) {
    return { from, to };
  }
  const tail = to - maxRowBytes;
  const carriageReturn = channel.ring.view(tail, to).indexOf(CARRIAGE_RETURN);
  if (carriageReturn !== -1 && tail + carriageReturn + 1 < to) {
    return { from: tail + carriageReturn + 1, to };
  }
  return { from, to: wholeCharacters(channel, from + maxRowBytes) };
}

/** The end of a cut, moved back so that it does not fall into a UTF-8 sequence. */
function wholeCharacters(channel: LineChannel, end: number): number {
  for (let back = 0; back <= MAX_CONTINUATION; back++) {
    if ((channel.ring.byteAt(end - back) & 0xc0) !== 0x80) {
      return end - back;
    }
  }
  return end;
}

/**
 * Decides which bytes of a line a row shows. In the text layout a line is one row, but for a long line without an end: it
 * is broken into pieces, so that its newest bytes are seen (`LineChannel.textRowsOf`).
 */
import { hexRowBytes } from './hex-rows.ts';
import type { ByteSource, LineBytes } from './line-bytes.ts';
import { maxRowBytes, pieceBytes, type RowLayout } from './timeline-rows.ts';

const CARRIAGE_RETURN = 0x0d;
/** Most continuation bytes of a UTF-8 sequence. */
const MAX_CONTINUATION = 3;

/** Offsets in the source of the line's bytes. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

/** @param most Text layout: most bytes of the row. */
export function rowSpan(
  { source, from: start, textEnd, to: end }: LineBytes,
  layout: RowLayout,
  part: number,
  most = maxRowBytes,
): ByteSpan {
  if (layout === 'hex') {
    const from = start + part * hexRowBytes;
    return { from, to: Math.min(end, from + hexRowBytes) };
  }
  return cutSpan(source, { from: start, to: textEnd }, most);
}

/** Returns the bytes of a row of a broken line. */
export function pieceSpan(line: LineBytes, part: number): ByteSpan {
  return { from: pieceStart(line, part), to: pieceStart(line, part + 1) };
}

/** Returns the offset of a row of a broken line; that of the line's end for a row behind the last. */
export function pieceStart({ source, from, textEnd }: LineBytes, part: number): number {
  const start = from + part * pieceBytes;
  return part === 0 || start >= textEnd ? Math.min(start, textEnd) : wholeCharacters(source, start);
}

/**
 * Cuts a line that is too long for a row, to its beginning. If a `\r` has overwritten its end, as in a progress bar,
 * a terminal shows the end. The row then begins behind the first `\r` of the last `most` bytes.
 */
function cutSpan(source: ByteSource, { from, to }: ByteSpan, most: number): ByteSpan {
  if (to - from <= most) {
    return { from, to };
  }
  const tail = to - most;
  const carriageReturn = source.view(tail, to).indexOf(CARRIAGE_RETURN);
  if (carriageReturn !== -1 && tail + carriageReturn + 1 < to) {
    return { from: tail + carriageReturn + 1, to };
  }
  return { from, to: wholeCharacters(source, from + most) };
}

/** Moves the end of a cut back so that it does not split a UTF-8 sequence. */
function wholeCharacters(source: ByteSource, end: number): number {
  for (let back = 0; back <= MAX_CONTINUATION; back++) {
    if ((source.byteAt(end - back) & 0xc0) !== 0x80) {
      return end - back;
    }
  }
  return end;
}

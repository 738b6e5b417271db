/** Decides which bytes of a line a row shows. */
import { hexRowBytes } from './hex-rows.ts';
import type { ByteSource, LineBytes } from './line-bytes.ts';
import { maxRowBytes, type RowLayout } from './timeline-rows.ts';

const CARRIAGE_RETURN = 0x0d;
/** Most continuation bytes of a UTF-8 sequence. */
const MAX_CONTINUATION = 3;

/** Offsets in the source of the line's bytes. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

export function rowSpan(
  { source, from: start, textEnd, to: end }: LineBytes,
  layout: RowLayout,
  part: number,
): ByteSpan {
  if (layout === 'hex') {
    const from = start + part * hexRowBytes;
    return { from, to: Math.min(end, from + hexRowBytes) };
  }
  return cutSpan(source, { from: start, to: textEnd });
}

/**
 * Cuts a line that is too long for a row, to its beginning. If a `\r` has overwritten its end, as in a progress bar,
 * a terminal shows the end. The row then begins behind the first `\r` of the last `maxRowBytes`.
 */
function cutSpan(source: ByteSource, { from, to }: ByteSpan): ByteSpan {
  if (to - from <= maxRowBytes) {
    return { from, to };
  }
  const tail = to - maxRowBytes;
  const carriageReturn = source.view(tail, to).indexOf(CARRIAGE_RETURN);
  if (carriageReturn !== -1 && tail + carriageReturn + 1 < to) {
    return { from: tail + carriageReturn + 1, to };
  }
  return { from, to: wholeCharacters(source, from + maxRowBytes) };
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

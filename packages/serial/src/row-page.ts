/** Builds a page of rows with their bytes in one buffer, so that the page can be transferred in one piece. */
import { bytesOfLine, type LineBytes } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { noticeKindOf, noticeLevelOf, noticePortOf } from './notice-flags.ts';
import { type ByteSpan, pieceSpan, rowSpan } from './row-span.ts';
import type { LineSearch } from './search.ts';
import type { RowPlace, Timeline } from './timeline.ts';
import { maxRowBytes, maxWholeBytes, type Row, type RowPage, type RowQuery } from './timeline-rows.ts';

/**
 * Builds a page of rows.
 *
 * @param marks Marks its matches in rows of the hex layout.
 */
export function rowPage(
  timeline: Timeline,
  { layout, anchor, count, whole }: RowQuery,
  marks?: Pick<LineSearch, 'markerOf'>,
): RowPage {
  const first = timeline.locate(layout, anchor, count);
  const picked: PickedRow[] = [];
  let length = 0;
  for (const place of timeline.places(layout, first, count)) {
    const line = sameLine(picked.at(-1), place) ?? bytesOfLine(place.channel, place.line);
    const isNotice = place.channel.identity.direction === 'notice';
    const isWhole = whole?.includes(place.channel.sequenceOf(place.line)) ?? false;
    const span =
      layout === 'text' && place.rows > 1
        ? pieceSpan(line, place.part)
        : rowSpan(line, isNotice ? 'text' : layout, place.part, isWhole ? maxWholeBytes : maxRowBytes);
    picked.push({ place, line, span });
    length += span.to - span.from;
  }
  const buffer = new Uint8Array(length);
  let at = 0;
  const rows = picked.map(({ place, line, span }) => {
    const end = at + span.to - span.from;
    line.source.copy(span.from, span.to, buffer, at);
    const bytes = buffer.subarray(at, end);
    at = end;
    const row = rowOf(place, line, bytes, layout === 'text' ? Math.max(0, line.textStart - span.from) : 0);
    if (layout === 'text' && place.rows > 1) {
      return { ...row, isPiece: true };
    }
    const marker = layout === 'text' ? undefined : marks?.markerOf(row);
    return marker === undefined ? row : { ...row, marks: marker.inBytes(place.channel, place.line, line, span) };
  });
  return { first, total: timeline.total(layout), rows };
}

interface PickedRow {
  readonly place: RowPlace;
  readonly line: LineBytes;
  readonly span: ByteSpan;
}

/**
 * Returns the bytes of the line if the previous row is part of it too. A long frame is then decoded once, not for
 * each row.
 */
function sameLine(before: PickedRow | undefined, { channel, line }: RowPlace): LineBytes | null {
  return before?.place.channel === channel && before.place.line === line ? before.line : null;
}

function rowOf(
  { channel, line, part }: RowPlace,
  { source, from, textEnd, to }: LineBytes,
  bytes: Uint8Array,
  stringTail: number,
): Row {
  const { direction } = channel.identity;
  const fault = channel.faultOf(line);
  const blockAt = channel.blockTimeOf(line);
  const kind = direction === 'notice' ? noticeKindOf(channel.flagsOf(line)) : null;
  return {
    sequence: channel.sequenceOf(line),
    part,
    port: linePort(channel, line),
    direction,
    level: direction === 'notice' ? noticeLevelOf(channel.flagsOf(line)) : null,
    at: channel.timeOf(line),
    bytes,
    lineLength: to - from,
    ending: source.view(textEnd, to).slice(),
    open: channel.isOpen(line),
    ...(!Number.isNaN(blockAt) && { blockAt }),
    ...(kind !== null && { kind }),
    ...(fault !== null && { fault }),
    ...(stringTail > 0 && { stringTail }),
  };
}

/** Returns the port of a line; null for a notice that belongs to no port. */
export function linePort(channel: LineChannel, line: number): Row['port'] {
  const { port, direction } = channel.identity;
  return direction === 'notice' ? noticePortOf(channel.flagsOf(line)) : port;
}

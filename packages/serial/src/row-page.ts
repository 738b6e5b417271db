/** A page of rows with their bytes, all in one buffer, so that it crosses to a page in one transfer. */
import type { LineChannel } from './line-channel.ts';
import type { Marker } from './marks.ts';
import { noticeLevelOf, noticePortOf } from './notice-flags.ts';
import { type ByteSpan, rowSpan } from './row-bytes.ts';
import type { RowPlace, Timeline } from './timeline.ts';
import type { Row, RowPage, RowQuery } from './timeline-rows.ts';

/** @param marker what is to be marked in rows of the hex layout. */
export function rowPage(timeline: Timeline, { layout, anchor, count }: RowQuery, marker?: Marker): RowPage {
  const first = timeline.locate(layout, anchor, count);
  const picked: { place: RowPlace; span: ByteSpan }[] = [];
  let length = 0;
  for (const place of timeline.places(layout, first, count)) {
    const span = rowSpan(place.channel, place.line, layout, place.part);
    picked.push({ place, span });
    length += span.to - span.from;
  }
  const buffer = new Uint8Array(length);
  let at = 0;
  const rows = picked.map(({ place, span }) => {
    const end = at + span.to - span.from;
    place.channel.ring.copy(span.from, span.to, buffer, at);
    const bytes = buffer.subarray(at, end);
    at = end;
    const row = rowOf(place, bytes);
    return marker === undefined || layout === 'text'
      ? row
      : { ...row, marks: marker.inBytes(place.channel, place.line, span) };
  });
  return { first, total: timeline.total(layout), rows };
}

function rowOf({ channel, line, part }: RowPlace, bytes: Uint8Array): Row {
  const { direction } = channel.identity;
  return {
    sequence: channel.sequenceOf(line),
    part,
    port: linePort(channel, line),
    direction,
    level: direction === 'notice' ? noticeLevelOf(channel.flagsOf(line)) : null,
    at: channel.timeOf(line),
    bytes,
    lineLength: channel.endOf(line) - channel.startOf(line),
    open: channel.isOpen(line),
  };
}

/** Null for a notice that belongs to no port. */
export function linePort(channel: LineChannel, line: number): Row['port'] {
  const { port, direction } = channel.identity;
  return direction === 'notice' ? noticePortOf(channel.flagsOf(line)) : port;
}

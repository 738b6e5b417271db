/** Exports the points of a plot as CSV (RFC 4180): a row for each line with numbers, a column for each series. */
import { csvRecord } from '../export-csv.ts';
import { chunkLength } from '../log-lines.ts';
import type { PortNumber } from '../port-number.ts';
import { localStamp } from '../time-stamp.ts';
import type { PlottedSeries } from './point-ring.ts';

const encoder = new TextEncoder();

/** Yields all points that are held when the export begins. Points that are dropped during the export are missing. */
export function* plotCsv(
  series: readonly PlottedSeries[],
  portNames: Readonly<Partial<Record<PortNumber, string>>>,
): Generator<Uint8Array<ArrayBuffer>, void> {
  const severalPorts = new Set(series.map(({ port }) => port)).size > 1;
  const head = series.map(({ port, name }) => (severalPorts ? `${portNames[port] ?? `Port ${port}`} ${name}` : name));
  let text = csvRecord(['time', 'epoch_ms', ...head]);
  const cursors = series.map(({ points }) => ({ points, next: points.first, end: points.end, now: Number.NaN }));
  for (;;) {
    let sequence = Number.POSITIVE_INFINITY;
    for (const cursor of cursors) {
      cursor.next = Math.max(cursor.next, cursor.points.first);
      cursor.now = cursor.next < cursor.end ? cursor.points.sequenceOf(cursor.next) : Number.POSITIVE_INFINITY;
      sequence = Math.min(sequence, cursor.now);
    }
    if (sequence === Number.POSITIVE_INFINITY) {
      break;
    }
    let time = 0;
    const values = cursors.map((cursor) => {
      if (cursor.now !== sequence) {
        return '';
      }
      time = cursor.points.timeOf(cursor.next);
      return `${cursor.points.valueOf(cursor.next++)}`;
    });
    text += csvRecord([localStamp(time), time.toFixed(3), ...values]);
    if (text.length >= chunkLength) {
      yield encoder.encode(text);
      text = '';
    }
  }
  yield encoder.encode(text);
}

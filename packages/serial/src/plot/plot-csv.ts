/** Exports the points of a plot as CSV (RFC 4180): a row for each line with readings, a column for each series. */
import { csvRecord } from '../export-csv.ts';
import { chunkLength } from '../log-lines.ts';
import type { PortNumber } from '../port-number.ts';
import { epochText, localStamp } from '../time-stamp.ts';
import type { PlottedSeries } from './point-store.ts';

const encoder = new TextEncoder();

/** Time of a line, in milliseconds since the Unix epoch. NaN: unknown. */
export interface LineTime {
  readonly at: number;
  readonly isDated: boolean;
}

/**
 * Yields all points that are held when the export begins. Points that are dropped during the export are missing. A value with a name
 * has its name.
 *
 * @param timeOf Returns the time of the line with this sequence number, whose points are drawn at `drawnAt`.
 */
export function* plotCsv(
  series: readonly PlottedSeries[],
  portNames: Readonly<Partial<Record<PortNumber, string>>>,
  timeOf: (port: PortNumber, sequence: number, drawnAt: number) => LineTime,
): Generator<Uint8Array<ArrayBuffer>, void> {
  const severalPorts = new Set(series.map(({ port }) => port)).size > 1;
  const head = series.map(({ port, name }) => (severalPorts ? `${portNames[port] ?? `Port ${port}`} ${name}` : name));
  let text = csvRecord(['time', 'epoch_ms', ...head]);
  const cursors = series.map(({ port, points, hasBoardTimes, valueNames }) => ({
    port,
    hasBoardTimes,
    valueNames,
    points,
    next: points.first,
    end: points.end,
    now: Number.NaN,
  }));
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
    let time: LineTime = { at: Number.NaN, isDated: false };
    const values = cursors.map((cursor) => {
      if (cursor.now !== sequence) {
        return '';
      }
      const drawnAt = cursor.points.timeOf(cursor.next);
      time = cursor.hasBoardTimes ? { at: drawnAt, isDated: true } : timeOf(cursor.port, sequence, drawnAt);
      const value = cursor.points.valueOf(cursor.next++);
      return cursor.valueNames.get(value) ?? `${value}`;
    });
    text += csvRecord([localStamp(time.at, time.isDated), epochText(time.at, time.isDated), ...values]);
    if (text.length >= chunkLength) {
      yield encoder.encode(text);
      text = '';
    }
  }
  yield encoder.encode(text);
}

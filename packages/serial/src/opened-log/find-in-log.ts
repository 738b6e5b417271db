/** Searches a whole log file in slices, also the parts that the line store does not hold. */
import type { Clock } from '@wirebench/clock';
import { LineChannel } from '../line-channel.ts';
import type { LineQuery } from '../line-query.ts';
import { LineSearch } from '../search.ts';
import { type LogSource, LogStream } from './log-stream.ts';
import type { LogForm } from './recognise-log.ts';

/** Bytes of the first slice, and of the largest. Small first slices answer soon. */
const FIRST_SLICE = 1 << 16;
const LARGEST_SLICE = 1 << 20;
/** Bytes of lines that are kept while they are searched. */
const KEPT_BYTES = 8 << 20;

export interface FindInLogOptions {
  readonly clock: Clock;
  /** Range of the file, from the start of a line on. */
  readonly from: number;
  readonly to: number;
  /** Called after each slice with the number of bytes that were searched. Other work gets its turn there. */
  readonly onProgress: (bytes: number) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

/**
 * Returns the offset of a line at or shortly before the first received or sent line that satisfies `query`. Null without
 * such a line. Rejects with the reason of an abort.
 *
 * @throws SearchQueryError if the query cannot be used.
 */
export async function findInLog(
  source: LogSource,
  form: LogForm,
  query: LineQuery,
  { clock, from, to, onProgress, signal }: FindInLogOptions,
): Promise<number | null> {
  const counter = { next: 0 };
  const port = query.ports?.[0] ?? 1;
  const received = new LineChannel({ name: `received-${port}`, port, direction: 'received' }, counter, KEPT_BYTES);
  const sent = new LineChannel({ name: `sent-${port}`, port, direction: 'sent' }, counter, KEPT_BYTES);
  const search = new LineSearch(clock, [received, sent], query);
  let sliceBytes = FIRST_SLICE;
  for (let at = from; at < to; sliceBytes = Math.min(sliceBytes * 2, LARGEST_SLICE)) {
    signal?.throwIfAborted();
    const stream = new LogStream(source, form, { from: at, sliceBytes });
    for (const { direction, bytes } of (await stream.next()) ?? []) {
      if (direction === 'sent') {
        sent.appendEntry(bytes, 0);
      } else if (direction === 'received') {
        received.append(bytes, 0);
      }
    }
    // Each slice begins a line, and the last line of the file has an end.
    received.finishLine();
    while (search.step()) {
      // A slice is searched in one go: it takes a few milliseconds.
    }
    if (search.count > 0) {
      return at;
    }
    at = stream.at;
    await onProgress(at - from);
  }
  return null;
}

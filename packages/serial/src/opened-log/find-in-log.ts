/** Searches a whole log file in slices, also the parts that the line store does not hold. */
import type { LineSieve } from '../line-sieve.ts';
import type { LogForm } from './log-lines-reader.ts';
import { type LogSource, LogStream } from './log-stream.ts';

/** Bytes of the first slice, and of the largest. Small first slices answer soon. */
const FIRST_SLICE = 1 << 16;
const LARGEST_SLICE = 1 << 20;
/** Bytes of a slice in which a hit is located. */
const FINE_SLICE = 1 << 12;

const nextSlice = (bytes: number) => (bytes === FINE_SLICE ? bytes : Math.min(bytes * 2, LARGEST_SLICE));

export interface FindInLogOptions {
  /** Range of the file, from the start of a line on. */
  readonly from: number;
  readonly to: number;
  /** Called after each slice with the number of bytes that were searched. Other work gets its turn there. */
  readonly onProgress: (bytes: number) => Promise<void> | void;
  readonly signal?: AbortSignal;
  /** Bytes of the first slice. */
  readonly sliceBytes?: number;
}

/**
 * Returns the offset of a line at or shortly before the first line that is found. Null without such a line. Rejects with the
 * reason of an abort.
 *
 * @param sieve Returns a sieve that has taken no lines yet (`Bench.sieve`).
 */
export async function findInLog(
  source: LogSource,
  form: LogForm,
  sieve: () => Pick<LineSieve, 'take' | 'mayFind'>,
  { from, to, onProgress, signal, sliceBytes: firstSlice = FIRST_SLICE }: FindInLogOptions,
): Promise<number | null> {
  const taking = sieve();
  // A port's name in front of the text is no part of the file's line.
  const isWanted = form.withPorts ? undefined : (text: Uint8Array) => taking.mayFind(text);
  let sliceBytes = firstSlice;
  for (let at = from; at < to; sliceBytes = nextSlice(sliceBytes)) {
    signal?.throwIfAborted();
    const stream = new LogStream(source, form, { from: at, sliceBytes });
    if (taking.take((await stream.next(isWanted)) ?? [])) {
      const fine = { from: at, to: stream.at, onProgress: () => undefined, sliceBytes: FINE_SLICE };
      return sliceBytes <= FINE_SLICE ? at : findInLog(source, form, sieve, fine);
    }
    at = stream.at;
    await onProgress(at - from);
  }
  return null;
}

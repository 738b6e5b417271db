/** Reads several logs: one after the other, or by their times as one timeline. */
import type { LogPiece } from './log-piece.ts';
import type { LogStream } from './log-stream.ts';

/** Pieces of one log, in order. */
export interface LogBatch {
  /** Index of the log. */
  readonly log: number;
  readonly pieces: readonly LogPiece[];
}

export async function* inTurn(streams: readonly LogStream[]): AsyncGenerator<LogBatch, void> {
  for (const [log, stream] of streams.entries()) {
    for (let pieces = await stream.next(); pieces !== null; pieces = await stream.next()) {
      yield { log, pieces };
    }
  }
}

interface Head {
  readonly log: number;
  readonly stream: LogStream;
  pieces: readonly LogPiece[];
  at: number;
  isEnded: boolean;
}

/**
 * Yields pieces in the order of their times. Pieces of one log keep their order, also where its times go backwards.
 * Pieces with the same time come in the order of the logs.
 */
export async function* byTime(streams: readonly LogStream[]): AsyncGenerator<LogBatch, void> {
  const heads = streams.map((stream, log): Head => ({ log, stream, pieces: [], at: 0, isEnded: false }));
  for (;;) {
    for (const head of heads) {
      await fill(head);
    }
    const open = heads.filter(({ isEnded }) => !isEnded);
    const [first, ...others] = open.toSorted((a, b) => timeOf(a) - timeOf(b) || a.log - b.log);
    if (first === undefined) {
      return;
    }
    const limit = Math.min(...others.map(timeOf));
    const from = first.at++;
    while (first.at < first.pieces.length && timeOf(first) < limit) {
      first.at++;
    }
    yield { log: first.log, pieces: first.pieces.slice(from, first.at) };
  }
}

async function fill(head: Head): Promise<void> {
  while (!head.isEnded && head.at >= head.pieces.length) {
    const pieces = await head.stream.next();
    head.pieces = pieces ?? [];
    head.at = 0;
    head.isEnded = pieces === null;
  }
}

/** Time of the next piece. A line without a time comes first. */
function timeOf({ pieces, at }: Head): number {
  const time = pieces[at]?.at ?? Number.NaN;
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

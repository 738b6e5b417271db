/**
 * The lines that passed before a guest joined, which it may see while the host consents. They end where the guest's
 * tap begins, so no byte is sent twice or lost between them.
 */
import type { Clock } from '@wirebench/clock';
import {
  catchUpLimit,
  type EarlierLineFields,
  earlierListLimit,
  type MessageOf,
  pieceLimit,
} from '../frames/messages.ts';
import { type LanePlace, wordsLimit } from '../frames/tap-records.ts';
import type { Limits } from '../limits.ts';
import { textWithin } from '../text-within.ts';
import type { BenchAccess, EarlierLine } from './bench-access.ts';
import type { TapLog } from './tap-log.ts';

/** Maximum size of a line in a message, in addition to its bytes. */
const lineCost = 24 + wordsLimit;

interface EarlierLinesParts {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly bench: Pick<BenchAccess, 'earlier'>;
  readonly tap: Pick<TapLog, 'addedSince'>;
  /** Ports that are shared now. */
  readonly ports: () => readonly number[];
  /** Number of present guests. */
  readonly guests: () => number;
}

export class EarlierLines {
  /** True: the host consents that new guests see these lines. */
  isShown = false;
  readonly #parts: EarlierLinesParts;

  constructor(parts: EarlierLinesParts) {
    this.#parts = parts;
  }

  /**
   * Returns the answer to a guest. Without the host's consent it contains no lines.
   * @param came Length of each lane when the guest joined.
   */
  messages(came: readonly LanePlace[]): MessageOf<'earlier'>[] {
    const now = this.#parts.clock.wallTime();
    const batches: EarlierLineFields[][] = [[]];
    let size = 0;
    for (const line of this.isShown ? this.#lines(came) : []) {
      const last = batches.at(-1) ?? [];
      size += line.bytes.length + lineCost;
      if (size > catchUpLimit || last.length === earlierListLimit) {
        batches.push([line]);
        size = line.bytes.length + lineCost;
      } else {
        last.push(line);
      }
    }
    return batches.map((lines, at) => ({ kind: 'earlier', now, lines, isLast: at === batches.length - 1 }));
  }

  #lines(came: readonly LanePlace[]): EarlierLineFields[] {
    const { bench, limits, tap, ports, guests } = this.#parts;
    const bytes = Math.floor(limits.earlierBytes * Math.min(1, limits.earlierGuests / Math.max(1, guests())));
    return ports()
      .flatMap((port) => {
        const without = {
          received: tap.addedSince(came, port, 'received'),
          sent: tap.addedSince(came, port, 'sent'),
        };
        const lines = bench.earlier?.(port, { lines: limits.earlierLines, bytes, without }) ?? [];
        return lines.map((line) => ({ port, line }));
      })
      .toSorted((one, other) => one.line.order - other.line.order)
      .flatMap(({ port, line }) => piecesOf(port, line));
  }
}

/** Splits a line that is too long for one piece into several lines. */
function piecesOf(port: number, { lane, time, bytes, isOpen, author }: EarlierLine): EarlierLineFields[] {
  const words = author === null ? null : new TextDecoder().decode(textWithin(author, wordsLimit));
  const pieces: EarlierLineFields[] = [];
  for (let from = 0; from === 0 || from < bytes.length; from += pieceLimit) {
    const to = from + pieceLimit;
    pieces.push({
      port,
      lane,
      time,
      isOpen: isOpen && to >= bytes.length,
      bytes: bytes.subarray(from, to),
      author: words,
    });
  }
  return pieces;
}

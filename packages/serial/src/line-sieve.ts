/** Searches lines that are not stored, piece by piece, with the search of the console. */
import type { Clock } from '@wirebench/clock';
import { LineChannel } from './line-channel.ts';
import type { LineQuery } from './line-query.ts';
import type { LogPiece } from './opened-log/log-lines-reader.ts';
import { LineSearch } from './search.ts';

/** Bytes of lines that are kept while they are searched. */
const KEPT_BYTES = 8 << 20;

export class LineSieve {
  readonly #received: LineChannel;
  readonly #sent: LineChannel;
  readonly #search: LineSearch;

  /** @throws SearchQueryError if the query cannot be used. */
  constructor(clock: Clock, query: LineQuery) {
    const counter = { next: 0 };
    const port = query.ports?.[0] ?? 1;
    this.#received = new LineChannel({ name: `received-${port}`, port, direction: 'received' }, counter, KEPT_BYTES);
    this.#sent = new LineChannel({ name: `sent-${port}`, port, direction: 'sent' }, counter, KEPT_BYTES);
    this.#search = new LineSearch(clock, [this.#received, this.#sent], query);
  }

  /**
   * Takes whole lines, at most a megabyte.
   *
   * @returns True: a line that was taken so far satisfies the query.
   */
  take(pieces: readonly LogPiece[]): boolean {
    for (const { direction, bytes } of pieces) {
      if (direction === 'sent') {
        this.#sent.appendEntry(bytes, 0);
      } else if (direction === 'received') {
        this.#received.append(bytes, 0);
      }
    }
    this.#received.finishLine();
    while (this.#search.step()) {
      // Searched in one go: it takes a few milliseconds.
    }
    return this.#search.count > 0;
  }
}

/** Searches lines that are not stored, piece by piece, with the search of the console. */
import type { Clock } from '@wirebench/clock';
import type { BytePattern } from './byte-pattern.ts';
import { ControlFinder } from './control-finder.ts';
import { LineChannel } from './line-channel.ts';
import { patternOf } from './line-matcher.ts';
import type { LineQuery } from './line-query.ts';
import type { LogPiece } from './opened-log/log-lines-reader.ts';
import { LineSearch } from './search.ts';

/** Bytes of lines that are kept while they are searched. */
const KEPT_BYTES = 8 << 20;

/** Characters that a table or a terminal shows in other bytes, or that are between lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds
const REWRITTEN = /[\u0000-\u001f"]/;

export class LineSieve {
  readonly #received: LineChannel;
  readonly #sent: LineChannel;
  readonly #search: LineSearch;
  /** Text that every found line contains, also with the prefix of a program in front of it. */
  readonly #patterns: readonly BytePattern[];

  /** @throws SearchQueryError if the query cannot be used. */
  constructor(clock: Clock, query: LineQuery) {
    const counter = { next: 0 };
    const port = query.ports?.[0] ?? 1;
    this.#received = new LineChannel({ name: `received-${port}`, port, direction: 'received' }, counter, KEPT_BYTES);
    this.#sent = new LineChannel({ name: `sent-${port}`, port, direction: 'sent' }, counter, KEPT_BYTES);
    this.#search = new LineSearch(clock, [this.#received, this.#sent], query);
    this.#patterns = query.terms.flatMap((term) =>
      term.kind === 'text' && !term.not && !REWRITTEN.test(term.text) ? (patternOf(term) ?? []) : [],
    );
  }

  /**
   * Returns false if `take` finds nothing in these lines. It reads a log many times as fast.
   *
   * @param text Whole lines as UTF-8, with the prefixes of the log's program.
   */
  mayFind(text: Uint8Array): boolean {
    if (this.#patterns.every((pattern) => pattern.indexIn(text) !== -1)) {
      return true;
    }
    // Text between colours and backspaces may be together where it is shown.
    const controls = new ControlFinder(text);
    return controls.next(0) !== controls.length;
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

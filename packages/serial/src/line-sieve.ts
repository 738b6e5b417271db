/** Searches lines that are not stored, piece by piece, with the search of the console. */
import type { Clock } from '@wirebench/clock';
import type { BytePattern } from './byte-pattern.ts';
import { ControlFinder } from './control-finder.ts';
import { ESCAPE, OPEN_BRACKET } from './control-sequences.ts';
import { LineChannel } from './line-channel.ts';
import type { LineQuery } from './line-query.ts';
import { bytesOfPiece, type LogPiece } from './opened-log/log-piece.ts';
import { LineSearch } from './search.ts';
import { patternOf } from './term-patterns.ts';

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
  /** Room for text without colours. */
  #shown = new Uint8Array();

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
    if (this.#hasAll(text)) {
      return true;
    }
    // Text around colours is together where it is shown. Other controls may change it in any way.
    const shown = this.#withoutColours(text);
    return shown === null || (shown !== text && this.#hasAll(shown));
  }

  #hasAll(text: Uint8Array): boolean {
    return this.#patterns.every((pattern) => pattern.indexIn(text) !== -1);
  }

  /** Returns the text without colours, valid until the next call. Null if it has other control functions. */
  #withoutColours(text: Uint8Array): Uint8Array | null {
    const controls = new ControlFinder(text);
    let at = controls.next(0);
    if (at === text.length) {
      return text;
    }
    if (this.#shown.length < text.length) {
      this.#shown = new Uint8Array(text.length);
    }
    const shown = this.#shown;
    let length = 0;
    let from = 0;
    for (;;) {
      // A loop is faster than copies of a few bytes each.
      for (let index = from; index < at; index++) {
        shown[length++] = text[index] as number;
      }
      if (at === text.length) {
        return shown.subarray(0, length);
      }
      from = colourEnd(text, at);
      if (from === -1) {
        return null;
      }
      at = controls.next(from);
    }
  }

  /**
   * Takes whole lines, at most a megabyte.
   *
   * @returns True: a line that was taken so far satisfies the query.
   */
  take(pieces: readonly LogPiece[]): boolean {
    for (const piece of pieces) {
      if (piece.direction === 'sent') {
        this.#sent.appendEntry(bytesOfPiece(piece), 0);
      } else if (piece.direction === 'received') {
        this.#received.append(piece.text, 0, piece.from, piece.to);
        if (piece.isEnd) {
          this.#received.finishLine();
        }
      }
    }
    this.#received.finishLine();
    while (this.#search.step()) {
      // Searched in one go: it takes a few milliseconds.
    }
    return this.#search.count > 0;
  }
}

/** Returns the offset after the colour (SGR, ECMA-48, 8.3.117) that begins at `at`; -1 if none begins there. */
function colourEnd(text: Uint8Array, at: number): number {
  if (text[at] !== ESCAPE || text[at + 1] !== OPEN_BRACKET) {
    return -1;
  }
  let end = at + 2;
  while (isColourParameter(text[end])) {
    end++;
  }
  return text[end] === LETTER_M ? end + 1 : -1;
}

/** Returns true for a digit, a colon or a semicolon. */
const isColourParameter = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x3b;

const LETTER_M = 0x6d;

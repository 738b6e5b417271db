/** What a line has to have to be found, and finding the lines that have it, in the bytes of a channel. */
import { BytePattern } from './byte-pattern.ts';
import type { ChannelName } from './channel-name.ts';
import type { LineChannel } from './line-channel.ts';
import { withoutColours } from './line-text.ts';
import { textEnd } from './row-bytes.ts';

interface SearchScope {
  /** Where to look; everywhere when left out. */
  readonly channels?: readonly ChannelName[];
}

export type SearchQuery = SearchScope &
  (
    | {
        readonly kind: 'text';
        /** Looked for in UTF-8 within one line; an empty one is found nowhere. */
        readonly text: string;
        /** Of the 26 letters of ASCII. */
        readonly ignoreCase: boolean;
      }
    | {
        readonly kind: 'hex';
        /** Looked for in what was received whatever lines it falls in; it counts for the line where it begins. */
        readonly bytes: Uint8Array;
      }
    | {
        readonly kind: 'regex';
        /** Of JavaScript, without flags; tried on the text of each line without its ending and its colours. */
        readonly source: string;
        readonly ignoreCase: boolean;
      }
  );

/** The regular expression is not valid; the message is the browser's. */
export class SearchQueryError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'Invalid regular expression', { cause });
    this.name = 'SearchQueryError';
  }
}

export interface LineMatcher {
  /** Bytes beyond the end of a line that decide whether it matches. */
  readonly lookahead: number;
  /** The lines from `from` up to `to` that match, ascending. */
  find(channel: LineChannel, from: number, to: number): number[];
}

const encoder = new TextEncoder();

/** Null when nothing can match. Throws a `SearchQueryError` when the regular expression is not valid. */
export function lineMatcher(query: SearchQuery): LineMatcher | null {
  switch (query.kind) {
    case 'text':
      return query.text === '' ? null : new ByteMatcher(encoder.encode(query.text), query.ignoreCase, false);
    case 'hex':
      return query.bytes.length === 0 ? null : new ByteMatcher(query.bytes.slice(), false, true);
    case 'regex':
      return query.source === '' ? null : new RegexMatcher(query.source, query.ignoreCase);
  }
}

class ByteMatcher implements LineMatcher {
  readonly lookahead: number;
  readonly #pattern: BytePattern;
  /** Whether a match in a stream may go on in the next line. */
  readonly #acrossLines: boolean;

  constructor(bytes: Uint8Array, ignoreCase: boolean, acrossLines: boolean) {
    this.#pattern = new BytePattern(bytes, ignoreCase);
    this.#acrossLines = acrossLines;
    this.lookahead = acrossLines ? bytes.length - 1 : 0;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    const found: number[] = [];
    if (from >= to) {
      return found;
    }
    const across = this.#acrossLines && channel.identity.direction === 'received';
    const start = channel.startOf(from);
    const linesEnd = channel.endOf(to - 1);
    const end = across ? Math.min(linesEnd + this.lookahead, channel.ring.end) : linesEnd;
    const [first, second] = channel.ring.segments(start, end);
    let line = from;
    const scan = (bytes: Uint8Array, base: number) => {
      let at = this.#pattern.indexIn(bytes);
      while (at !== -1 && base + at < linesEnd) {
        line = lineAt(channel, base + at, line, to);
        const lineEnd = channel.endOf(line);
        const inside = base + at + this.#pattern.length <= lineEnd;
        if ((inside || across) && found.at(-1) !== line) {
          found.push(line);
        }
        at = this.#pattern.indexIn(bytes, inside || across ? lineEnd - base : at + 1);
      }
    };
    scan(first, start);
    if (second !== undefined) {
      const seam = start + first.length;
      const overlap = this.#pattern.length - 1;
      const before = Math.max(start, seam - overlap);
      scan(channel.ring.view(before, Math.min(end, seam + overlap)), before);
      scan(second, seam);
    }
    return found;
  }
}

/** The line with the byte at `offset`, looked for from `line` on: matches that are close together are the usual case. */
function lineAt(channel: LineChannel, offset: number, line: number, to: number): number {
  let step = 1;
  while (line + step < to && channel.startOf(line + step) <= offset) {
    step *= 2;
  }
  return channel.lineAtOffset(offset, line, Math.min(line + step, to));
}

/** Of a longer line the first so many bytes are tried: no expression should see a megabyte at once. */
const REGEX_LINE_BYTES = 1 << 16;
/** Bytes decoded at once, more than `REGEX_LINE_BYTES`. */
const REGEX_BLOCK_BYTES = 1 << 20;
const byteDecoder = new TextDecoder('latin1');
const utf8Decoder = new TextDecoder();
const notAscii = /[^\0-\x7f]/;

class RegexMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #regex: RegExp;

  constructor(source: string, ignoreCase: boolean) {
    try {
      this.#regex = new RegExp(source, ignoreCase ? 'i' : '');
    } catch (error) {
      throw new SearchQueryError(error);
    }
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    const found: number[] = [];
    let line = from;
    while (line < to) {
      const blockEnd = blockOf(channel, line, to);
      this.#findInBlock(channel, line, blockEnd, found);
      line = blockEnd;
    }
    return found;
  }

  #findInBlock(channel: LineChannel, from: number, to: number, found: number[]): void {
    const base = channel.startOf(from);
    const bytes = channel.ring.view(base, Math.min(channel.endOf(to - 1), base + REGEX_BLOCK_BYTES));
    // One character a byte, so that lines can be cut from the text of all, which is much faster than decoding each.
    const text = byteDecoder.decode(bytes);
    const plain = !notAscii.test(text);
    const coloured = text.includes('\x1b');
    let start = 0;
    for (let line = from; line < to; line++) {
      const next = channel.endOf(line) - base;
      const end = Math.min(textEnd(channel, base + start, base + next) - base, start + REGEX_LINE_BYTES);
      let shown = text.slice(start, end);
      if (!plain && notAscii.test(shown)) {
        shown = utf8Decoder.decode(bytes.subarray(start, end));
      }
      if (this.#regex.test(coloured ? withoutColours(shown) : shown)) {
        found.push(line);
      }
      start = next;
    }
  }
}

/** The end of a run of lines from `line` on that is short enough to be decoded at once; one line at least. */
function blockOf(channel: LineChannel, line: number, to: number): number {
  const limit = channel.startOf(line) + REGEX_BLOCK_BYTES;
  return channel.endOf(to - 1) <= limit ? to : Math.max(line + 1, channel.lineAtOffset(limit, line, to));
}

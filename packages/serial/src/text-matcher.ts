/**
 * Finds text in the visible bytes of lines. Bytes are searched as they lie in the ring. Lines are read one by one
 * only if text may have been overwritten, or if a control function may split a match.
 */
import { ByteMatcher, type LineMatcher, lineAt } from './byte-matcher.ts';
import type { BytePattern } from './byte-pattern.ts';
import { ControlFinder } from './control-finder.ts';
import { colourEnd, ESCAPE } from './control-sequences.ts';
import type { LineChannel } from './line-channel.ts';
import { VisibleLines } from './visible-lines.ts';

export class TextMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #pattern: BytePattern;
  readonly #bytes: ByteMatcher;
  readonly #visibleBytes: ByteMatcher;

  constructor(pattern: BytePattern) {
    this.#pattern = pattern;
    this.#bytes = new ByteMatcher(pattern, false);
    this.#visibleBytes = new ByteMatcher(pattern, false, true);
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    if (from >= to || channel.identity.direction !== 'received') {
      return this.#bytes.find(channel, from, to);
    }
    const decoded = channel.mayBeDecoded(from, to);
    const base = channel.startOf(from);
    const bytes = channel.ring.view(base, decoded ? base : channel.endOf(to - 1));
    const controls = new ControlFinder(bytes);
    const first = controls.next(0);
    if (!decoded && first === bytes.length) {
      return this.#bytes.find(channel, from, to);
    }
    const lines = new VisibleLines(channel, from, to);
    const found = this.#visibleBytes.find(channel, from, to);
    const seen: number[] = [];
    let done = 0;
    const read = (line: number) => {
      while (done < found.length && (found[done] as number) < line) {
        seen.push(found[done++] as number);
      }
      done += found[done] === line ? 1 : 0;
      lines.read(line);
      if (this.#pattern.indexIn(lines.bytes, lines.from, lines.to) !== -1) {
        seen.push(line);
      }
    };
    if (decoded) {
      for (let line = from; line < to; line++) {
        read(line);
      }
      return seen;
    }
    let line = from;
    for (let at = first; at < bytes.length; ) {
      const end = this.#afterColours(bytes, at);
      if (end > at) {
        at = controls.next(end);
        continue;
      }
      line = lineAt(channel, base + at, line, to);
      read(line);
      at = controls.next(channel.endOf(line) - base);
    }
    while (done < found.length) {
      seen.push(found[done++] as number);
    }
    return seen;
  }

  /** Returns the end of the colours at `at`; `at` if something else is there, or if they may split a match. */
  #afterColours(bytes: Uint8Array, at: number): number {
    if (this.#pattern.indexOfByte(ESCAPE) !== -1) {
      return at;
    }
    let end = at;
    while (bytes[end] === ESCAPE) {
      const next = colourEnd(bytes, end);
      if (next === end) {
        return at;
      }
      end = next;
    }
    return at > 0 && this.#pattern.mayHavePair(bytes[at - 1] as number, bytes[end] ?? 0) ? at : end;
  }
}

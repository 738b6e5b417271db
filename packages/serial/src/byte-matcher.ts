/** Finds the lines that contain a sequence of bytes. */
import type { BytePattern } from './byte-pattern.ts';
import { blockOf } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';

export interface LineMatcher {
  /** Bytes beyond the end of a line that decide whether it matches. */
  readonly lookahead: number;
  /** Returns the matching lines from `from` up to `to`, ascending. */
  find(channel: LineChannel, from: number, to: number): number[];
}

const CARRIAGE_RETURN = 0x0d;

export class ByteMatcher implements LineMatcher {
  readonly lookahead: number;
  readonly #pattern: BytePattern;
  /** True: a match in a stream may continue in the next line. */
  readonly #acrossLines: boolean;

  constructor(pattern: BytePattern, acrossLines: boolean) {
    this.#pattern = pattern;
    this.#acrossLines = acrossLines;
    // A `\r` that comes behind a whole line may still become part of its ending.
    const mayJoin = pattern.mayContain(CARRIAGE_RETURN);
    this.lookahead = acrossLines ? pattern.longest - (mayJoin ? 0 : 1) : 0;
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    if (from >= to) {
      return [];
    }
    return channel.mayBeDecoded(from, to)
      ? this.#findInBoth(channel, from, to)
      : this.#findAsArrived(channel, from, to);
  }

  /**
   * Searches decoded lines and lines shown as they arrived separately, so that a result does not depend on
   * neighbouring lines.
   */
  #findInBoth(channel: LineChannel, from: number, to: number): number[] {
    const found: number[][] = [];
    for (let line = from, end = from; line < to; line = end) {
      const decoded = isDecoded(channel, line);
      while (end < to && isDecoded(channel, end) === decoded) {
        end++;
      }
      found.push(decoded ? this.#findInContents(channel, line, end) : this.#findAsArrived(channel, line, end));
    }
    return found.flat();
  }

  #findAsArrived(channel: LineChannel, from: number, to: number): number[] {
    const found: number[] = [];
    const across = this.#acrossLines && channel.identity.direction === 'received';
    const start = channel.startOf(from);
    const linesEnd = channel.endOf(to - 1);
    const goesOn = across && !(to < channel.endLine && isDecoded(channel, to));
    const end = goesOn ? Math.min(linesEnd + this.lookahead, channel.ring.end) : linesEnd;
    const [first, second] = channel.ring.segments(start, end);
    const pattern = this.#pattern;
    const scan = (bytes: Uint8Array, base: number) => {
      let line = from;
      let at = pattern.indexIn(bytes);
      while (at !== -1 && base + at < linesEnd) {
        line = lineAt(channel, base + at, line, to);
        const lineEnd = channel.endOf(line);
        const inside = base + pattern.matchEnd <= lineEnd;
        // Around the end of the ring a match may be found twice.
        if ((inside || across) && line > (found.at(-1) ?? -1)) {
          found.push(line);
        }
        at = pattern.indexIn(bytes, inside || across ? lineEnd - base : at + 1);
      }
    };
    scan(first, start);
    if (second !== undefined) {
      const seam = start + first.length;
      const overlap = pattern.longest - 1;
      const before = Math.max(start, seam - overlap);
      scan(channel.ring.view(before, Math.min(end, seam + overlap)), before);
      scan(second, seam);
    }
    return found;
  }

  /** Searches line by line: a match must not continue in the next frame. */
  #findInContents(channel: LineChannel, from: number, to: number): number[] {
    const block = blockOf(channel, from, to);
    const found: number[] = [];
    for (let line = from; line < to; line++) {
      if (this.#pattern.indexIn(block.bytes.subarray(block.startOf(line), block.endOf(line))) !== -1) {
        found.push(line);
      }
    }
    return found;
  }
}

function isDecoded(channel: LineChannel, line: number): boolean {
  return channel.decoderOf(line) !== null;
}

/**
 * Returns the line that contains the byte at `offset`. The search starts at `line`, because matches are usually close
 * together.
 */
function lineAt(channel: LineChannel, offset: number, line: number, to: number): number {
  let step = 1;
  while (line + step < to && channel.startOf(line + step) <= offset) {
    step *= 2;
  }
  return channel.lineAtOffset(offset, line, Math.min(line + step, to));
}

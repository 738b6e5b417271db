/**
 * Finds text in the visible bytes of lines. Bytes without control functions are searched in the ring itself. Lines
 * with control functions are first copied without them, all at once.
 */
import { ByteMatcher, type LineMatcher } from './byte-matcher.ts';
import type { BytePattern } from './byte-pattern.ts';
import { ControlFinder } from './control-finder.ts';
import type { LineChannel } from './line-channel.ts';
import { VisibleBlock } from './visible-block.ts';
import { VisibleLines } from './visible-lines.ts';

export class TextMatcher implements LineMatcher {
  readonly lookahead = 0;
  readonly #pattern: BytePattern;
  readonly #bytes: ByteMatcher;
  readonly #block = new VisibleBlock();

  constructor(pattern: BytePattern) {
    this.#pattern = pattern;
    this.#bytes = new ByteMatcher(pattern, false);
  }

  find(channel: LineChannel, from: number, to: number): number[] {
    if (from >= to || channel.identity.direction !== 'received') {
      return this.#bytes.find(channel, from, to);
    }
    if (channel.mayBeDecoded(from, to)) {
      return this.#findInLines(channel, from, to);
    }
    const controls = new ControlFinder(channel.ring.view(channel.startOf(from), channel.endOf(to - 1)));
    const isPlain = controls.next(0) === controls.length;
    return isPlain ? this.#bytes.find(channel, from, to) : this.#findInBlock(channel, from, to);
  }

  #findInLines(channel: LineChannel, from: number, to: number): number[] {
    const lines = new VisibleLines(channel, from, to);
    const found: number[] = [];
    for (let line = from; line < to; line++) {
      lines.read(line);
      if (this.#pattern.indexIn(lines.bytes, lines.from, lines.to) !== -1) {
        found.push(line);
      }
    }
    return found;
  }

  #findInBlock(channel: LineChannel, from: number, to: number): number[] {
    const block = this.#block;
    block.read(channel, from, to);
    const { bytes, length } = block;
    const found: number[] = [];
    let line = from;
    let at = this.#pattern.indexIn(bytes, 0, length);
    while (at !== -1) {
      while (block.startOf(line + 1) <= at) {
        line++;
      }
      const end = block.startOf(line + 1);
      const isInside = at + this.#pattern.length <= end;
      if (isInside) {
        found.push(line);
      }
      at = this.#pattern.indexIn(bytes, isInside ? end : at + 1, length);
    }
    return found;
  }
}

/** What the content of a channel's lines is decoded with, and between which lines there is any to decode. Knows no bytes. */
import { decodedFlags, decoderIn } from './frame-flags.ts';
import type { DecodeFrame } from './splitter.ts';

export class DecodedLines {
  /** By the numbers in the flags of lines. */
  readonly #decoders: DecodeFrame[] = [];
  #first = Number.POSITIVE_INFINITY;
  #end = 0;

  add(ordinal: number): void {
    this.#first = Math.min(this.#first, ordinal);
    this.#end = ordinal + 1;
  }

  /** False when none of the lines from `from` up to `to` has decoded content. */
  mayHave(from: number, to: number): boolean {
    return to > this.#first && from < this.#end;
  }

  flagsFor(decode: DecodeFrame): number {
    const known = this.#decoders.indexOf(decode);
    return decodedFlags(known === -1 ? this.#decoders.push(decode) - 1 : known);
  }

  /** Null for the flags of a line that shows its bytes as they are. */
  decoderFor(flags: number): DecodeFrame | null {
    const decoder = decoderIn(flags);
    return decoder === null ? null : (this.#decoders[decoder] ?? null);
  }
}

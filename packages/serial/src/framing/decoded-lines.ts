/** Tracks the decoders of a channel's lines, and the range of lines that have decoded content. */
import { decodedFlags, decoderIn } from './frame-flags.ts';
import type { DecodeFrame } from './splitter.ts';

export class DecodedLines {
  /** Decoders by their number in the flags of a line. */
  readonly #decoders: DecodeFrame[] = [];
  #first = Number.POSITIVE_INFINITY;
  #end = 0;

  add(ordinal: number): void {
    this.#first = Math.min(this.#first, ordinal);
    this.#end = ordinal + 1;
  }

  /** Returns false if no line from `from` up to `to` has decoded content. */
  mayHave(from: number, to: number): boolean {
    return to > this.#first && from < this.#end;
  }

  flagsFor(decode: DecodeFrame): number {
    const known = this.#decoders.indexOf(decode);
    return decodedFlags(known === -1 ? this.#decoders.push(decode) - 1 : known);
  }

  /** Returns the decoder of a line by its flags; null if the line shows its bytes as they are. */
  decoderFor(flags: number): DecodeFrame | null {
    const decoder = decoderIn(flags);
    return decoder === null ? null : (this.#decoders[decoder] ?? null);
  }
}

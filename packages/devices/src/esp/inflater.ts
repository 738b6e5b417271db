/** A zlib stream that comes in pieces. The format is fflate's business; what a flasher sends may be rubbish. */
import { type FlateError, Unzlib } from 'fflate';

export class Inflater {
  readonly #stream: Unzlib;
  #pieces: Uint8Array[] = [];

  constructor() {
    this.#stream = new Unzlib((piece) => {
      if (piece.length > 0) {
        this.#pieces.push(piece);
      }
    });
  }

  /** What can be inflated now, in order; null when this is no zlib stream. What is behind its end is ignored. */
  push(bytes: Uint8Array): Uint8Array[] | null {
    this.#pieces = [];
    try {
      this.#stream.push(bytes);
    } catch (error) {
      if (isFlateError(error)) {
        return null;
      }
      throw error;
    }
    return this.#pieces;
  }
}

function isFlateError(error: unknown): error is FlateError {
  return error instanceof Error && 'code' in error;
}

/** Inflates a zlib stream that arrives in pieces. The data of a flasher may be invalid. */
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

  /**
   * Returns the bytes that can be inflated so far, in order; null for an invalid stream. Bytes after the stream's end
   * are ignored.
   */
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

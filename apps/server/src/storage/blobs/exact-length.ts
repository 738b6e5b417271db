/** A stream of bytes that fails if it ends early, so that a part of a file is never taken for the whole. */
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { BlobDamagedError } from './blob-store.ts';

/**
 * Returns a stream of `source` that has to deliver `length` bytes of the blob `key`. Destroying either stream
 * destroys both.
 */
export function exactly(source: Readable, length: number, key: string): Readable {
  const counter = new LengthCounter(length, key);
  // A failure of the source reaches the reader through the counter.
  pipeline(source, counter, () => undefined);
  return counter;
}

class LengthCounter extends Transform {
  readonly #length: number;
  readonly #key: string;
  #received = 0;

  constructor(length: number, key: string) {
    super();
    this.#length = length;
    this.#key = key;
  }

  override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += chunk.length;
    done(this.#received > this.#length ? this.#damage() : null, chunk);
  }

  override _flush(done: TransformCallback): void {
    done(this.#received === this.#length ? null : this.#damage());
  }

  #damage(): BlobDamagedError {
    return new BlobDamagedError(this.#key, `${this.#received} bytes were read instead of ${this.#length}`);
  }
}

/** What a driver holds for the page: bytes, and the errors that happened between them, at their places. */
import { ByteQueue } from '../wire/byte-queue.ts';
import type { LineError } from '../wire/device.ts';

/** `block`: a full buffer holds the device back, nothing is lost. `lose`: what does not fit is lost, as in a bridge chip. */
export type Overrun = 'block' | 'lose';

export class ReceiveBuffer {
  readonly #bytes = new ByteQueue();
  readonly #capacity: number;
  readonly #overrun: Overrun;
  /** Errors with their places, counted in bytes from the first one ever held. */
  readonly #errors: { readonly at: number; readonly error: LineError }[] = [];
  #given = 0;

  /** @param capacity bytes held at most, 1 to 16 MiB. */
  constructor(capacity: number, overrun: Overrun) {
    this.#capacity = capacity;
    this.#overrun = overrun;
  }

  /** Bytes that may come. A buffer that loses what does not fit holds nobody back. */
  get room(): number {
    return this.#overrun === 'lose' ? Infinity : Math.max(0, this.#capacity - this.#bytes.length);
  }

  push(bytes: Uint8Array): void {
    const fits = this.#overrun === 'lose' ? this.#capacity - this.#bytes.length : bytes.length;
    this.#bytes.push(bytes.subarray(0, fits));
    if (fits < bytes.length) {
      this.mark('overrun');
    }
  }

  /** An error after the bytes held now. Of each kind one waits at a time: a driver reports a burst of them once. */
  mark(error: LineError): void {
    if (!this.#errors.some((waiting) => waiting.error === error)) {
      this.#errors.push({ at: this.#given + this.#bytes.length, error });
    }
  }

  /** Bytes up to the next error, at most `most`; null when an error is next or nothing is held. */
  read(most: number): Uint8Array<ArrayBuffer> | null {
    const upToError = (this.#errors[0]?.at ?? Infinity) - this.#given;
    const bytes = this.#bytes.take(Math.min(most, upToError));
    this.#given += bytes.length;
    return bytes.length === 0 ? null : bytes;
  }

  /** The error that is next, taken out; null when bytes are next or nothing is held. */
  readError(): LineError | null {
    return this.#errors[0]?.at === this.#given ? (this.#errors.shift()?.error ?? null) : null;
  }

  clear(): void {
    this.#given += this.#bytes.length;
    this.#bytes.clear();
    this.#errors.length = 0;
  }
}

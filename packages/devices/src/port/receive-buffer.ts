/** The driver's receive buffer: bytes, and the errors between them at their positions. */
import { ByteQueue } from '../wire/byte-queue.ts';
import type { LineError } from '../wire/device.ts';

/**
 * `block`: a full buffer holds the device back, and no byte is lost. `lose`: bytes that do not fit are lost, as in a
 * bridge chip.
 */
export type Overrun = 'block' | 'lose';

export class ReceiveBuffer {
  readonly #bytes = new ByteQueue();
  readonly #capacity: number;
  readonly #overrun: Overrun;
  /** Errors with their positions, counted in bytes since the buffer was created. */
  readonly #errors: { readonly at: number; readonly error: LineError }[] = [];
  #given = 0;

  /**
   * @param capacity Largest content in bytes, 1 to 16 MiB.
   * @param overrun Behaviour of a full buffer.
   */
  constructor(capacity: number, overrun: Overrun) {
    this.#capacity = capacity;
    this.#overrun = overrun;
  }

  /** Bytes that the device may send now. Infinity if the buffer loses bytes instead of holding the device back. */
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

  /**
   * Adds an error after the present bytes. At most one error of each kind is pending, because a driver reports a
   * burst once.
   */
  mark(error: LineError): void {
    if (!this.#errors.some((waiting) => waiting.error === error)) {
      this.#errors.push({ at: this.#given + this.#bytes.length, error });
    }
  }

  /** Takes at most `most` bytes, up to the next error. Returns null if an error is next or the buffer is empty. */
  read(most: number): Uint8Array<ArrayBuffer> | null {
    const upToError = (this.#errors[0]?.at ?? Infinity) - this.#given;
    const bytes = this.#bytes.take(Math.min(most, upToError));
    this.#given += bytes.length;
    return bytes.length === 0 ? null : bytes;
  }

  /** Takes the next error. Returns null if bytes are next or the buffer is empty. */
  readError(): LineError | null {
    return this.#errors[0]?.at === this.#given ? (this.#errors.shift()?.error ?? null) : null;
  }

  clear(): void {
    this.#given += this.#bytes.length;
    this.#bytes.clear();
    this.#errors.length = 0;
  }
}

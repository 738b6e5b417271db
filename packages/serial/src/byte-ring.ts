/**
 * The last bytes of an endless stream in one piece of memory. Bytes are addressed by their absolute offset in the
 * stream, which never wraps. The owner decides which of the bytes still count.
 */
import { joined } from '@wirebench/port/bytes';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes up to which a loop is faster than a copy by the engine, which costs a call and a view. */
const SHORT = 160;

export class ByteRing {
  readonly capacity: number;
  #memory: Bytes | null = null;
  #end = 0;
  /** Offset of the first byte since the memory was last allocated or taken over. */
  #begin = 0;
  /** Index of `#end` in the memory. It is stored because a remainder for each write would cost more than the write. */
  #head = 0;

  /**
   * @param capacity Bytes, at least 1. Memory is allocated at the first write; the system commits it as it is
   *   written.
   */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Offset of the oldest byte in the memory, even if its owner no longer counts it. */
  get start(): number {
    return Math.max(this.#begin, this.#end - this.capacity);
  }

  /** Offset after the newest byte. */
  get end(): number {
    return this.#end;
  }

  /**
   * Allocates the memory now.
   *
   * @throws RangeError if there is not enough memory.
   */
  reserve(): void {
    this.#memory ??= new Uint8Array(this.capacity);
  }

  /**
   * Appends `bytes` from `from` up to `to`, at most `capacity`, and overwrites the oldest ones.
   *
   * @throws RangeError for more than `capacity` bytes.
   */
  write(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const length = to - from;
    if (length > this.capacity) {
      throw new RangeError(`${length} bytes do not fit a ring of ${this.capacity}`);
    }
    if (length <= 0) {
      return;
    }
    this.#memory ??= new Uint8Array(this.capacity);
    const memory = this.#memory;
    const room = this.capacity - this.#head;
    if (length > room) {
      memory.set(bytes.subarray(from, from + room), this.#head);
      memory.set(bytes.subarray(from + room, to), 0);
    } else if (length <= SHORT) {
      for (let at = from, target = this.#head; at < to; at++, target++) {
        memory[target] = bytes[at] as number;
      }
    } else {
      memory.set(length === bytes.length ? bytes : bytes.subarray(from, to), this.#head);
    }
    this.#end += length;
    this.#head = (this.#head + length) % this.capacity;
  }

  /** Copies the bytes of `source` from offset `from` on, at most `capacity` bytes. They keep their offsets. */
  takeOver(source: ByteRing, from: number): void {
    this.#end = from;
    this.#begin = from;
    this.#head = from % this.capacity;
    for (const segment of source.segments(from, source.end)) {
      this.write(segment);
    }
  }

  /**
   * Returns a ring in the same memory, whose bytes end at `offset`. Only the bytes that this one holds at the same offsets
   * may be written to it.
   */
  sharedTo(offset: number): ByteRing {
    const shared = new ByteRing(this.capacity);
    shared.#memory = this.#memory;
    shared.#begin = offset;
    shared.#end = offset;
    shared.#head = offset % this.capacity;
    return shared;
  }

  /** Returns the bytes from offset `from` up to `to` in one piece: a view of the memory, or a copy if they wrap. */
  view(from: number, to: number): Bytes {
    const [first, second] = this.segments(from, to);
    return second === undefined ? first : joined(first, second);
  }

  /** Returns the same bytes as one or two views of the memory, valid until the next write. */
  segments(from: number, to: number): [Bytes] | [Bytes, Bytes] {
    if (this.#memory === null || to <= from) {
      return [new Uint8Array(0)];
    }
    const start = from % this.capacity;
    const length = to - from;
    const room = this.capacity - start;
    return length <= room
      ? [this.#memory.subarray(start, start + length)]
      : [this.#memory.subarray(start), this.#memory.subarray(0, length - room)];
  }

  /** Copies the bytes from offset `from` up to `to` into `target` at `at`. */
  copy(from: number, to: number, target: Uint8Array, at: number): void {
    const [first, second] = this.segments(from, to);
    target.set(first, at);
    if (second !== undefined) {
      target.set(second, at + first.length);
    }
  }

  byteAt(offset: number): number {
    return this.#memory?.[offset % this.capacity] ?? 0;
  }

  /** Frees the memory. Later bytes continue the offsets. */
  free(): void {
    this.#memory = null;
    this.#begin = this.#end;
  }
}

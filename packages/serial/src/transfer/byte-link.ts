/**
 * Two directions of bytes between a transfer and a port. A transfer reads through `LinkReader`, which adds time limits
 * and keeps bytes that were not asked for.
 */
import type { Clock } from '@wirebench/clock';
import { TransferEnd } from './transfer-end.ts';

export interface ByteLink {
  /**
   * Resolves with the next bytes in the order of arrival, at least one. Rejects when the link is closed, and as soon
   * as `signal` aborts.
   */
  read(signal: AbortSignal): Promise<Uint8Array>;
  /** Resolves when the link has taken the bytes, which must not change before. Rejects when the link is closed. */
  write(bytes: Uint8Array): Promise<void>;
}

export class LinkReader {
  readonly #clock: Clock;
  readonly #cancel: AbortSignal | undefined;
  readonly #stop = new AbortController();
  readonly #chunks: Uint8Array[] = [];
  /** Position of the next byte in the first chunk. */
  #at = 0;
  #buffered = 0;
  #isClosed = false;
  #hasHeard = false;
  /** True: an abort of the caller's signal does not end waits any more. */
  #isEnding = false;
  #wake: (() => void) | null = null;

  /** @param cancel Ends every wait with a `TransferEnd`, until `beginEnd` is called. */
  constructor(link: ByteLink, clock: Clock, cancel: AbortSignal | undefined) {
    this.#clock = clock;
    this.#cancel = cancel;
    void this.#pump(link);
  }

  /** Bytes that have arrived and were not taken. */
  get buffered(): number {
    return this.#buffered;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True: at least one byte has arrived. */
  get hasHeard(): boolean {
    return this.#hasHeard;
  }

  /** Returns the next byte without waiting; -1 without one. */
  next(): number {
    const [chunk] = this.#chunks;
    if (chunk === undefined) {
      return -1;
    }
    const byte = chunk[this.#at++] ?? 0;
    this.#buffered--;
    if (this.#at === chunk.length) {
      this.#chunks.shift();
      this.#at = 0;
    }
    return byte;
  }

  /** Returns the next byte and leaves it in place; -1 without one. */
  peek(): number {
    return this.#chunks[0]?.[this.#at] ?? -1;
  }

  /** Returns a copy of the bytes that have arrived, and leaves them in place. */
  ahead(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#buffered);
    let at = 0;
    for (const [index, chunk] of this.#chunks.entries()) {
      const part = index === 0 ? chunk.subarray(this.#at) : chunk;
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** Takes all bytes that have arrived. */
  takeAll(): Uint8Array<ArrayBuffer> {
    return this.#take(this.#buffered);
  }

  /**
   * Waits for the next byte.
   *
   * @param limit Longest wait, in milliseconds.
   * @returns The byte; -1 when the limit is over.
   * @throws TransferEnd after a cancel, or when the link is closed.
   */
  async byte(limit: number): Promise<number> {
    return (await this.more(limit)) ? this.next() : -1;
  }

  /**
   * Waits for `count` bytes.
   *
   * @param gap Longest time without a byte, in milliseconds.
   * @returns Null when no byte came for `gap`; the bytes that came are dropped then.
   */
  async exactly(count: number, gap: number): Promise<Uint8Array | null> {
    while (this.#buffered < count) {
      if (!(await this.arrival(gap))) {
        this.takeAll();
        return null;
      }
    }
    return this.#take(count);
  }

  /** Returns true as soon as a byte can be taken, false after `limit` milliseconds without one. */
  async more(limit: number): Promise<boolean> {
    return this.#buffered > 0 || (await this.arrival(limit));
  }

  /**
   * Drops what arrives until nothing has come for `quiet` milliseconds, for at most `limit` milliseconds.
   *
   * @returns The last dropped bytes, those of the last arrival.
   */
  async drain(quiet: number, limit: number): Promise<Uint8Array> {
    const end = this.#clock.now() + limit;
    let last: Uint8Array = this.takeAll();
    while (this.#clock.now() < end && (await this.arrival(quiet))) {
      last = this.takeAll();
    }
    return last;
  }

  /** Waits until nothing has arrived for `quiet` milliseconds, for at most `limit` milliseconds. Takes no byte. */
  async settle(quiet: number, limit: number): Promise<void> {
    const end = this.#clock.now() + limit;
    while (this.#clock.now() < end && (await this.arrival(quiet))) {
      // More has arrived.
    }
  }

  /** The transfer ends: later waits ignore the caller's signal, so that the line can be drained. */
  beginEnd(): void {
    this.#isEnding = true;
  }

  /** Stops reading and returns the bytes that were not taken. */
  close(): Uint8Array<ArrayBuffer> {
    this.#stop.abort();
    return this.takeAll();
  }

  #take(count: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; ) {
      const [chunk] = this.#chunks;
      if (chunk === undefined) {
        break;
      }
      const part = chunk.subarray(this.#at, this.#at + count - at);
      bytes.set(part, at);
      at += part.length;
      this.#at += part.length;
      if (this.#at === chunk.length) {
        this.#chunks.shift();
        this.#at = 0;
      }
    }
    this.#buffered -= count;
    return bytes;
  }

  /** Waits for bytes beyond those that have arrived. Returns false after `limit` milliseconds without any. */
  arrival(limit: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const cancel = this.#isEnding ? undefined : this.#cancel;
      const before = this.#buffered;
      const done = () => {
        endWait();
        cancel?.removeEventListener('abort', done);
        this.#wake = null;
        if (cancel?.aborted) {
          reject(new TransferEnd('cancelled'));
        } else if (this.#isClosed && this.#buffered === before) {
          reject(new TransferEnd('closed'));
        } else {
          resolve(this.#buffered > before);
        }
      };
      const endWait = this.#clock.schedule(limit, done);
      if (this.#isClosed || cancel?.aborted) {
        done();
        return;
      }
      cancel?.addEventListener('abort', done, { once: true });
      this.#wake = done;
    });
  }

  async #pump(link: ByteLink): Promise<void> {
    try {
      for (;;) {
        const chunk = await link.read(this.#stop.signal);
        if (chunk.length > 0) {
          this.#hasHeard = true;
          this.#chunks.push(chunk);
          this.#buffered += chunk.length;
          this.#wake?.();
        }
      }
    } catch {
      this.#isClosed = true;
      this.#wake?.();
    }
  }
}

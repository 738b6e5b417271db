/**
 * The writing half of a remote port. A write resolves when the host has room for all of its bytes. Closing the writer
 * waits until the bytes have left the wire at the host.
 */

import type { AwaitedFrame, ExpectedBytes } from '@wirebench/port';
import { bytesOf, deviceLost } from '@wirebench/port/web-serial';
import { pieceLimit } from '../frames/messages.ts';

type Answer = AwaitedFrame | ExpectedBytes;

interface RemoteWritingOptions {
  readonly window: number;
  readonly send: (at: number, bytes: Uint8Array) => void;
  /** Tells the host that `length` bytes from `at` on are keys. */
  readonly keys: (at: number, length: number) => void;
  /** Resolves when all bytes have left the wire. */
  readonly drain: () => Promise<void>;
  readonly discard: (upTo: number) => void;
  /** Makes the bytes from `at` on wait at the host for this answer. */
  readonly hold: (at: number, answer: Answer) => void;
}

export class RemoteWriting {
  readonly #options: RemoteWritingOptions;
  #stream: WritableStream<Uint8Array> | null = null;
  #controller: WritableStreamDefaultController | null = null;
  #sent = 0;
  #room: number;
  /** The pending write's wait for room; null if no write waits. */
  #waiting: PromiseWithResolvers<void> | null = null;
  #isEnded = false;
  /**
   * Answers for which later writes wait at the host, by the written array. Null: the write was dropped before it
   * began.
   */
  readonly #holds = new Map<Uint8Array, Answer | null>();
  readonly #keys = new WeakSet<Uint8Array>();

  constructor(options: RemoteWritingOptions) {
    this.#options = options;
    this.#room = options.window;
  }

  /** The current stream; null once the device is gone. */
  get stream(): WritableStream<Uint8Array> | null {
    if (this.#stream === null && !this.#isEnded) {
      this.#stream = this.#newStream();
    }
    return this.#stream;
  }

  get isLocked(): boolean {
    return this.#stream?.locked ?? false;
  }

  /** Records that the host has room for all bytes up to `total`. */
  credit(total: number): void {
    this.#room = Math.max(this.#room, total);
    this.#waiting?.resolve();
  }

  /** Makes these bytes, when they are written, wait at the host for the board's answer. */
  hold(bytes: Uint8Array, answer: Answer): void {
    this.#holds.set(bytes, answer);
  }

  /** Marks these bytes, when they are written, as keys. */
  keys(bytes: Uint8Array): void {
    this.#keys.add(bytes);
  }

  /** Drops the bytes that wait at the host, and those announced with `hold` but not yet written. */
  drop(): void {
    for (const bytes of this.#holds.keys()) {
      this.#holds.set(bytes, null);
    }
    this.#options.discard(this.#sent);
  }

  /** Marks the device as gone: the pending write and later ones fail. */
  lose(): void {
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    this.#stream = null;
    if (this.#waiting === null) {
      this.#controller?.error(deviceLost());
    } else {
      this.#waiting.reject(deviceLost());
    }
  }

  /** Aborts the stream of a port that closes. The stream must not be locked. */
  async abort(reason: DOMException): Promise<void> {
    await this.#stream?.abort(reason);
  }

  #newStream(): WritableStream<Uint8Array> {
    const sink: UnderlyingSink<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller;
        controller.signal.addEventListener('abort', () => this.#waiting?.reject(controller.signal.reason));
      },
      write: (chunk) => this.#writeHeld(chunk),
      close: async () => {
        await this.#options.drain();
        this.#stream = null;
      },
      abort: () => {
        this.#holds.clear();
        this.#options.discard(this.#sent);
        this.#stream = null;
      },
    };
    return new WritableStream(sink, new CountQueuingStrategy({ highWaterMark: 1 }));
  }

  async #writeHeld(chunk: Uint8Array): Promise<void> {
    const answer = this.#holds.get(chunk);
    this.#holds.delete(chunk);
    if (answer === null) {
      return;
    }
    if (answer !== undefined && chunk.byteLength > 0) {
      this.#options.hold(this.#sent, answer);
    }
    await this.#write(bytesOf(chunk), this.#keys.has(chunk));
  }

  async #write(bytes: Uint8Array, areKeys: boolean): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const room = Math.min(this.#room - this.#sent, pieceLimit);
      if (room > 0) {
        const piece = bytes.subarray(from, from + room);
        if (areKeys) {
          this.#options.keys(this.#sent, piece.length);
        }
        this.#options.send(this.#sent, piece);
        this.#sent += piece.length;
        from += piece.length;
      } else {
        await this.#wait();
      }
    }
  }

  async #wait(): Promise<void> {
    this.#waiting = Promise.withResolvers<void>();
    try {
      await this.#waiting.promise;
    } finally {
      this.#waiting = null;
    }
  }
}

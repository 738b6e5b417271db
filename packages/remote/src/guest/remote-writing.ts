/**
 * The writing half of a remote port: a write is done when the host has room for all of its bytes, closing the writer waits until they have
 * left the wire there.
 */
import { pieceLimit } from '../frames/messages.ts';
import { bytesOf, deviceLost } from './web-serial.ts';

interface RemoteWritingOptions {
  readonly window: number;
  readonly send: (at: number, bytes: Uint8Array) => void;
  /** Resolves when all has left the wire. */
  readonly drain: () => Promise<void>;
  readonly discard: (upTo: number) => void;
}

export class RemoteWriting {
  readonly #options: RemoteWritingOptions;
  #stream: WritableStream<Uint8Array> | null = null;
  #controller: WritableStreamDefaultController | null = null;
  #sent = 0;
  #room: number;
  /** The write at hand, waiting for room. */
  #waiting: PromiseWithResolvers<void> | null = null;
  #isEnded = false;

  constructor(options: RemoteWritingOptions) {
    this.#options = options;
    this.#room = options.window;
  }

  /** The stream of now; null once the device is gone. */
  get stream(): WritableStream<Uint8Array> | null {
    if (this.#stream === null && !this.#isEnded) {
      this.#stream = this.#newStream();
    }
    return this.#stream;
  }

  get isLocked(): boolean {
    return this.#stream?.locked ?? false;
  }

  /** The host has room for all bytes up to this one. */
  credit(total: number): void {
    this.#room = Math.max(this.#room, total);
    this.#waiting?.resolve();
  }

  /** The device is gone: writes at hand and those to come fail. */
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

  /** Ends the stream for a port that closes. It must not be locked. */
  async abort(reason: DOMException): Promise<void> {
    await this.#stream?.abort(reason);
  }

  #newStream(): WritableStream<Uint8Array> {
    const sink: UnderlyingSink<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller;
        controller.signal.addEventListener('abort', () => this.#waiting?.reject(controller.signal.reason));
      },
      write: (chunk) => this.#write(bytesOf(chunk)),
      close: async () => {
        await this.#options.drain();
        this.#stream = null;
      },
      abort: () => {
        this.#options.discard(this.#sent);
        this.#stream = null;
      },
    };
    return new WritableStream(sink, new CountQueuingStrategy({ highWaterMark: 1 }));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const room = Math.min(this.#room - this.#sent, pieceLimit);
      if (room > 0) {
        const piece = bytes.subarray(from, from + room);
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

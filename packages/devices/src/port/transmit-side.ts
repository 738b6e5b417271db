/**
 * The writing half of an open port: the stream that a page writes to, and the driver's buffer before the wire. A
 * write completes when all its bytes are in the buffer. Closing the writer waits until the buffer is empty.
 */
import { deviceLost } from './port-errors.ts';

export interface TransmitSideOptions {
  readonly bufferSize: number;
  /** True: closing the writer does not wait for the buffer. */
  readonly skipDrain: boolean;
  /** The near end of the wire. Its pending bytes are the driver's buffer. */
  readonly wire: {
    pending(): number;
    send(bytes: Uint8Array): void;
    discard(): void;
  };
}

export class TransmitSide {
  readonly #bufferSize: number;
  readonly #skipDrain: boolean;
  readonly #wire: TransmitSideOptions['wire'];
  #stream: WritableStream<Uint8Array> | null = null;
  #controller: WritableStreamDefaultController | null = null;
  /** The current write or close while it waits for the wire; otherwise null. */
  #waiting: PromiseWithResolvers<void> | null = null;
  /** True once the device is gone. */
  #lost = false;
  /** True once the writer has received the error of the lost device, or the port was forgotten. */
  #ended = false;

  constructor({ bufferSize, skipDrain, wire }: TransmitSideOptions) {
    this.#bufferSize = bufferSize;
    this.#skipDrain = skipDrain;
    this.#wire = wire;
  }

  /** The present stream; null once a writer has seen that the device is gone. */
  get stream(): WritableStream<Uint8Array> | null {
    if (this.#stream === null && !this.#ended) {
      this.#stream = this.#newStream();
    }
    return this.#stream;
  }

  get locked(): boolean {
    return this.#stream?.locked ?? false;
  }

  /** Called when the wire has taken bytes from the buffer. */
  moved(): void {
    this.#waiting?.resolve();
  }

  /**
   * Handles the loss of the device: a waiting write fails. An idle writer fails as in Chromium: its next write goes
   * into the driver's buffer and seems to succeed, and the stream fails right after it.
   */
  lose(): void {
    this.#lost = true;
    if (this.#waiting !== null) {
      this.end();
    }
  }

  /** Fails the stream at once. */
  end(): void {
    const error = deviceLost();
    this.#ended = true;
    this.#stream = null;
    if (this.#waiting === null) {
      this.#controller?.error(error);
    } else {
      this.#waiting.reject(error);
    }
  }

  /** Ends the stream of a closing port. The stream must not be locked. */
  async abort(reason: DOMException): Promise<void> {
    await this.#stream?.abort(reason);
  }

  #newStream(): WritableStream<Uint8Array> {
    const sink: UnderlyingSink<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller;
        controller.signal.addEventListener('abort', () => this.#waiting?.reject(controller.signal.reason));
      },
      write: (chunk) => this.#write(chunk),
      close: async () => {
        while (this.#wire.pending() > 0 && !this.#skipDrain) {
          await this.#wait();
        }
        this.#stream = null;
      },
      abort: () => {
        this.#wire.discard();
        this.#stream = null;
      },
    };
    return new WritableStream(sink, new CountQueuingStrategy({ highWaterMark: 1 }));
  }

  async #write(chunk: unknown): Promise<void> {
    const bytes = bytesOf(chunk);
    if (this.#lost) {
      queueMicrotask(() => this.end());
      return;
    }
    for (let sent = 0; sent < bytes.length; ) {
      const room = this.#bufferSize - this.#wire.pending();
      if (room > 0) {
        this.#wire.send(bytes.subarray(sent, sent + room));
        sent += room;
      } else {
        await this.#wait();
      }
    }
  }

  /** Waits until the wire has taken bytes. Rejects if the device is lost or the stream is aborted. */
  async #wait(): Promise<void> {
    this.#waiting = Promise.withResolvers<void>();
    try {
      await this.#waiting.promise;
    } finally {
      this.#waiting = null;
    }
  }
}

/** @throws TypeError if `chunk` is neither an ArrayBuffer nor a view of one. */
function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof ArrayBuffer) {
    return new Uint8Array(chunk);
  }
  if (ArrayBuffer.isView(chunk)) {
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  throw new TypeError("The provided value is not of type '(ArrayBuffer or ArrayBufferView)'.");
}

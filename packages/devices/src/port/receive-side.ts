/**
 * The reading half of an open port: a buffer that the wire fills, and the stream that a page reads. The stream
 * behaves as in Chromium. It is created on first access and takes no bytes until it is read. An error comes after all
 * bytes before it and ends the stream. A new stream follows unless the device is gone.
 */
import type { LineError } from '../wire/device.ts';
import { deviceLost, lineErrorException } from './port-errors.ts';
import { type Overrun, ReceiveBuffer } from './receive-buffer.ts';

export interface ReceiveSideOptions {
  readonly bufferSize: number;
  readonly overrun: Overrun;
  /** Most bytes in one read. */
  readonly readSize: number;
  /** Called when the buffer has more room. */
  readonly onRoom: () => void;
}

export class ReceiveSide {
  readonly #buffer: ReceiveBuffer;
  readonly #readSize: number;
  readonly #onRoom: () => void;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
  #controller: ReadableByteStreamController | null = null;
  /** True while the stream has requested bytes and not received any. */
  #wanted = false;
  #lost = false;
  /** True once a reader has received the error of the lost device. */
  #ended = false;

  constructor({ bufferSize, overrun, readSize, onRoom }: ReceiveSideOptions) {
    this.#buffer = new ReceiveBuffer(bufferSize, overrun);
    this.#readSize = Math.min(readSize, bufferSize);
    this.#onRoom = onRoom;
  }

  /** The present stream; null once a reader has seen that the device is gone. */
  get stream(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#stream === null && !this.#ended) {
      this.#stream = this.#newStream();
    }
    return this.#stream;
  }

  get locked(): boolean {
    return this.#stream?.locked ?? false;
  }

  get room(): number {
    return this.#buffer.room;
  }

  receive(bytes: Uint8Array): void {
    this.#buffer.push(bytes);
    this.#give();
  }

  /**
   * Reports an error of the line. A byte with a bad frame is kept after its error, as by the drivers that report
   * framing errors (Windows). A byte with bad parity is dropped: Chromium on Linux removes the driver's mark together
   * with the byte.
   */
  fail(error: LineError, byte: number | null): void {
    this.#buffer.mark(error);
    if (error === 'framing' && byte !== null) {
      this.#buffer.push(Uint8Array.of(byte));
    }
    this.#give();
  }

  /** Handles the loss of the device. The buffer's content can still be read. */
  lose(): void {
    this.#lost = true;
    this.#give();
  }

  /** Ends the stream of a closing port. The stream must not be locked. */
  async cancel(): Promise<void> {
    await this.#stream?.cancel();
  }

  #newStream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      type: 'bytes',
      pull: (controller) => {
        this.#controller = controller;
        this.#wanted = true;
        this.#give();
      },
      cancel: () => {
        this.#leaveStream();
        this.#buffer.clear();
        this.#onRoom();
      },
    });
  }

  #give(): void {
    const controller = this.#controller;
    if (!this.#wanted || controller === null) {
      return;
    }
    const bytes = this.#buffer.read(this.#readSize);
    if (bytes !== null) {
      this.#wanted = false;
      controller.enqueue(bytes);
      this.#onRoom();
      return;
    }
    const error = this.#buffer.readError();
    if (error !== null) {
      this.#leaveStream();
      controller.error(lineErrorException(error));
    } else if (this.#lost) {
      this.#ended = true;
      this.#leaveStream();
      controller.error(deviceLost());
    }
  }

  #leaveStream(): void {
    this.#stream = null;
    this.#controller = null;
    this.#wanted = false;
  }
}

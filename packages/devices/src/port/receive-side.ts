/**
 * The reading half of an open port: a buffer that the wire fills, and the stream that a page reads it from. As in
 * Chromium the stream is made when it is first asked for, takes nothing until somebody reads, gives all bytes before an
 * error, ends with the error, and is followed by a new stream unless the device is gone.
 */
import type { LineError } from '../wire/device.ts';
import { deviceLost, lineErrorException } from './port-errors.ts';
import { type Overrun, ReceiveBuffer } from './receive-buffer.ts';

export interface ReceiveSideOptions {
  readonly bufferSize: number;
  readonly overrun: Overrun;
  /** Bytes a read gives at most. */
  readonly readSize: number;
  /** The buffer has become emptier. */
  readonly onRoom: () => void;
}

export class ReceiveSide {
  readonly #buffer: ReceiveBuffer;
  readonly #readSize: number;
  readonly #onRoom: () => void;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
  #controller: ReadableByteStreamController | null = null;
  /** The stream wants bytes that it has not been given. */
  #wanted = false;
  #lost = false;
  /** A reader has seen the end of the device. */
  #ended = false;

  constructor({ bufferSize, overrun, readSize, onRoom }: ReceiveSideOptions) {
    this.#buffer = new ReceiveBuffer(bufferSize, overrun);
    this.#readSize = Math.min(readSize, bufferSize);
    this.#onRoom = onRoom;
  }

  /** The stream of now; null once a reader has seen that the device is gone. */
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
   * An error of the line. A byte with a bad frame is kept after its error, as by drivers that report framing errors at
   * all (Windows); one with bad parity is not (Chromium on Linux takes the driver's mark out together with the byte).
   */
  fail(error: LineError, byte: number | null): void {
    this.#buffer.mark(error);
    if (error === 'framing' && byte !== null) {
      this.#buffer.push(Uint8Array.of(byte));
    }
    this.#give();
  }

  /** The device is gone; what is in the buffer can still be read. */
  lose(): void {
    this.#lost = true;
    this.#give();
  }

  /** Ends the stream for a port that closes. It must not be locked. */
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

/**
 * The reading half of a remote port: what the host sent and nobody has read yet, and the stream it is read from. The host is told of room
 * as bytes are read, so no more than the window ever waits here.
 */
import type { LineErrorWord } from '../frames/messages.ts';
import { deviceLost, lineErrorException } from './web-serial.ts';

/** A read gives at most this much, in bytes. */
const readLimit = 65_536;

type Item = { readonly bytes: Uint8Array } | { readonly error: DOMException };

interface RemoteReadingOptions {
  readonly window: number;
  readonly bufferSize: number;
  /** All bytes up to this one have room. */
  readonly credit: (total: number) => void;
}

export class RemoteReading {
  readonly #options: RemoteReadingOptions;
  readonly #items: Item[] = [];
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
  #controller: ReadableByteStreamController | null = null;
  #isWanted = false;
  #arrived = 0;
  #waiting = 0;
  #told: number;
  #isLost = false;
  /** A reader has seen the end of the device. */
  #isEnded = false;

  constructor(options: RemoteReadingOptions) {
    this.#options = options;
    this.#told = options.window;
  }

  /** The stream of now; null once a reader has seen that the device is gone. */
  get stream(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#stream === null && !this.#isEnded) {
      this.#stream = this.#newStream();
    }
    return this.#stream;
  }

  get isLocked(): boolean {
    return this.#stream?.locked ?? false;
  }

  /** False when these are not the bytes that follow, or there is no room for them. */
  receive(at: number, bytes: Uint8Array): boolean {
    if (at !== this.#arrived || at + bytes.length > this.#told) {
      return false;
    }
    this.#arrived += bytes.length;
    this.#waiting += bytes.length;
    this.#items.push({ bytes: bytes.slice() });
    this.#give();
    return true;
  }

  fail(error: LineErrorWord, missing: number): void {
    this.#arrived += missing;
    this.#items.push({ error: lineErrorException(error, missing) });
    this.#give();
  }

  /** The device is gone; what has arrived can still be read. */
  lose(): void {
    this.#isLost = true;
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
        this.#isWanted = true;
        this.#give();
      },
      cancel: () => {
        this.#leaveStream();
        this.#items.length = 0;
        this.#waiting = 0;
        this.#tellRoom();
      },
    });
  }

  #give(): void {
    const controller = this.#controller;
    if (!this.#isWanted || controller === null) {
      return;
    }
    const bytes = this.#takeBytes(Math.min(readLimit, this.#options.bufferSize));
    if (bytes !== null) {
      this.#isWanted = false;
      controller.enqueue(bytes);
      this.#tellRoom();
      return;
    }
    const [item] = this.#items;
    if (item !== undefined && 'error' in item) {
      this.#items.shift();
      this.#leaveStream();
      controller.error(item.error);
    } else if (this.#isLost) {
      this.#isEnded = true;
      this.#leaveStream();
      controller.error(deviceLost());
    }
  }

  #takeBytes(most: number): Uint8Array<ArrayBuffer> | null {
    const [item] = this.#items;
    if (item === undefined || 'error' in item) {
      return null;
    }
    const bytes = item.bytes.slice(0, most);
    if (bytes.length === item.bytes.length) {
      this.#items.shift();
    } else {
      this.#items[0] = { bytes: item.bytes.subarray(bytes.length) };
    }
    this.#waiting -= bytes.length;
    return bytes;
  }

  #tellRoom(): void {
    const { window, credit } = this.#options;
    const total = this.#arrived - this.#waiting + window;
    if (total - this.#told >= window / 8) {
      this.#told = total;
      credit(total);
    }
  }

  #leaveStream(): void {
    this.#stream = null;
    this.#controller = null;
    this.#isWanted = false;
  }
}

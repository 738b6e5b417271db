/**
 * The reading half of a remote port: the received bytes that wait, and their stream. It grants the host room as bytes
 * are read, so at most one window of bytes waits here.
 */
import { deviceLost } from '@wirebench/port/web-serial';
import type { LineErrorWord } from '../frames/messages.ts';

/** Most bytes that one read returns. */
const readLimit = 65_536;

const lineErrorNames = {
  break: 'BreakError',
  framing: 'FramingError',
  parity: 'ParityError',
  overrun: 'BufferOverrunError',
} satisfies Record<LineErrorWord, string>;

function lineErrorException(error: LineErrorWord, missing: number): DOMException {
  const text = missing > 0 ? `${missing} bytes were lost because nobody read them.` : `A ${error} error was received.`;
  return new DOMException(text, lineErrorNames[error]);
}

type Item = { readonly bytes: Uint8Array } | { readonly error: DOMException };

interface RemoteReadingOptions {
  readonly window: number;
  readonly bufferSize: number;
  /** Grants the host room for all bytes up to `total`. */
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
  #granted: number;
  #isLost = false;
  /** True once a reader has received the error of a lost device. */
  #isEnded = false;

  constructor(options: RemoteReadingOptions) {
    this.#options = options;
    this.#granted = options.window;
  }

  /** The current stream; null once a reader has received the error of a lost device. */
  get stream(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#stream === null && !this.#isEnded) {
      this.#stream = this.#newStream();
    }
    return this.#stream;
  }

  get isLocked(): boolean {
    return this.#stream?.locked ?? false;
  }

  /** Takes bytes from the host. Returns false if they are not the next bytes, or exceed the granted room. */
  receive(at: number, bytes: Uint8Array): boolean {
    if (at !== this.#arrived || at + bytes.length > this.#granted) {
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

  /** Marks the device as lost. Bytes that have arrived can still be read. */
  lose(): void {
    this.#isLost = true;
    this.#give();
  }

  /** Cancels the stream of a port that closes. The stream must not be locked. */
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
    if (total - this.#granted >= window / 8) {
      this.#granted = total;
      credit(total);
    }
  }

  #leaveStream(): void {
    this.#stream = null;
    this.#controller = null;
    this.#isWanted = false;
  }
}

/**
 * The port of a guest's bench while another user has it open: a `SerialPort` that sends typed bytes if the guest may
 * type, and has nothing to read. The board's output arrives with the tap (`Bench.watch`), as do bytes typed by
 * others.
 */

const lost = () => new DOMException('The device has been lost.', 'NetworkError');

/** Ends nothing but this one message: the port stays open (`SerialLink`). */
const refused = (reason: unknown) =>
  new DOMException(
    reason instanceof Error || reason instanceof DOMException ? reason.message : 'It was refused.',
    'NotAllowedError',
  );

export class WatchedPort extends EventTarget implements SerialPort {
  onconnect = null;
  ondisconnect = null;
  readonly connected = true;
  /** Resolves when the opener has closed it. */
  readonly closed: Promise<void>;
  readable: ReadableStream<Uint8Array> | null = null;
  readonly #info: SerialPortInfo;
  readonly #type: (bytes: Uint8Array) => Promise<void>;
  readonly #close: () => void;
  #reading: ReadableStreamDefaultController<Uint8Array> | null = null;
  #writable: WritableStream<Uint8Array> | null = null;
  /** A session sets the lines once while it opens a port: those of the board stay as they are. */
  #isOpening = false;

  constructor(info: SerialPortInfo, type: (bytes: Uint8Array) => Promise<void>) {
    super();
    this.#info = info;
    this.#type = type;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#close = resolve;
  }

  get writable(): WritableStream<Uint8Array> | null {
    if (this.readable === null) {
      return null;
    }
    this.#writable ??= new WritableStream({
      write: async (bytes) => {
        try {
          await this.#type(bytes);
        } catch (error) {
          this.#writable = null;
          throw refused(error);
        }
      },
    });
    return this.#writable;
  }

  getInfo(): SerialPortInfo {
    return this.#info;
  }

  async open(): Promise<void> {
    this.#isOpening = true;
    this.readable = new ReadableStream({
      start: (controller) => {
        this.#reading = controller;
      },
    });
  }

  /** The board was unplugged where it is. */
  lose(): void {
    this.#reading?.error(lost());
  }

  async close(): Promise<void> {
    this.readable = null;
    this.#writable = null;
    this.#close();
  }

  async setSignals(): Promise<void> {
    if (!this.#isOpening) {
      throw refused(new Error('Use the port to change them.'));
    }
    this.#isOpening = false;
  }

  async getSignals(): Promise<SerialInputSignals> {
    throw refused(new Error('Use the port to read them.'));
  }

  async forget(): Promise<void> {
    this.lose();
  }
}

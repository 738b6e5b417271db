/**
 * The port of a guest's bench while another user has it open: a `SerialPort` that sends typed bytes if the guest may
 * type, and has no bytes to read. The board's output and the bytes that others type arrive with the tap
 * (`Bench.watch`).
 */

const lost = () => new DOMException('The device has been lost.', 'NetworkError');

/** Fails only this one message: the port stays open (`SerialLink`). */
export const refused = (reason: unknown) =>
  new DOMException(
    reason instanceof Error || reason instanceof DOMException ? reason.message : 'It was refused.',
    'NotAllowedError',
  );

export class WatchedPort extends EventTarget implements SerialPort {
  onconnect = null;
  ondisconnect = null;
  readonly connected = true;
  /** Resolves when the opener has closed the port. */
  readonly closed: Promise<void>;
  readable: ReadableStream<Uint8Array> | null = null;
  readonly #info: SerialPortInfo;
  readonly #type: (bytes: Uint8Array) => Promise<void>;
  readonly #close: () => void;
  #reading: ReadableStreamDefaultController<Uint8Array> | null = null;
  #writable: WritableStream<Uint8Array> | null = null;
  /**
   * True while a session opens the port. The session sets the control lines then, which must not change those of the
   * board.
   */
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

  /** Called when the board was unplugged from the host's computer. */
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

/** A port that delivers given bytes as fast as they are read. */

export class SourcePort extends EventTarget implements SerialPort {
  onconnect = null;
  ondisconnect = null;
  readonly connected = true;
  readable: ReadableStream<Uint8Array> | null = null;
  writable: WritableStream<Uint8Array> | null = null;
  readonly delivered: Promise<void>;
  readonly #chunks: Iterator<Uint8Array>;
  readonly #done: () => void;

  /**
   * Creates a port.
   *
   * @param chunks One chunk for each read.
   */
  constructor(chunks: Iterable<Uint8Array>) {
    super();
    this.#chunks = chunks[Symbol.iterator]();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.delivered = promise;
    this.#done = resolve;
  }

  getInfo(): SerialPortInfo {
    return {};
  }

  async open(): Promise<void> {
    this.writable = new WritableStream();
    this.readable = new ReadableStream(
      {
        // A pull after the last chunk proves that all chunks have been read.
        pull: (controller) => {
          const { value, done } = this.#chunks.next();
          if (done) {
            this.#done();
            return Promise.withResolvers<void>().promise;
          }
          controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    );
  }

  async setSignals(): Promise<void> {
    // Does nothing: this port has no control lines.
  }

  async getSignals(): Promise<SerialInputSignals> {
    return { dataCarrierDetect: false, clearToSend: true, ringIndicator: false, dataSetReady: true };
  }

  async close(): Promise<void> {
    this.readable = null;
    this.writable = null;
  }

  async forget(): Promise<void> {
    // Does nothing: this port has no permission to revoke.
  }
}

/** A `SerialPort` of Web Serial on the pseudo-terminal of a simulated board, for a client that runs in Node. */
import { constants, openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';

/** The board behind the terminal. Opening `path` resets it. */
interface Terminal {
  readonly path: string;
  reset(): void;
}

interface Opened {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

export class TerminalPort extends EventTarget implements SerialPort {
  onconnect = null;
  ondisconnect = null;
  readonly connected = true;
  readable: ReadableStream<Uint8Array> | null = null;
  writable: WritableStream<Uint8Array> | null = null;
  readonly #terminal: Terminal;
  #opened: Opened | null = null;
  #dtr = false;

  constructor(terminal: Terminal) {
    super();
    this.#terminal = terminal;
  }

  getInfo(): SerialPortInfo {
    return {};
  }

  /** Opens the terminal. Its rate is the board's, whatever `options` say. */
  async open(_options: SerialOptions): Promise<void> {
    const open = () => openSync(this.#terminal.path, constants.O_RDWR | constants.O_NOCTTY);
    const [input, output] = [new ReadStream(open()), new WriteStream(open())];
    this.#opened = { input, output };
    this.#dtr = true;
    this.readable = new ReadableStream({
      start: (controller) => {
        input.on('data', (bytes: Buffer) => controller.enqueue(new Uint8Array(bytes)));
      },
    });
    this.writable = new WritableStream({
      write: (bytes) =>
        new Promise((resolve, reject) => {
          output.write(bytes, (error) => (error ? reject(error) : resolve()));
        }),
    });
  }

  async setSignals({ dataTerminalReady = this.#dtr }: SerialOutputSignals): Promise<void> {
    if (dataTerminalReady && !this.#dtr) {
      this.#terminal.reset();
    }
    this.#dtr = dataTerminalReady;
  }

  async getSignals(): Promise<SerialInputSignals> {
    return { dataCarrierDetect: false, clearToSend: false, ringIndicator: false, dataSetReady: false };
  }

  async close(): Promise<void> {
    this.#opened?.input.destroy();
    this.#opened?.output.destroy();
    this.#opened = null;
    this.readable = null;
    this.writable = null;
  }

  async forget(): Promise<void> {
    await this.close();
  }
}

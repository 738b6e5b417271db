/**
 * A minimal `SerialPort` that does only what the test says. It follows W3C Web Serial where a client can notice:
 * which attributes are null when, and which errors end a stream. Bytes that were read before the device vanished come
 * before the error.
 */
import { type Deferred, deferred } from '../deferred.ts';

/** A step that a test can hold up, to examine the state in between. */
type Step = 'open' | 'setSignals' | 'write' | 'drain' | 'close' | 'cancel';

interface Unplugging {
  /** True: no event is fired; reading and writing fail. */
  readonly silently?: boolean;
  /** True: reading and writing hang instead of failing. */
  readonly hangs?: boolean;
}

export class FakeSerialPort extends EventTarget implements SerialPort {
  onconnect = null;
  ondisconnect = null;
  connected = true;
  readable: ReadableStream<Uint8Array> | null = null;
  writable: WritableStream<Uint8Array> | null = null;
  /**
   * Calls in order. `open 115200 none 1048576` has rate, parity and buffer size. `lines DTR -` is DTR on and RTS off;
   * a dot is an unchanged line, and a third word is `break`. Also `close` and `forget`.
   */
  readonly calls: string[] = [];
  readonly openedWith: SerialOptions[] = [];
  /** Bytes written to the device, one entry for each write. */
  readonly writes: Uint8Array[] = [];
  /** Errors with which the next calls of `open` reject. */
  readonly openErrors: Error[] = [];
  /** Error of every call of `open`, such as that of a port that another program holds. */
  openError: Error | null = null;
  /** Baud rates that the driver refuses. */
  readonly refusedRates = new Set<number>();
  signalsError: Error | null = null;
  writeError: Error | null = null;
  /** Called with each write. It can answer by `receive`. */
  onWrite: (bytes: Uint8Array) => void = () => undefined;
  readonly #info: SerialPortInfo;
  readonly #held = new Map<Step, Deferred<void>>();
  #reading: ReadableStreamDefaultController<Uint8Array> | null = null;
  #writing: WritableStreamDefaultController | null = null;
  /** True: the writer has begun to close and waits for the driver. */
  #isDraining = false;
  /** True: the writer was aborted while it closed. As in Chromium 156, the port never closes then. */
  #isStuck = false;

  constructor(info: SerialPortInfo = { usbVendorId: 0x10c4, usbProductId: 0xea60 }) {
    super();
    this.#info = info;
  }

  get isOpen(): boolean {
    return this.writable !== null;
  }

  /** All bytes written to the device. */
  get written(): number[] {
    return this.writes.flatMap((bytes) => [...bytes]);
  }

  getInfo(): SerialPortInfo {
    return this.#info;
  }

  async open(options: SerialOptions): Promise<void> {
    const { baudRate, parity = 'none', bufferSize } = options;
    this.calls.push(`open ${baudRate} ${parity} ${bufferSize}`);
    this.openedWith.push(options);
    await this.#pass('open');
    const error = this.openError ?? this.openErrors.shift();
    if (error !== undefined) {
      throw error;
    }
    if (!this.connected) {
      throw new DOMException('Failed to open serial port.', 'NetworkError');
    }
    if (this.isOpen) {
      throw new DOMException('The port is already open.', 'InvalidStateError');
    }
    if (this.refusedRates.has(baudRate)) {
      throw new DOMException('Unsupported baud rate.', 'UnknownError');
    }
    this.#newReadable();
    this.#newWritable();
  }

  async setSignals({ dataTerminalReady, requestToSend, break: hold }: SerialOutputSignals): Promise<void> {
    const words = [word(dataTerminalReady, 'DTR'), word(requestToSend, 'RTS'), ...(hold ? ['break'] : [])];
    this.calls.push(`lines ${words.join(' ')}`);
    await this.#pass('setSignals');
    if (this.signalsError !== null) {
      throw this.signalsError;
    }
  }

  async getSignals(): Promise<SerialInputSignals> {
    return { dataCarrierDetect: false, clearToSend: true, ringIndicator: false, dataSetReady: true };
  }

  async close(): Promise<void> {
    this.calls.push('close');
    await this.#pass('close');
    if (this.readable?.locked || this.writable?.locked) {
      throw new TypeError('Cannot close a locked stream.');
    }
    if (this.#isStuck || this.#isDraining) {
      await new Promise(() => undefined);
    }
    this.readable = null;
    this.writable = null;
  }

  async forget(): Promise<void> {
    this.calls.push('forget');
  }

  /** Makes the device send bytes. */
  receive(bytes: Uint8Array | string): void {
    this.#reading?.enqueue(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
  }

  /** Makes the driver report an error after which a new stream can be read. The bytes before it are read first. */
  async fail(name: 'BreakError' | 'FramingError' | 'ParityError' | 'BufferOverrunError'): Promise<void> {
    await this.#endReading(new DOMException('line error', name));
    this.#newReadable();
  }

  /** Makes the driver report a permanent error while the device stays present. */
  async failForGood(name: string): Promise<void> {
    await this.#endReading(new DOMException('An unknown system error has occurred.', name));
    this.readable = null;
  }

  /** Pulls the cable. */
  async unplug({ silently = false, hangs = false }: Unplugging = {}): Promise<void> {
    this.connected = false;
    if (!silently) {
      this.dispatchEvent(new Event('disconnect'));
    }
    if (!hangs) {
      const error = new DOMException('The device has been lost.', 'NetworkError');
      await this.#endReading(error);
      this.readable = null;
      this.#writing?.error(error);
    }
  }

  /** Holds the step up until `release`. */
  hold(step: Step): void {
    this.#held.set(step, deferred());
  }

  release(step: Step): void {
    this.#held.get(step)?.resolve();
    this.#held.delete(step);
  }

  async #pass(step: Step): Promise<void> {
    await this.#held.get(step)?.promise;
  }

  #newReadable(): void {
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#reading = controller;
      },
      cancel: () => this.#pass('cancel'),
    });
  }

  #newWritable(): void {
    this.writable = new WritableStream<Uint8Array>({
      start: (controller) => {
        this.#writing = controller;
        controller.signal.addEventListener('abort', () => {
          this.#isStuck ||= this.#isDraining;
        });
      },
      write: async (bytes) => {
        await this.#pass('write');
        if (this.writeError !== null) {
          throw this.writeError;
        }
        this.writes.push(bytes.slice());
        this.onWrite(bytes);
      },
      close: async () => {
        this.#isDraining = true;
        await this.#pass('drain');
        this.#isDraining = false;
        // An open port offers a new stream after its writer has closed.
        this.#newWritable();
      },
    });
  }

  /** Lets the reader take queued bytes first, because an error discards them. */
  async #endReading(error: DOMException): Promise<void> {
    const reading = this.#reading;
    for (let turn = 0; turn < 20 && (reading?.desiredSize ?? 1) < 1; turn++) {
      await Promise.resolve();
    }
    reading?.error(error);
  }
}

function word(isOn: boolean | undefined, name: string): string {
  return isOn === undefined ? '.' : isOn ? name : '-';
}

/**
 * The least of a `SerialPort` that this package's unit tests need: it answers what the test says, and nothing by itself. The
 * other side of the wire as it really is stands in `@wirebench/devices`.
 */

import { encodeFrame } from '../slip.ts';
import { fromHex } from './from-hex.ts';

export class ScriptedPort extends EventTarget implements SerialPort {
  onconnect = null;
  ondisconnect = null;
  connected = true;
  readable: ReadableStream<Uint8Array> | null = null;
  writable: WritableStream<Uint8Array> | null = null;
  /** What was done to it, in order. */
  readonly calls: string[] = [];
  /** One entry for each write. */
  readonly writes: Uint8Array[] = [];
  /** Rates that the driver does not know. */
  readonly refusedRates = new Set<number>();
  openError: Error | null = null;
  /** Is told of each write; what it says with `receive` is the answer. */
  onWrite: (bytes: Uint8Array) => void = () => undefined;
  readonly #info: SerialPortInfo;
  #reading: ReadableStreamDefaultController<Uint8Array> | null = null;
  #writing: WritableStreamDefaultController | null = null;

  constructor(info: SerialPortInfo = { usbVendorId: 0x10c4, usbProductId: 0xea60 }) {
    super();
    this.#info = info;
  }

  getInfo(): SerialPortInfo {
    return this.#info;
  }

  async open({ baudRate, parity = 'none', bufferSize }: SerialOptions): Promise<void> {
    this.calls.push(`open ${baudRate} ${parity} ${bufferSize}`);
    if (this.openError !== null) {
      throw this.openError;
    }
    if (this.refusedRates.has(baudRate)) {
      throw new DOMException('Unsupported baud rate.', 'UnknownError');
    }
    this.#newReadable();
    this.writable = new WritableStream<Uint8Array>({
      start: (controller) => {
        this.#writing = controller;
      },
      write: (bytes) => {
        this.writes.push(bytes.slice());
        this.onWrite(bytes);
      },
    });
  }

  async setSignals({ dataTerminalReady, requestToSend }: SerialOutputSignals): Promise<void> {
    this.calls.push(`lines ${dataTerminalReady ? 'DTR' : '-'} ${requestToSend ? 'RTS' : '-'}`);
  }

  async getSignals(): Promise<SerialInputSignals> {
    return { dataCarrierDetect: false, clearToSend: true, ringIndicator: false, dataSetReady: true };
  }

  async close(): Promise<void> {
    this.calls.push('close');
    if (this.readable?.locked || this.writable?.locked) {
      throw new TypeError('Cannot close a locked stream.');
    }
    this.readable = null;
    this.writable = null;
  }

  async forget(): Promise<void> {
    this.calls.push('forget');
  }

  /** The board sends. */
  receive(bytes: Uint8Array | string): void {
    this.#reading?.enqueue(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
  }

  /** The board sends frames; each is given without its delimiters, in hexadecimal. */
  answer(...frames: readonly string[]): void {
    for (const frame of frames) {
      this.receive(encodeFrame(fromHex(frame)));
    }
  }

  /** The driver reports an error that a new stream cures. */
  lineError(name: 'BreakError' | 'FramingError' | 'ParityError' | 'BufferOverrunError'): void {
    const reading = this.#reading;
    this.#newReadable();
    reading?.error(new DOMException('line error', name));
  }

  /** The cable is pulled. `silent`: reading and writing hang, and only the event tells. */
  unplug(silent: 'silent' | 'loud' = 'loud'): void {
    this.connected = false;
    const error = new DOMException('The device has been lost.', 'NetworkError');
    if (silent === 'loud') {
      this.readable = null;
      this.#reading?.error(error);
      this.#writing?.error(error);
    }
    this.dispatchEvent(new Event('disconnect'));
  }

  #newReadable(): void {
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#reading = controller;
      },
    });
  }
}

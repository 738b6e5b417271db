/**
 * A `SerialPort` of Web Serial whose other end is a simulated device. Behaves as Chromium's does, down to its messages;
 * where the draft and Chromium differ, Chromium counts, because that is what people have.
 * Knows no device: bytes and lines go through the socket that the port is plugged into.
 */
import type { LineError } from '../wire/device.ts';
import type { Host, WiredDevice } from '../wire/wired-device.ts';
import { checkOptions, convertOptions } from './open-options.ts';
import { badArgument, failedCall } from './port-errors.ts';
import { PortEventTarget } from './port-event-target.ts';
import type { Overrun } from './receive-buffer.ts';
import { ReceiveSide } from './receive-side.ts';
import { TransmitSide } from './transmit-side.ts';

/** What a port is plugged into. */
export interface PortSocket {
  readonly info: SerialPortInfo;
  readonly overrun: Overrun;
  readonly splitReads: boolean;
  readonly skipDrain: boolean;
  /** The device on the other end; null once it was unplugged. */
  readonly wired: WiredDevice | null;
  /** Takes the port for a page. Rejects with a NetworkError or SecurityError when it does not open. */
  claim(): Promise<void>;
  release(): void;
  /** The page gives its permission back. */
  forget(): void;
}

export class SimulatedSerialPort extends PortEventTarget implements SerialPort {
  readonly #socket: PortSocket;
  #state: 'closed' | 'opening' | 'open' | 'closing' = 'closed';
  #connected = true;
  #receive: ReceiveSide | null = null;
  #transmit: TransmitSide | null = null;

  /** Ports come from a `SimulatedSerial`, as real ones come from `navigator.serial`. */
  constructor(socket: PortSocket) {
    super();
    this.#socket = socket;
  }

  get connected(): boolean {
    return this.#connected;
  }

  get readable(): ReadableStream<Uint8Array> | null {
    return this.#state === 'open' ? (this.#receive?.stream ?? null) : null;
  }

  get writable(): WritableStream<Uint8Array> | null {
    return this.#state === 'open' ? (this.#transmit?.stream ?? null) : null;
  }

  getInfo(): SerialPortInfo {
    return { ...this.#socket.info };
  }

  /**
   * Opens the port. The driver raises DTR and RTS, both at once.
   * @throws TypeError for bad options; InvalidStateError when open or opening; NetworkError when it cannot be opened.
   */
  async open(options: SerialOptions): Promise<void> {
    const converted = convertOptions(options);
    if (this.#state === 'opening') {
      throw failedCall('open', 'A call to open() is already in progress.', 'InvalidStateError');
    }
    if (this.#state !== 'closed') {
      throw failedCall('open', 'The port is already open.', 'InvalidStateError');
    }
    const { bufferSize, flowControl, ...settings } = checkOptions(converted);
    this.#state = 'opening';
    try {
      await this.#socket.claim();
    } catch (error) {
      this.#state = 'closed';
      throw error;
    }
    if (this.#state !== 'opening') {
      this.#socket.release();
      throw failedCall('open', 'Failed to open serial port.', 'NetworkError');
    }
    const { wired } = this.#socket;
    this.#receive = new ReceiveSide({
      bufferSize,
      // Hardware flow control holds the device back by itself.
      overrun: flowControl === 'hardware' ? 'block' : this.#socket.overrun,
      readSize: this.#socket.splitReads ? 1 : bufferSize,
      onRoom: () => wired?.resume(),
    });
    this.#transmit = new TransmitSide({
      bufferSize,
      skipDrain: this.#socket.skipDrain,
      wire: {
        pending: () => wired?.pendingToDevice ?? 0,
        send: (bytes) => wired?.send(bytes),
        discard: () => wired?.discardToDevice(),
      },
    });
    this.#state = 'open';
    wired?.setLines({ dtr: true, rts: true });
    wired?.open(settings, { heedsClearToSend: flowControl === 'hardware' });
  }

  /**
   * Sets control lines, one after the other: DTR, RTS, break. A device sees each step, as it does behind Chromium (seen with
   * version 156 on Linux, the system calls watched): from both raised to none it sees RTS alone on the way.
   * @throws InvalidStateError when closed; TypeError when no line is named; NetworkError when the device is gone.
   */
  async setSignals(signals: SerialOutputSignals): Promise<void> {
    const { dataTerminalReady: dtr, requestToSend: rts, break: hold } = signals;
    this.#mustBeOpen('setSignals');
    if (dtr === undefined && rts === undefined && hold === undefined) {
      throw badArgument('setSignals', 'Signals dictionary must contain at least one member.');
    }
    const { wired } = this.#socket;
    if (wired === null) {
      throw failedCall('setSignals', 'Failed to set control signals.', 'NetworkError');
    }
    if (dtr !== undefined) {
      wired.setLines({ dtr });
    }
    if (rts !== undefined) {
      wired.setLines({ rts });
    }
    if (hold !== undefined) {
      wired.setLines({ break: hold });
    }
  }

  /** @throws InvalidStateError when closed; NetworkError when the device is gone. */
  async getSignals(): Promise<SerialInputSignals> {
    this.#mustBeOpen('getSignals');
    const { wired } = this.#socket;
    if (wired === null) {
      throw failedCall('getSignals', 'Failed to get control signals.', 'NetworkError');
    }
    return { ...wired.inputs };
  }

  /**
   * Closes the port: cancels reading, aborts writing, throws away what has not been sent, lowers DTR and RTS.
   * @throws InvalidStateError when closed or closing; TypeError when a stream is locked, and then the port stays open.
   */
  async close(): Promise<void> {
    if (this.#state === 'closing') {
      throw failedCall('close', 'A call to close() is already in progress.', 'InvalidStateError');
    }
    if (this.#state !== 'open') {
      throw failedCall('close', 'The port is already closed.', 'InvalidStateError');
    }
    if (this.#receive?.locked) {
      throw badArgument('close', 'Cannot cancel a locked stream');
    }
    this.#state = 'closing';
    const cancelled = this.#receive?.cancel();
    if (this.#transmit?.locked) {
      // As in Chromium, reading has been cancelled by now: what was in the buffer is gone, `readable` gives a new stream.
      await cancelled;
      this.#state = 'open';
      throw badArgument('close', 'Cannot abort a locked stream');
    }
    await Promise.all([
      cancelled,
      this.#transmit?.abort(failedCall('close', 'The port is closed.', 'InvalidStateError')),
    ]);
    this.#leave();
  }

  /** Closes the port, whoever reads or writes, and gives the permission for it back. */
  async forget(): Promise<void> {
    this.#receive?.lose();
    this.#transmit?.end();
    if (this.#state !== 'closed') {
      this.#leave();
    }
    this.#socket.forget();
  }

  /** For the socket: what the wire is given as this port's end of it. */
  readonly wireEnd: Host = {
    room: () => this.#receive?.room ?? Infinity,
    receive: (bytes) => this.#receive?.receive(bytes),
    lineError: (error: LineError, byte) => this.#receive?.fail(error, byte),
    moved: () => this.#transmit?.moved(),
  };

  /** For the socket: the device is gone. Reads and writes at hand fail; the port stays open until it is closed. */
  lose(): void {
    this.#receive?.lose();
    this.#transmit?.lose();
  }

  /** For the socket, with the event that the page gets. */
  setDisconnected(): void {
    this.#connected = false;
  }

  #leave(): void {
    const { wired } = this.#socket;
    this.#receive = null;
    this.#transmit = null;
    this.#state = 'closed';
    wired?.setLines({ dtr: false, rts: false, break: false });
    wired?.close();
    this.#socket.release();
  }

  #mustBeOpen(method: string): void {
    if (this.#state !== 'open' && this.#state !== 'closing') {
      throw failedCall(method, 'The port is closed.', 'InvalidStateError');
    }
  }
}

/** Whether `port` is one of these: such a port is labelled *Demo* and never mixed up with hardware. */
export function isSimulatedPort(port: SerialPort): port is SimulatedSerialPort {
  return port instanceof SimulatedSerialPort;
}

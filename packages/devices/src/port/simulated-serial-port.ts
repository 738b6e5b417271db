/**
 * A `SerialPort` of Web Serial with a simulated device at its other end. It behaves like Chromium's, including the
 * messages. It follows Chromium also against the draft, because users have Chromium. Bytes and lines go through the
 * socket that the port is plugged into.
 */
import type { LineError } from '../wire/device.ts';
import type { UartSettings } from '../wire/link.ts';
import type { Host, WiredDevice } from '../wire/wired-device.ts';
import { badArgument, failedCall } from './port-errors.ts';
import { PortEventTarget } from './port-event-target.ts';
import type { Overrun } from './receive-buffer.ts';
import { ReceiveSide } from './receive-side.ts';
import { TransmitSide } from './transmit-side.ts';

/** The interface between a port and the bridge behind it. */
export interface PortSocket {
  readonly info: SerialPortInfo;
  readonly overrun: Overrun;
  readonly splitReads: boolean;
  readonly skipDrain: boolean;
  /** The device at the other end; null once unplugged. */
  readonly wired: WiredDevice | null;
  /** Claims the port for the page. Rejects with a NetworkError or SecurityError if it cannot be opened. */
  claim(): Promise<void>;
  release(): void;
  /** Revokes the page's permission. */
  forget(): void;
}

/** The options of `open`, checked as Web IDL and the Web Serial draft (section 4.4) require. */

interface OpenOptions extends UartSettings {
  readonly bufferSize: number;
  readonly flowControl: FlowControlType;
}

const defaultBufferSize = 255;
/** Largest buffer that Chromium allocates for one port, in bytes. */
const largestBufferSize = 16 * 1024 * 1024;

/**
 * The options after Web IDL's conversion, before the port's state is checked. The types are right, the values may be
 * invalid.
 */
type ConvertedOptions = Readonly<Record<'baudRate' | 'dataBits' | 'stopBits' | 'bufferSize', number>> & {
  readonly parity: ParityType;
  readonly flowControl: FlowControlType;
};

/**
 * Converts the options as Web IDL does.
 * @throws TypeError if an option is missing or has a wrong type.
 */
function convertOptions(options: SerialOptions): ConvertedOptions {
  return {
    baudRate: integer('baudRate', options.baudRate, 'unsigned long'),
    dataBits: integer('dataBits', options.dataBits ?? 8, 'octet'),
    stopBits: integer('stopBits', options.stopBits ?? 1, 'octet'),
    parity: oneOf('parity', 'ParityType', options.parity ?? 'none', ['none', 'even', 'odd']),
    bufferSize: integer('bufferSize', options.bufferSize ?? defaultBufferSize, 'unsigned long'),
    flowControl: oneOf('flowControl', 'FlowControlType', options.flowControl ?? 'none', ['none', 'hardware']),
  };
}

/**
 * Checks the values of converted options.
 * @throws TypeError if a value is outside the range of a port.
 */
function checkOptions({ dataBits, stopBits, ...options }: ConvertedOptions): OpenOptions {
  const { baudRate, bufferSize } = options;
  if (baudRate === 0) {
    throw badArgument('open', 'Requested baud rate must be greater than zero.');
  }
  if (dataBits !== 7 && dataBits !== 8) {
    throw badArgument('open', 'Requested number of data bits must be 7 or 8.');
  }
  if (stopBits !== 1 && stopBits !== 2) {
    throw badArgument('open', 'Requested number of stop bits must be 1 or 2.');
  }
  if (bufferSize === 0) {
    throw badArgument('open', 'Requested buffer size (0 bytes) must be greater than zero.');
  }
  if (bufferSize > largestBufferSize) {
    const limit = `the maximum allowed (${largestBufferSize} bytes)`;
    throw badArgument('open', `Requested buffer size (${bufferSize} bytes) is greater than ${limit}.`);
  }
  return { ...options, dataBits, stopBits };
}

const largest = { octet: 2 ** 8 - 1, 'unsigned long': 2 ** 32 - 1 } as const;

/**
 * Converts to a whole number from 0 to the type's maximum; fractions are truncated (`[EnforceRange]`).
 * @throws TypeError for other values.
 */
function integer(name: keyof SerialOptions, value: unknown, type: keyof typeof largest): number {
  const number = Math.trunc(Number(value));
  if (value === undefined) {
    throw badProperty(name, 'Required member is undefined.');
  }
  if (Number.isNaN(number)) {
    throw badProperty(name, `Value is not of type '${type}'.`);
  }
  if (number < 0 || number > largest[type]) {
    throw badProperty(name, `Value is outside the '${type}' value range.`);
  }
  return number;
}

function oneOf<T extends string>(name: keyof SerialOptions, type: string, value: T, allowed: readonly T[]): T {
  if (!allowed.includes(value)) {
    throw badProperty(name, `The provided value '${value}' is not a valid enum value of type ${type}.`);
  }
  return value;
}

function badProperty(name: keyof SerialOptions, reason: string): TypeError {
  return badArgument('open', `Failed to read the '${name}' property from 'SerialOptions': ${reason}`);
}

export class SimulatedSerialPort extends PortEventTarget implements SerialPort {
  readonly #socket: PortSocket;
  #state: 'closed' | 'opening' | 'open' | 'closing' = 'closed';
  #connected = true;
  #receive: ReceiveSide | null = null;
  #transmit: TransmitSide | null = null;

  /** Called by `SimulatedSerial` only, as real ports come from `navigator.serial`. */
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
   * @throws TypeError for invalid options.
   * @throws InvalidStateError if the port is open or opening.
   * @throws NetworkError if the port cannot be opened.
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
   * Sets control lines one after the other: DTR, RTS, break. A device sees each step, as behind Chromium (version 156
   * on Linux, observed in its system calls). When both lines are lowered, the device sees RTS alone in between.
   * @throws InvalidStateError if the port is closed.
   * @throws TypeError if `signals` is empty.
   * @throws NetworkError if the device is gone.
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

  /**
   * @throws InvalidStateError if the port is closed.
   * @throws NetworkError if the device is gone.
   */
  async getSignals(): Promise<SerialInputSignals> {
    this.#mustBeOpen('getSignals');
    const { wired } = this.#socket;
    if (wired === null) {
      throw failedCall('getSignals', 'Failed to get control signals.', 'NetworkError');
    }
    return { ...wired.inputs };
  }

  /**
   * Closes the port: cancels reading, aborts writing, discards unsent bytes, lowers DTR and RTS.
   * @throws InvalidStateError if the port is closed or closing.
   * @throws TypeError if a stream is locked. The port then stays open.
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
      // Reading is already cancelled here, as in Chromium: the buffer is empty, and `readable` returns a new stream.
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

  /** Closes the port even if its streams are in use, and revokes the page's permission. */
  async forget(): Promise<void> {
    this.#receive?.lose();
    this.#transmit?.end();
    if (this.#state !== 'closed') {
      this.#leave();
    }
    this.#socket.forget();
  }

  /** The port's end of the wire. For the socket. */
  readonly wireEnd: Host = {
    room: () => this.#receive?.room ?? Infinity,
    receive: (bytes) => this.#receive?.receive(bytes),
    lineError: (error: LineError, byte) => this.#receive?.fail(error, byte),
    moved: () => this.#transmit?.moved(),
  };

  /**
   * Fails pending reads and writes because the device is gone. The port stays open until it is closed. For the
   * socket.
   */
  lose(): void {
    this.#receive?.lose();
    this.#transmit?.lose();
  }

  /** Called by the socket just before the page's `disconnect` event. */
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

/** The interface between the streams of a port and a family of chips, and control requests with their failures. */
import type { UsbControlSetup, UsbDevice } from '../usb-device.ts';

/** Rate and frame, as `SerialPort.open` has checked them. */
export interface LineSettings {
  /** Symbols a second. */
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: ParityType;
  readonly flowControl: FlowControlType;
}

/** Control lines of the host. True: asserted. */
export interface HostLines {
  readonly dtr: boolean;
  readonly rts: boolean;
}

/** Names of the errors after which `readable` gives a new stream (W3C Web Serial, section 4.5). */
export type LineErrorName = 'BreakError' | 'FramingError' | 'ParityError' | 'BufferOverrunError';

/** Received bytes and errors of the line, in order. An error stands after the bytes that came before it. */
export type Received = readonly (Uint8Array<ArrayBuffer> | LineErrorName)[];

/** News from the interrupt endpoint. */
export interface UartNotification {
  readonly signals: SerialInputSignals;
  readonly errors: readonly LineErrorName[];
}

/** One UART of a chip. Every method of it sends control requests, and rejects with a `NetworkError` if one fails. */
export interface UsbSerialDriver {
  /**
   * Bytes that the chip holds on their way to the wire at most. 0: the device is on USB itself, and its rate has no
   * meaning.
   */
  readonly transmitBuffer: number;
  /**
   * Sets the chip up and raises DTR and RTS, both with one request.
   *
   * @throws NotSupportedError for a rate that the chip misses by more than 3 %, and for settings that it lacks.
   */
  open(settings: LineSettings): Promise<void>;
  /** Sets both lines with one request. */
  setLines(lines: HostLines): Promise<void>;
  setBreak(on: boolean): Promise<void>;
  /** Returns the inputs. Missing: only notifications carry them. */
  signals?(): Promise<SerialInputSignals>;
  /** Separates a transfer of the bulk endpoint into bytes and errors. Missing: all of it is bytes. */
  received?(transfer: Uint8Array<ArrayBuffer>): Received;
  /** Reads the bytes of the interrupt endpoint. Missing: the endpoint is not read. */
  notifications?(transfer: Uint8Array): readonly UartNotification[];
  /** Empties a buffer of the chip. Missing: the chip has no such request. */
  discard?(side: 'received' | 'unsent'): Promise<void>;
  /** Undoes what `open` has set. Both lines are already low. */
  close?(): Promise<void>;
}

/** The UART that a driver serves. */
export interface UartPlace {
  readonly device: UsbDevice;
  /** Number of the interface that takes requests. */
  readonly interfaceNumber: number;
  /** True: the device has several UARTs, or could have. */
  readonly isOneOfMany: boolean;
  /** Most bytes of a packet from the chip. */
  readonly packetSize: number;
}

export const noSignals: SerialInputSignals = {
  clearToSend: false,
  dataCarrierDetect: false,
  dataSetReady: false,
  ringIndicator: false,
};

/** Returns the inputs whose bits are set in `status`. A mask of 0 is a line that the chip lacks. */
export function signalsOf(status: number, cts: number, dsr: number, ri: number, dcd: number): SerialInputSignals {
  return {
    clearToSend: (status & cts) !== 0,
    dataCarrierDetect: (status & dcd) !== 0,
    dataSetReady: (status & dsr) !== 0,
    ringIndicator: (status & ri) !== 0,
  };
}

/**
 * Returns the errors whose bits are set in `status`. Overruns count on their own. Of the other three the cause counts:
 * a break has a bad frame, too.
 */
export function lineErrorsOf(
  status: number,
  bits: { readonly overrun: number; readonly parity: number; readonly framing: number; readonly break: number },
): LineErrorName[] {
  const errors: LineErrorName[] = (status & bits.overrun) === 0 ? [] : ['BufferOverrunError'];
  if ((status & bits.break) !== 0) {
    errors.push('BreakError');
  } else if ((status & bits.parity) !== 0) {
    errors.push('ParityError');
  } else if ((status & bits.framing) !== 0) {
    errors.push('FramingError');
  }
  return errors;
}

/** DTR and RTS in bits 0 and 1, as CDC, CP210x and FTDI have them. */
export const lineBits = ({ dtr, rts }: HostLines): number => (dtr ? 1 : 0) | (rts ? 2 : 0);

export const parities: readonly ParityType[] = ['none', 'odd', 'even'];

/** Returns the message of an error. */
export const textOf = (error: unknown): string =>
  error instanceof Error || error instanceof DOMException ? error.message : String(error);

export function networkError(text: string): DOMException {
  return new DOMException(text, 'NetworkError');
}

/** Returns the error of a setting that the adapter lacks. */
export function unsupported(text: string): DOMException {
  return new DOMException(text, 'NotSupportedError');
}

/** Largest deviation of a rate. Two ends that miss by more than this together misread the last bits of a frame. */
const MAX_DEVIATION = 0.03;

/**
 * Returns the possible rate that is nearest to `wanted` by ratio.
 *
 * @throws NotSupportedError that names it if it is more than 3 % off.
 */
export function nearestRate<Rate extends { readonly rate: number }>(wanted: number, possible: Iterable<Rate>): Rate {
  let best: Rate | null = null;
  let least = Infinity;
  for (const one of possible) {
    const miss = Math.abs(Math.log(one.rate / wanted));
    // Rates of divisors differ in the last digits of their calculation.
    if (miss < least - 1e-9) {
      best = one;
      least = miss;
    }
  }
  if (best === null || Math.abs(best.rate - wanted) > wanted * MAX_DEVIATION) {
    const offer = best === null ? '' : ` The nearest rate that it has is ${Math.round(best.rate)}.`;
    throw unsupported(`This adapter cannot send at ${wanted} baud.${offer}`);
  }
  return best;
}

/** Control requests of one type to one recipient. */
export class Requests {
  readonly #device: UsbDevice;
  readonly #to: Pick<UsbControlSetup, 'requestType' | 'recipient'>;

  constructor(device: UsbDevice, requestType: UsbControlSetup['requestType'], recipient: UsbControlSetup['recipient']) {
    this.#device = device;
    this.#to = { requestType, recipient };
  }

  /** Sends a request. Returns false if the device refuses it with a stall. */
  async offer(request: number, value: number, index: number, data?: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const setup = { ...this.#to, request, value, index };
    const { status } = await (data === undefined
      ? this.#device.controlTransferOut(setup)
      : this.#device.controlTransferOut(setup, data));
    return status !== 'stall';
  }

  /** @throws NetworkError if the device refuses the request with a stall. */
  async send(request: number, value: number, index: number, data?: Uint8Array<ArrayBuffer>): Promise<void> {
    if (!(await this.offer(request, value, index, data))) {
      throw networkError(`The adapter refused request ${request} with the value ${value}.`);
    }
  }

  /** Returns the answer, which may be shorter than `length`; null if the device refuses with a stall. */
  async ask(request: number, value: number, index: number, length: number): Promise<Uint8Array | null> {
    const { status, data } = await this.#device.controlTransferIn({ ...this.#to, request, value, index }, length);
    return status === 'stall' || !data ? null : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }

  /**
   * Returns the first byte of an answer.
   *
   * @throws NetworkError without an answer.
   */
  async askByte(request: number, value: number, index: number, length = 1): Promise<number> {
    const byte = (await this.ask(request, value, index, length))?.[0];
    if (byte === undefined) {
      throw networkError(`The adapter did not answer request ${request} with the value ${value}.`);
    }
    return byte;
  }
}

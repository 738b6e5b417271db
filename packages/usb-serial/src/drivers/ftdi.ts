/**
 * FTDI FT232 to FT4232 and FT-X. Requests, divisors and the two status bytes of each packet are those of libftdi 1.5
 * and of the Linux driver ftdi_sio (FTDI AN232B-05, "Configuring FT232R, FT2232 and FT232B Baud Rates"; AN232B-04,
 * "Data Throughput, Latency and Handshaking").
 */
import {
  type HostLines,
  type LineErrorName,
  type LineSettings,
  lineBits,
  lineErrorsOf,
  nearestRate,
  parities,
  type Received,
  Requests,
  signalsOf,
  type UartPlace,
  type UsbSerialDriver,
} from './driver.ts';

const RESET = 0;
const SET_LINES = 1;
const SET_FLOW = 2;
const SET_RATE = 3;
const SET_DATA = 4;
const GET_STATUS = 5;
const SET_LATENCY = 9;

/** High byte of SET_LINES: both lines change. */
const BOTH_LINES = 0x0300;
/** Bit of SET_DATA that holds the line low. */
const BREAK = 1 << 14;
/** Milliseconds after which a chip sends a packet that is not full: the least, and the one after a reset. */
const LATENCY = 1;
const DEFAULT_LATENCY = 16;
/** Status bytes at the start of each packet. */
const STATUS_LENGTH = 2;
const errorBits = { overrun: 2, parity: 4, framing: 8, break: 0x10 };

/** Codes of the eighths of a divisor, by eighths (AN232B-05). */
const eighthCodes = [0, 3, 2, 4, 1, 5, 6, 7];
/** Rate at divisor 1 of the clock that all types have, and of the second clock of the H types. */
const BASE = 3_000_000;
const HIGH_BASE = 12_000_000;
/** Least rate of the second clock. */
const HIGH_LEAST = 1_200;
/** Largest divisor, in eighths. */
const MAX_EIGHTHS = 0x3fff * 8 + 7;

interface FtdiRate {
  readonly rate: number;
  /** 17 bits, and bit 17 for the second clock. */
  readonly divisor: number;
}

/** Returns the rates around the wanted one. Between the divisors 1, 1.5 and 2 there is none. */
function ratesNear(wanted: number, isHigh: boolean): FtdiRate[] {
  const isSecond = isHigh && wanted >= HIGH_LEAST;
  const base = isSecond ? HIGH_BASE : BASE;
  const nearest = Math.min(MAX_EIGHTHS, Math.max(16, Math.round((base * 8) / wanted)));
  return [nearest, 12, 8].map((eighths) => {
    const code = eighthCodes[eighths & 7] ?? 0;
    const divisor = eighths === 8 ? 0 : eighths === 12 ? 1 : (eighths >> 3) | (code << 14);
    return { rate: (base * 8) / eighths, divisor: divisor | (isSecond ? 0x2_0000 : 0) };
  });
}

/** Types by the major version of the device (bcdDevice): FT2232H, FT4232H and FT232H; FT-X. */
const highTypes = [7, 8, 9];
const xType = 10;

export class FtdiDriver implements UsbSerialDriver {
  /** Largest of the data sheets: FT2232H, 4 kB. */
  readonly transmitBuffer: number;
  readonly #requests: Requests;
  readonly #packetSize: number;
  readonly #isHigh: boolean;
  /** Low byte of each index: the UART, from 1; 0 for chips that have one and expect none. */
  readonly #port: number;
  /** Value of SET_DATA without the break. */
  #data = 8;

  constructor({ device, interfaceNumber, packetSize, isOneOfMany }: UartPlace) {
    const { deviceVersionMajor: type } = device;
    this.#requests = new Requests(device, 'vendor', 'device');
    this.#packetSize = packetSize;
    this.#isHigh = highTypes.includes(type);
    this.#port = this.#isHigh || type === xType || isOneOfMany ? interfaceNumber + 1 : 0;
    this.transmitBuffer = this.#isHigh ? 4_096 : 512;
  }

  async open({ baudRate, dataBits, stopBits, parity, flowControl }: LineSettings): Promise<void> {
    const { divisor } = nearestRate(baudRate, ratesNear(baudRate, this.#isHigh));
    await this.#send(RESET, 0);
    // The oldest type has no such timer.
    await this.#requests.offer(SET_LATENCY, LATENCY, this.#port);
    await this.#setRate(divisor);
    this.#data = dataBits | (parities.indexOf(parity) << 8) | (stopBits === 2 ? 2 << 11 : 0);
    await this.#send(SET_DATA, this.#data);
    await this.#setFlow(flowControl);
    await this.setLines({ dtr: true, rts: true });
  }

  setLines(lines: HostLines): Promise<void> {
    return this.#send(SET_LINES, BOTH_LINES | lineBits(lines));
  }

  setBreak(on: boolean): Promise<void> {
    return this.#send(SET_DATA, this.#data | (on ? BREAK : 0));
  }

  async signals(): Promise<SerialInputSignals> {
    return signalsOf(await this.#requests.askByte(GET_STATUS, 0, this.#port, 2), 0x10, 0x20, 0x40, 0x80);
  }

  /** Drops the status of each packet. A packet of two bytes comes at each tick of the timer, and has no news. */
  received(transfer: Uint8Array<ArrayBuffer>): Received {
    const parts: (Uint8Array<ArrayBuffer> | LineErrorName)[] = [];
    // The bytes move to the front of the same array.
    let from = 0;
    let to = 0;
    const cut = () => {
      if (to > from) {
        parts.push(transfer.subarray(from, to));
      }
      from = to;
    };
    const append = (bytes: Uint8Array) => {
      transfer.set(bytes, to);
      to += bytes.length;
    };
    for (let at = 0; at + STATUS_LENGTH < transfer.length; at += this.#packetSize) {
      const end = Math.min(at + this.#packetSize, transfer.length);
      const errors = lineErrorsOf(transfer[at + 1] ?? 0, errorBits);
      if (errors.length === 0) {
        transfer.copyWithin(to, at + STATUS_LENGTH, end);
        to += end - at - STATUS_LENGTH;
        continue;
      }
      const packet = transfer.slice(at + STATUS_LENGTH, end);
      const damaged = damagedBytes(packet, errors);
      const cutAt = damaged?.[0] ?? 0;
      append(packet.subarray(0, cutAt));
      if (damaged !== null) {
        cut();
        parts.push(...errors);
      }
      append(packet.subarray(cutAt + (damaged?.[1] ?? 0)));
    }
    cut();
    return parts;
  }

  /** From the chip's side, 1 is what it has received from the host (libftdi 1.5, `ftdi_tcoflush`). */
  discard(side: 'received' | 'unsent'): Promise<void> {
    return this.#send(RESET, side === 'unsent' ? 1 : 2);
  }

  async close(): Promise<void> {
    await this.#setFlow('none');
    await this.#requests.offer(SET_LATENCY, DEFAULT_LATENCY, this.#port);
  }

  #send(request: number, value: number): Promise<void> {
    return this.#requests.send(request, value, this.#port);
  }

  /** The upper bits are in the high byte of the index beside a UART, otherwise in the low byte. */
  #setRate(divisor: number): Promise<void> {
    const high = divisor >> 16;
    return this.#requests.send(SET_RATE, divisor & 0xffff, this.#port === 0 ? high : (high << 8) | this.#port);
  }

  /** The high byte of the index: 1 for RTS and CTS. */
  #setFlow(flowControl: FlowControlType): Promise<void> {
    return this.#requests.send(SET_FLOW, 0, this.#port | (flowControl === 'hardware' ? 0x0100 : 0));
  }
}

/**
 * Returns the place and the number of the bytes that are part of an error, at which it is reported. The chip does not
 * name the damaged byte: it is the zeros of a break, the only byte of the packet, or unknown, and then all bytes
 * follow the error. Null: no error is reported, because the break was that of a packet before.
 */
function damagedBytes(
  packet: Uint8Array,
  errors: readonly LineErrorName[],
): readonly [at: number, count: number] | null {
  if (errors.includes('BreakError')) {
    const at = packet.indexOf(0);
    const after = packet.subarray(at).findIndex((byte) => byte !== 0);
    return at < 0 ? null : [at, after < 0 ? packet.length - at : after];
  }
  const isSole = packet.length === 1 && errors.some((name) => name !== 'BufferOverrunError');
  return [0, isSole ? 1 : 0];
}

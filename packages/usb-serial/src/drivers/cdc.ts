/**
 * Boards on USB themselves, and chips of the standard class, such as CH343 and CH9102 (USB Class Definitions for
 * Communications Devices 1.2, PSTN Subclass 1.2). The class has no clear-to-send and no flow control.
 */
import {
  type HostLines,
  type LineSettings,
  lineBits,
  lineErrorsOf,
  parities,
  Requests,
  signalsOf,
  type UartNotification,
  type UartPlace,
  type UsbSerialDriver,
  unsupported,
} from './driver.ts';

/** Requests (PSTN 1.2, section 6.3), which PL2303 has, too. */
export const SET_LINE_CODING = 0x20;
export const SET_CONTROL_LINE_STATE = 0x22;
export const SEND_BREAK = 0x23;

/** `bmRequestType` and `bNotificationCode` of SERIAL_STATE (PSTN 1.2, section 6.5.4). */
const SERIAL_STATE = [0xa1, 0x20];
/** Bytes before the data of a notification. Bytes 6 and 7 are the length of the data. */
const HEADER = 8;

/** Returns the seven bytes of a line coding: rate (little endian), stop bits (0 one, 2 two), parity, data bits. */
export function lineCoding(
  rate: Uint8Array | number,
  { stopBits, parity, dataBits }: LineSettings,
): Uint8Array<ArrayBuffer> {
  const coding = new Uint8Array(7);
  if (typeof rate === 'number') {
    new DataView(coding.buffer).setUint32(0, rate, true);
  } else {
    coding.set(rate);
  }
  coding.set([stopBits === 2 ? 2 : 0, parities.indexOf(parity), dataBits], 4);
  return coding;
}

/** Value of SEND_BREAK: until it is ended, or 0 to end it. */
export const breakValue = (on: boolean): number => (on ? 0xffff : 0);

export class CdcDriver implements UsbSerialDriver {
  readonly transmitBuffer = 0;
  readonly #requests: Requests;
  readonly #index: number;
  /** The start of a notification whose rest has not come: packets of the endpoint may be smaller. */
  #started: number[] = [];

  constructor({ device, interfaceNumber }: UartPlace) {
    this.#requests = new Requests(device, 'class', 'interface');
    this.#index = interfaceNumber;
  }

  async open(settings: LineSettings): Promise<void> {
    if (settings.flowControl === 'hardware') {
      throw unsupported('This adapter has no hardware flow control: its USB class lacks it.');
    }
    this.#started = [];
    // A board without a UART behind its USB may refuse both (PSTN 1.2, section 5.3.2, bit D1).
    await this.#requests.offer(SET_LINE_CODING, 0, this.#index, lineCoding(settings.baudRate, settings));
    await this.#requests.offer(SET_CONTROL_LINE_STATE, 3, this.#index);
  }

  setLines(lines: HostLines): Promise<void> {
    return this.#requests.send(SET_CONTROL_LINE_STATE, lineBits(lines), this.#index);
  }

  setBreak(on: boolean): Promise<void> {
    return this.#requests.send(SEND_BREAK, breakValue(on), this.#index);
  }

  notifications(transfer: Uint8Array): readonly UartNotification[] {
    const found: UartNotification[] = [];
    this.#started.push(...transfer);
    while (this.#started.length >= HEADER) {
      const [type, code, , , , , low = 0, high = 0] = this.#started;
      const end = HEADER + low + high * 256;
      if (type !== SERIAL_STATE[0] || end > 64) {
        this.#started = [];
        break;
      }
      if (this.#started.length < end) {
        break;
      }
      const [state = 0] = this.#started.splice(0, end).slice(HEADER);
      if (code === SERIAL_STATE[1]) {
        found.push({
          signals: signalsOf(state, 0, 2, 8, 1),
          errors: lineErrorsOf(state, { overrun: 0x40, parity: 0x20, framing: 0x10, break: 4 }),
        });
      }
    }
    return found;
  }
}

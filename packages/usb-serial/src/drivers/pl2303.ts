/**
 * Prolific PL2303, types H to G. The maker documents few requests: registers, types and divisors are those of the
 * Linux driver pl2303 and of recorded sessions (testing/recorded). Line and frame are set as in the class CDC.
 */

import type { UsbDevice } from '../usb-device.ts';
import { breakValue, lineCoding, SEND_BREAK, SET_CONTROL_LINE_STATE, SET_LINE_CODING } from './cdc.ts';
import {
  type HostLines,
  type LineSettings,
  lineBits,
  lineErrorsOf,
  nearestRate,
  Requests,
  signalsOf,
  type UartNotification,
  type UartPlace,
  type UsbSerialDriver,
} from './driver.ts';

/** Vendor requests: registers of all types but G, and those of G to write and to read. */
const REGISTER = 0x01;
const WRITE_G = 0x80;
const READ_G = 0x81;

/** Register that only TA and TB answer, among the types that look like G. */
const HX_STATUS = 0x8080;
/** State of the inputs, active low. */
const INPUTS = 0x0087;
const INPUTS_G = 0x0080;
/** Registers to empty buffers: unsent and received bytes; of G one with a bit for each. */
const UNSENT = 8;
const RECEIVED = 9;
const BUFFERS_G = 7;
/** Register of the flow control. Of G it is active low. */
const FLOW = 0;
const FLOW_G = 0x0a;

/** Bytes of a notification. Byte 8 is the state. */
const NOTIFICATION_LENGTH = 10;
const errorBits = { overrun: 0x40, parity: 0x20, framing: 0x10, break: 4 };

interface Pl2303Type {
  readonly name: 'H' | 'HX' | 'HXD' | 'TA' | 'TB' | 'G';
  readonly maxRate: number;
  /** Form of the divisor of rates that are not in the table. */
  readonly divisor: 'none' | 'powers of 4' | 'powers of 2';
}

const types = {
  H: { name: 'H', maxRate: 1_228_800, divisor: 'none' },
  HX: { name: 'HX', maxRate: 6_000_000, divisor: 'powers of 4' },
  HXD: { name: 'HXD', maxRate: 12_000_000, divisor: 'powers of 4' },
  TA: { name: 'TA', maxRate: 6_000_000, divisor: 'powers of 2' },
  TB: { name: 'TB', maxRate: 12_000_000, divisor: 'powers of 2' },
  G: { name: 'G', maxRate: 12_000_000, divisor: 'none' },
} satisfies Record<string, Pl2303Type>;

/** Rates that are sent as they are. */
const tableRates = [
  75, 150, 300, 600, 1_200, 1_800, 2_400, 3_600, 4_800, 7_200, 9_600, 14_400, 19_200, 28_800, 38_400, 57_600, 115_200,
  230_400, 460_800, 614_400, 921_600, 1_228_800, 2_457_600, 3_000_000, 6_000_000,
].map((rate) => ({ rate, bytes: rateBytes(rate) }));

interface PlRate {
  readonly rate: number;
  /** The first four bytes of the line coding. */
  readonly bytes: Uint8Array;
}

function rateBytes(rate: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, rate, true);
  return bytes;
}

/** 12 MHz times 32. A rate is this, divided by a mantissa and a power. */
const CLOCK = 384_000_000;

/**
 * Returns the rate of a divisor. The last byte has bit 7 (bit 31 of the rate). Powers of 4: nine bits of mantissa,
 * exponent in bits 9 to 11. Powers of 2: eleven bits, exponent in bits 13 to 15 with its lowest bit in bit 16.
 */
function dividedRate(wanted: number, form: 'powers of 4' | 'powers of 2'): PlRate {
  const [bits, step, most] = form === 'powers of 4' ? [9, 2, 7] : [11, 1, 15];
  let mantissa = Math.max(1, Math.floor(CLOCK / wanted));
  let exponent = 0;
  while (mantissa >= 2 ** bits && exponent < most) {
    mantissa >>= step;
    exponent++;
  }
  mantissa = Math.min(mantissa, 2 ** bits - 1);
  const second = (mantissa >> 8) | (form === 'powers of 4' ? exponent << 1 : (exponent & ~1) << 4);
  const third = form === 'powers of 4' ? 0 : exponent & 1;
  return {
    rate: CLOCK / mantissa / 2 ** (step * exponent),
    bytes: Uint8Array.of(mantissa & 0xff, second, third, 0x80),
  };
}

/** Standard request for the device descriptor. WebUSB does not tell its byte 7, the size of a control packet. */
const GET_DESCRIPTOR = 6;
const DEVICE_DESCRIPTOR = 0x0100;

/** Finds the type by the versions of the device, bcdUSB and bcdDevice (Linux driver pl2303, `pl2303_detect_type`). */
async function typeOf(device: UsbDevice, registers: Requests): Promise<Pl2303Type> {
  const descriptor = await new Requests(device, 'standard', 'device').ask(GET_DESCRIPTOR, DEVICE_DESCRIPTOR, 0, 18);
  if (device.deviceClass === 2 || (descriptor?.[7] ?? 64) !== 64) {
    return types.H;
  }
  const { deviceVersionMajor: major, deviceVersionMinor: minor } = device;
  if (device.usbVersionMajor < 2) {
    return major === 4 ? types.HXD : types.HX;
  }
  const couldBeT = minor === 0 && (major === 3 || major === 5);
  if (!couldBeT || (await registers.ask(REGISTER, HX_STATUS, 0, 1)) === null) {
    return types.G;
  }
  return major === 3 ? types.TA : types.TB;
}

export class Pl2303Driver implements UsbSerialDriver {
  /** PL2303HXD data sheet, section 2: 512 bytes. */
  readonly transmitBuffer = 512;
  readonly #device: UsbDevice;
  readonly #registers: Requests;
  readonly #line: Requests;
  #type: Pl2303Type = types.HX;

  constructor({ device }: UartPlace) {
    this.#device = device;
    this.#registers = new Requests(device, 'vendor', 'device');
    this.#line = new Requests(device, 'class', 'interface');
  }

  async open(settings: LineSettings): Promise<void> {
    this.#type = await typeOf(this.#device, this.#registers);
    const { bytes } = this.#rate(settings.baudRate);
    const isHardware = settings.flowControl === 'hardware';
    if (this.#isG) {
      await this.#write(BUFFERS_G, 3);
    } else {
      await this.#initialize();
      await this.discard('unsent');
      await this.discard('received');
    }
    await this.#line.send(SET_LINE_CODING, 0, 0, lineCoding(bytes, settings));
    if (this.#isG) {
      await this.#write(FLOW_G, isHardware ? 0xfb : 0xff);
    } else if (isHardware) {
      await this.#write(FLOW, this.#type.name === 'H' ? 0x41 : 0x61);
    }
    await this.setLines({ dtr: true, rts: true });
  }

  setLines(lines: HostLines): Promise<void> {
    return this.#line.send(SET_CONTROL_LINE_STATE, lineBits(lines), 0);
  }

  setBreak(on: boolean): Promise<void> {
    return this.#line.send(SEND_BREAK, breakValue(on), 0);
  }

  async signals(): Promise<SerialInputSignals> {
    return this.#isG
      ? signalsOf(~(await this.#registers.askByte(READ_G, INPUTS_G, 0)), 8, 0x20, 0x80, 0x40)
      : signalsOf(~(await this.#registers.askByte(REGISTER, INPUTS, 0)), 8, 4, 1, 2);
  }

  notifications(transfer: Uint8Array): readonly UartNotification[] {
    const state = transfer[8];
    return state === undefined || transfer.length < NOTIFICATION_LENGTH
      ? []
      : [{ signals: signalsOf(state, 0x80, 2, 8, 1), errors: lineErrorsOf(state, errorBits) }];
  }

  discard(side: 'received' | 'unsent'): Promise<void> {
    return this.#isG
      ? this.#write(BUFFERS_G, side === 'unsent' ? 1 : 2)
      : this.#write(side === 'unsent' ? UNSENT : RECEIVED, 0);
  }

  get #isG(): boolean {
    return this.#type.name === 'G';
  }

  #rate(wanted: number): PlRate {
    const { divisor, maxRate, name } = this.#type;
    const possible = tableRates.filter(({ rate }) => rate <= maxRate);
    const exact = possible.find(({ rate }) => rate === wanted);
    if (exact !== undefined) {
      return exact;
    }
    const capped = Math.min(wanted, maxRate);
    if (name === 'G') {
      return nearestRate(wanted, [{ rate: capped, bytes: rateBytes(capped) }]);
    }
    return nearestRate(wanted, divisor === 'none' ? possible : [dividedRate(capped, divisor), ...possible]);
  }

  #write(register: number, value: number): Promise<void> {
    return this.#registers.send(this.#isG ? WRITE_G : REGISTER, register, value);
  }

  /** The eleven steps of the maker's own driver, as recorded. The answers are read and not used. */
  async #initialize(): Promise<void> {
    const read = (register: number) => this.#registers.ask(REGISTER, register, 0, 1);
    await read(0x8484);
    await this.#write(0x0404, 0);
    await read(0x8484);
    await read(0x8383);
    await read(0x8484);
    await this.#write(0x0404, 1);
    await read(0x8484);
    await read(0x8383);
    await this.#write(0, 1);
    await this.#write(1, 0);
    await this.#write(2, this.#type.name === 'H' ? 0x24 : 0x44);
  }
}

/**
 * Silicon Labs CP2101 to CP2109 (AN571, "CP210x Virtual COM Port Interface"; AN205, "CP210x Baud Rate Support").
 * Requests go to the interface, which must be claimed.
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
  unsupported,
} from './driver.ts';

const ENABLE = 0;
const SET_LINE_CONTROL = 3;
const SET_BREAK = 5;
const SET_LINES = 7;
const GET_STATUS = 8;
const PURGE = 0x12;
const SET_FLOW = 0x13;
const EMBED_EVENTS = 0x15;
const SET_RATE = 0x1e;
const VENDOR = 0xff;
/** Values of the vendor request. */
const PART_NUMBER = 0x370b;
const FIRMWARE_OF_CP2102N = 0x0010;

/** High byte of SET_LINES: both lines change. */
const BOTH_LINES = 0x0300;
/** Escape of embedded events: EC 00 is the byte EC, EC 01 is a line error with its byte, EC 02 and 03 are states. */
const ESCAPE = 0xec;

/** Rates of CP2101, CP2102, CP2103, CP2108 and the second port of CP2105 (AN205, table 1). */
const tableRates = [
  300, 600, 1_200, 1_800, 2_400, 4_000, 4_800, 7_200, 9_600, 14_400, 16_000, 19_200, 28_800, 38_400, 51_200, 56_000,
  57_600, 64_000, 76_800, 115_200, 128_000, 153_600, 230_400, 250_000, 256_000, 460_800, 500_000, 576_000, 921_600,
].map((rate) => ({ rate }));

/** Rates of later parts: 48 MHz divided by twice a whole number, and by 4 up to 365 baud (AN205, section 4). */
function dividedRate(wanted: number, max: number): { readonly rate: number } {
  const clock = 24_000_000 / (wanted <= 365 ? 4 : 1);
  const divisor = Math.max(1, Math.ceil(24_000_000 / max), Math.round(clock / wanted));
  return { rate: Math.floor(clock / divisor) };
}

/** First byte of the part number: CP2102 is 2, CP2105 is 5. CP2102N has 0x20 to 0x22 by its package. */
const CP2102 = 0x02;
const CP2104 = 0x04;
const CP2105 = 0x05;
const CP2108 = 0x08;
const isCp2102n = (part: number) => part >= 0x20 && part <= 0x22;
/** Last firmware of CP2102N without flow control (CP2102N errata, E104). */
const WITHOUT_FLOW = 0x1_00_04;

export class Cp210xDriver implements UsbSerialDriver {
  /** CP2102 data sheet, section 5: 640 bytes. Later parts have less. */
  readonly transmitBuffer = 640;
  readonly #requests: Requests;
  readonly #toDevice: Requests;
  readonly #index: number;
  #part = CP2102;
  #hasEvents = false;
  /** Bytes of an embedded event whose rest is in the next transfer. */
  #event: number[] = [];

  constructor({ device, interfaceNumber }: UartPlace) {
    this.#requests = new Requests(device, 'vendor', 'interface');
    this.#toDevice = new Requests(device, 'vendor', 'device');
    this.#index = interfaceNumber;
  }

  async open(settings: LineSettings): Promise<void> {
    this.#part = (await this.#toDevice.ask(VENDOR, PART_NUMBER, 0, 1))?.[0] ?? CP2102;
    const isSecondOf2105 = this.#part === CP2105 && this.#index === 1;
    if (isSecondOf2105 && (settings.dataBits !== 8 || settings.stopBits !== 1)) {
      throw unsupported('The second port of a CP2105 has 8 data bits and 1 stop bit only.');
    }
    const { rate } = this.#rate(settings.baudRate, isSecondOf2105);
    const hasFlow = await this.#hasFlow();
    if (!hasFlow && settings.flowControl === 'hardware') {
      throw unsupported('This CP2102N has no hardware flow control: its firmware is older than 1.0.5.');
    }
    await this.#send(ENABLE, 1);
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, rate, true);
    await this.#send(SET_RATE, 0, bytes);
    const { dataBits, parity, stopBits } = settings;
    await this.#send(SET_LINE_CONTROL, (dataBits << 8) | (parities.indexOf(parity) << 4) | (stopBits === 2 ? 2 : 0));
    this.#event = [];
    this.#hasEvents =
      (this.#part >= CP2104 || isCp2102n(this.#part)) &&
      (await this.#requests.offer(EMBED_EVENTS, ESCAPE, this.#index));
    await (hasFlow ? this.#send(SET_FLOW, 0, flowOf(settings.flowControl)) : this.setLines({ dtr: true, rts: true }));
  }

  setLines(lines: HostLines): Promise<void> {
    return this.#send(SET_LINES, BOTH_LINES | lineBits(lines));
  }

  setBreak(on: boolean): Promise<void> {
    return this.#send(SET_BREAK, on ? 1 : 0);
  }

  async signals(): Promise<SerialInputSignals> {
    return signalsOf(await this.#requests.askByte(GET_STATUS, 0, this.#index), 0x10, 0x20, 0x40, 0x80);
  }

  received(transfer: Uint8Array<ArrayBuffer>): Received {
    const isPlain = !this.#hasEvents || (this.#event.length === 0 && !transfer.includes(ESCAPE));
    return isPlain ? [transfer] : this.#withoutEvents(transfer);
  }

  discard(side: 'received' | 'unsent'): Promise<void> {
    return this.#send(PURGE, side === 'unsent' ? 5 : 10);
  }

  async close(): Promise<void> {
    if (this.#hasEvents) {
      await this.#send(EMBED_EVENTS, 0);
    }
    await this.#send(PURGE, 15);
    await this.#send(ENABLE, 0);
  }

  #send(request: number, value: number, data?: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#requests.send(request, value, this.#index, data);
  }

  #rate(wanted: number, isSecondOf2105: boolean): { readonly rate: number } {
    const part = this.#part;
    if (isSecondOf2105) {
      return nearestRate(
        wanted,
        tableRates.filter(({ rate }) => rate >= 2_400),
      );
    }
    return part < CP2104 || part === CP2108
      ? nearestRate(wanted, tableRates)
      : nearestRate(wanted, [dividedRate(wanted, isCp2102n(part) ? 3_000_000 : 2_000_000)]);
  }

  async #hasFlow(): Promise<boolean> {
    if (!isCp2102n(this.#part)) {
      return true;
    }
    const [major = 1, minor = 0, build = 5] = (await this.#toDevice.ask(VENDOR, FIRMWARE_OF_CP2102N, 0, 3)) ?? [];
    return ((major << 16) | (minor << 8) | build) > WITHOUT_FLOW;
  }

  #withoutEvents(transfer: Uint8Array<ArrayBuffer>): Received {
    const parts: (Uint8Array<ArrayBuffer> | LineErrorName)[] = [];
    // The bytes move to the front of the same array: they never become more.
    let from = 0;
    let to = 0;
    const cut = () => {
      if (to > from) {
        parts.push(transfer.subarray(from, to));
      }
      from = to;
    };
    for (const byte of transfer) {
      if (this.#event.length === 0 && byte !== ESCAPE) {
        transfer[to++] = byte;
        continue;
      }
      this.#event.push(byte);
      const [, kind, status = 0, data] = this.#event;
      if (kind === 1 ? data === undefined : kind === 2 || kind === 3 ? this.#event.length < 3 : kind === undefined) {
        continue;
      }
      this.#event = [];
      if (kind === 0) {
        transfer[to++] = ESCAPE;
      } else if (kind === 1) {
        cut();
        const errors = lineErrorsOf(status, { overrun: 2, parity: 4, framing: 8, break: 0x10 });
        parts.push(...errors);
        // The byte of a damaged frame goes with its error; an overrun and a mere state leave it whole.
        if (errors.every((name) => name === 'BufferOverrunError') && data !== undefined) {
          transfer[to++] = data;
        }
      }
    }
    cut();
    return parts;
  }
}

/**
 * Returns the 16 bytes of SET_FLOW, little endian: control handshake (DTR held high, CTS handshake 8), flow replace
 * (RTS held high 0x40, RTS as flow control 0x80), two limits of XON/XOFF (AN571, section 5.11).
 */
function flowOf(flowControl: FlowControlType): Uint8Array<ArrayBuffer> {
  const flow = new Uint8Array(16);
  flow[0] = flowControl === 'hardware' ? 0x09 : 0x01;
  flow[4] = flowControl === 'hardware' ? 0x80 : 0x40;
  return flow;
}

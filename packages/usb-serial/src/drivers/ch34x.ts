/**
 * WCH CH340 and CH341. The maker documents no requests: registers and bits are those of the Linux driver ch341 and of
 * recorded sessions (testing/recorded).
 */
import {
  type HostLines,
  type LineSettings,
  nearestRate,
  networkError,
  Requests,
  signalsOf,
  type UartNotification,
  type UartPlace,
  type UsbSerialDriver,
  unsupported,
} from './driver.ts';

const READ_VERSION = 0x5f;
const READ_REGISTERS = 0x95;
const WRITE_REGISTERS = 0x9a;
const INITIALIZE = 0xa1;
const SET_LINES = 0xa4;

/** Pairs of registers: a request names two, and carries the values of both. */
const RATE = 0x1312;
const LINE = 0x2518;
const STATUS = 0x0706;
const BREAK = 0x1805;
const FLOW = 0x2727;
/** Register that chips without a break lack. */
const BREAK_ALONE = 0x05;

/** First version with a line register. Older ones have 8 data bits, no parity, 1 stop bit. */
const WITH_LINE = 0x30;
/** Bit of the rate: received bytes are sent on at once. Without it, chips from 0x27 on wait for a full packet. */
const AT_ONCE = 0x80;
const CLOCK = 48_000_000;

interface ChRate {
  readonly rate: number;
  readonly register: number;
}

/**
 * Returns the rates around the wanted one: 48 MHz / (2^(12 − 3 · prescaler − fact) · divisor). The register has 256
 * minus the divisor in its high byte, fact in bit 2, the prescaler in bits 0 and 1.
 *
 * @param isLimited True: chips without a break, whose fact works with prescaler 3 only.
 */
function* ratesNear(wanted: number, isLimited: boolean): Generator<ChRate> {
  for (const prescaler of [3, 2, 1, 0]) {
    for (const fact of isLimited && prescaler < 3 ? [0] : [0, 1]) {
      const base = CLOCK / 2 ** (12 - 3 * prescaler - fact);
      // Below 9, the chip divides wrongly while fact is set.
      const least = fact === 1 ? 9 : 2;
      const divisor = Math.min(fact === 1 ? 255 : 256, Math.max(least, Math.round(base / wanted)));
      yield { rate: base / divisor, register: ((256 - divisor) << 8) | AT_ONCE | (fact << 2) | prescaler };
    }
  }
}

export class Ch34xDriver implements UsbSerialDriver {
  /** One packet of each size that the chips have. */
  readonly transmitBuffer = 64;
  readonly #requests: Requests;
  #hasBreak = true;

  constructor({ device }: UartPlace) {
    this.#requests = new Requests(device, 'vendor', 'device');
  }

  async open({ baudRate, dataBits, stopBits, parity, flowControl }: LineSettings): Promise<void> {
    const version = await this.#requests.askByte(READ_VERSION, 0, 0, 2);
    const isPlain = dataBits === 8 && stopBits === 1 && parity === 'none';
    if (version < WITH_LINE && !isPlain) {
      throw unsupported('This CH34x is an old one: it has 8 data bits, no parity and 1 stop bit only.');
    }
    // The chip refuses with a stall.
    this.#hasBreak = (await this.#requests.ask(READ_REGISTERS, BREAK_ALONE, 0, 2)) !== null;
    const { register } = nearestRate(baudRate, ratesNear(baudRate, !this.#hasBreak));
    await this.#requests.send(INITIALIZE, 0, 0);
    await this.#write(RATE, register);
    if (version >= WITH_LINE) {
      const check = parity === 'none' ? 0 : parity === 'even' ? 0x18 : 0x08;
      await this.#write(LINE, 0xc0 | (dataBits - 5) | (stopBits === 2 ? 0x04 : 0) | check);
    }
    await this.#write(FLOW, flowControl === 'hardware' ? 0x0101 : 0);
    await this.setLines({ dtr: true, rts: true });
  }

  setLines({ dtr, rts }: HostLines): Promise<void> {
    const bits = (dtr ? 0x20 : 0) | (rts ? 0x40 : 0);
    return this.#requests.send(SET_LINES, ~bits & 0xffff, 0);
  }

  /** Register 5 in the low byte, 0x18 in the high one: a cleared bit 0 and a cleared bit 6 hold the line low. */
  async setBreak(on: boolean): Promise<void> {
    const registers = this.#hasBreak ? await this.#requests.ask(READ_REGISTERS, BREAK, 0, 2) : null;
    if (registers === null) {
      throw networkError('This CH34x cannot send a break.');
    }
    const [low = 0, high = 0] = registers;
    await this.#write(BREAK, on ? ((high & ~0x40) << 8) | (low & ~0x01) : ((high | 0x40) << 8) | low | 0x01);
  }

  async signals(): Promise<SerialInputSignals> {
    return inputsOf(await this.#requests.askByte(READ_REGISTERS, STATUS, 0, 2));
  }

  /** The third byte is the status (Linux driver ch341). */
  notifications(transfer: Uint8Array): readonly UartNotification[] {
    const status = transfer[2];
    return status === undefined ? [] : [{ signals: inputsOf(status), errors: [] }];
  }

  #write(registers: number, values: number): Promise<void> {
    return this.#requests.send(WRITE_REGISTERS, registers, values);
  }
}

/** Inputs are active low. */
const inputsOf = (status: number): SerialInputSignals => signalsOf(~status, 1, 2, 4, 8);

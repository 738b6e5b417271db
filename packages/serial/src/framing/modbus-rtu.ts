/**
 * Modbus RTU frames (MODBUS over Serial Line Specification and Implementation Guide V1.02, section 2.5.1). A gap of 3.5
 * characters ends a frame; its last two bytes are a CRC, least significant byte first. A USB bridge delivers the pieces
 * of a frame up to 16 ms apart. So only a frame with a correct CRC ends after the gap; any other waits for the delay of
 * a bridge too.
 */
import { type PortSettings, wireTime } from '@wirebench/port';
import { crcTable, shiftedIn } from './crc.ts';
import { defineFraming } from './framing-definition.ts';
import { bridgeDelay } from './gap.ts';
import type { DecodeFrame, Splitter } from './splitter.ts';

/** CRC-16/MODBUS (section 6.2.2): polynomial 8005, all bits set at the start. The register is 0 after a correct CRC. */
const table = crcTable(0xa001);
const CRC_START = 0xffff;
const CRC_BYTES = 2;
/** Address, function code and CRC, in bytes. */
const SHORTEST_FRAME = 4;
/** Longest frame in bytes (section 2.5.1). */
const LONGEST_FRAME = 256;
/** Gap that ends a frame, in characters (section 2.5.1.1). */
const GAP_CHARACTERS = 3.5;
/** Highest baud rate at which the gap depends on the rate, and the gap above it in ms (section 2.5.1.1). */
const HIGHEST_TIMED_RATE = 19_200;
const FIXED_GAP = 1.75;

const decode: DecodeFrame = (frame) => frame.slice(0, -CRC_BYTES);

class ModbusRtuSplitter implements Splitter {
  readonly unfinished = 'incomplete';
  readonly ending = 0;
  readonly decode = decode;
  fault: 'incomplete' | 'invalid' | null = null;
  decodedLength = 0;
  readonly #shortGap: number;
  #register = CRC_START;
  #length = 0;

  /** @param gap Gap that ends a frame with a correct CRC, in ms. */
  constructor(gap: number) {
    this.#shortGap = gap;
  }

  get gap(): number {
    return this.#isWhole ? this.#shortGap : this.#shortGap + bridgeDelay;
  }

  next(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      this.#register = shiftedIn(table, this.#register, bytes[at] as number);
    }
    this.#length += to - from;
    return -1;
  }

  finish(afterGap: boolean): void {
    this.fault = this.#isWhole ? null : afterGap ? 'invalid' : 'incomplete';
    this.decodedLength = this.#length - CRC_BYTES;
  }

  restart(): void {
    this.#register = CRC_START;
    this.#length = 0;
  }

  get #isWhole(): boolean {
    return this.#register === 0 && this.#length >= SHORTEST_FRAME && this.#length <= LONGEST_FRAME;
  }
}

/**
 * Returns the gap that ends a frame, in whole milliseconds. Rounded down, so that no gap of the specified length is
 * missed. This cuts no frame, because the CRC of its first part is not correct.
 */
function gapAt(settings: PortSettings): number {
  const isTimed = settings.baudRate <= HIGHEST_TIMED_RATE;
  return Math.floor(isTimed ? wireTime(settings, GAP_CHARACTERS) : FIXED_GAP);
}

export const modbusRtuFraming = defineFraming({
  title: 'Modbus RTU frames',
  use: 'Frames of Modbus on RS-485 or RS-232, with a gap of 3.5 characters between them and a CRC.',
  defaults: {},
  fields: {},
  splitter: (_, settings) => new ModbusRtuSplitter(gapAt(settings)),
});

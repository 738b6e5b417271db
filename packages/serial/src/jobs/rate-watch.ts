/**
 * Judges the first bytes after a connection: text, or what a wrong rate makes of text. It needs no framing errors, which
 * Linux never reports. Known binary protocols are not judged.
 */
import { crcTable, shiftedIn } from '../framing/crc.ts';
import { decodeVisibly } from '../visible-utf8.ts';
import { textShare } from './baud-score.ts';
import type { RateSign } from './rate-sign.ts';

/** Bytes from which a connection is judged. */
const ENOUGH_BYTES = 100;
/** A slow board is judged by fewer bytes, after this time in milliseconds. */
const FEW_BYTES = 32;
const FEW_AFTER = 3_000;
/** Newest bytes that are judged together. */
const WINDOW = 200;
/** Bytes after which nothing is judged any more. */
const LAST_BYTES = 4_096;
/** Share of text below which the rate counts as wrong, and from which the bytes count as text. */
const RUBBISH_BELOW = 0.6;
const TEXT_FROM = 0.85;
const TEXT_OF_SEVEN_BITS = 0.97;
/** Share of bytes with bit 7, from which it may be a parity bit. In English text with even parity it is about a half. */
const PARITY_FROM = 0.15;
const SAMPLE_CHARACTERS = 60;

/** Beginnings of frames that occur at least twice in a stream: u-blox (UBX), and protocols with 0xAA 0x55 or 0x55 0xAA. */
const syncWords = [
  [0xb5, 0x62],
  [0xaa, 0x55],
  [0x55, 0xaa],
] as const;
/** MAVLink 2 and 1 (mavlink.io, "Packet Serialization"): first byte, and the length of a frame without its payload. */
const mavlink = [
  [0xfd, 12],
  [0xfe, 8],
] as const;
/** Modbus over Serial Line 1.02, 6.2.2. */
const modbusTable = crcTable(0xa001);

export class RateWatch {
  #sign: RateSign | null = null;
  #bytes: number[] = [];
  #total = 0;
  #judged = 0;
  #firstAt: number | null = null;
  #isDone = false;

  get sign(): RateSign | null {
    return this.#sign;
  }

  /** Takes a chunk as received. Returns true if the sign has changed. */
  received(chunk: Uint8Array, at: number): boolean {
    if (this.#isDone) {
      return false;
    }
    this.#firstAt ??= at;
    this.#total += chunk.length;
    // The first bytes, then the newest.
    const isFirst = this.#judged === 0;
    const next = isFirst ? chunk.subarray(0, WINDOW) : chunk.subarray(-WINDOW);
    this.#bytes = [...this.#bytes, ...next].slice(...(isFirst ? [0, WINDOW] : [-WINDOW]));
    if (isModbusFrame(chunk)) {
      return this.#end();
    }
    const isEnough =
      this.#total - this.#judged >= ENOUGH_BYTES ||
      (isFirst && this.#total >= FEW_BYTES && at - this.#firstAt >= FEW_AFTER);
    return isEnough && this.#judge(Uint8Array.from(this.#bytes));
  }

  /** Begins with a new connection. */
  reset(): void {
    this.#sign = null;
    this.#bytes = [];
    this.#total = 0;
    this.#judged = 0;
    this.#firstAt = null;
    this.#isDone = false;
  }

  #judge(bytes: Uint8Array): boolean {
    const isLast = this.#judged > 0 && this.#total > LAST_BYTES;
    this.#judged = this.#total;
    const share = textShare(bytes);
    if (share >= TEXT_FROM || isKnownBinary(bytes) || isLast) {
      // Boot text at another rate may come first: a board is right from its first readable bytes on.
      return share >= TEXT_FROM || this.#sign === null ? this.#end() : this.#stop();
    }
    const before = this.#sign;
    this.#sign = sevenBits(bytes) ?? (share < RUBBISH_BELOW ? { kind: 'rate', share } : null);
    return before?.kind !== this.#sign?.kind;
  }

  /** Withdraws the sign, and judges no more. */
  #end(): boolean {
    const hadSign = this.#sign !== null;
    this.#sign = null;
    this.#isDone = true;
    return hadSign;
  }

  /** Keeps the sign, and judges no more. */
  #stop(): boolean {
    this.#isDone = true;
    return false;
  }
}

/** Returns the settings with which the bytes are text of 7 bits; null if they are not. */
function sevenBits(bytes: Uint8Array): RateSign | null {
  const high = bytes.filter((byte) => byte >= 0x80).length / bytes.length;
  const low = bytes.map((byte) => byte & 0x7f);
  if (high < PARITY_FROM || textShare(low) < TEXT_OF_SEVEN_BITS) {
    return null;
  }
  const odd = bytes.filter((byte) => bitsIn(byte) % 2 === 1).length / bytes.length;
  // Without parity, bit 7 is the first of two stop bits.
  const format =
    high === 1
      ? ({ parity: 'none', stopBits: 2 } as const)
      : odd < 0.03
        ? ({ parity: 'even', stopBits: 1 } as const)
        : odd > 0.97
          ? ({ parity: 'odd', stopBits: 1 } as const)
          : null;
  const sample = decodeVisibly(low).replaceAll(/\s+/g, ' ').trim().slice(0, SAMPLE_CHARACTERS);
  return format === null ? null : { kind: 'bits', settings: { dataBits: 7, ...format }, sample };
}

const bitsIn = (byte: number) => byte.toString(2).replaceAll('0', '').length;

function isKnownBinary(bytes: Uint8Array): boolean {
  const occurs = (word: readonly number[]) => bytes.filter((byte, at) => byte === word[0] && bytes[at + 1] === word[1]);
  return (
    syncWords.some((word) => occurs(word).length > 1) ||
    mavlink.some(([first, overhead]) =>
      bytes.some((byte, at) => byte === first && bytes[at + overhead + (bytes[at + 1] ?? 0)] === first),
    )
  );
}

function isModbusFrame(chunk: Uint8Array): boolean {
  if (chunk.length < 5 || chunk.length > 256) {
    return false;
  }
  return chunk.reduce((crc, byte) => shiftedIn(modbusTable, crc, byte), 0xffff) === 0;
}

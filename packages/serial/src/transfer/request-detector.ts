/**
 * Notices in what a port receives that the board waits for a file, or wants to send one. Cheap: it looks for one byte in
 * a chunk, and at chunks of a single byte.
 */

import { NAK, WANT_CRC } from './control-bytes.ts';
import { crc16 } from './crc.ts';
import { frame, ZDLE, ZHEX, ZPAD } from './zmodem/frame.ts';
import { hexDigit } from './zmodem/frame-reader.ts';

/** `send`: the board waits for a file. `receive`: the board wants to send one. */
export interface TransferRequest {
  readonly kind: 'send' | 'receive';
  /** `block`: XMODEM or YMODEM, which ask alike. */
  readonly protocol: 'block' | 'zmodem';
}

/** Distance of two `C` or NAK that are a request, in milliseconds. Receivers repeat them every 1 to 10 s. */
const MIN_REPEAT = 500;
const MAX_REPEAT = 15_000;
/** Bytes of a hex header after its start: type, four bytes, CRC, as digits. */
const DIGITS = 14;
/** Bytes of a header that are kept until the rest of it arrives. */
const HEADER_BYTES = 4 + DIGITS;

export class RequestDetector {
  /** The last lone `C` or NAK. */
  #lone: { readonly byte: number; readonly at: number } | null = null;
  /** Beginning of a header at the end of the last chunk. */
  #carry: Uint8Array = new Uint8Array();

  /** @param at Milliseconds. @returns The request that the chunk completes; null without one. */
  received(bytes: Uint8Array, at: number): TransferRequest | null {
    return this.#zmodem(bytes) ?? this.#block(bytes, at);
  }

  /** The user sent bytes: a single letter that comes back may be an echo. */
  sent(): void {
    this.#lone = null;
  }

  #block(bytes: Uint8Array, at: number): TransferRequest | null {
    const last = bytes.at(-1);
    const before = bytes.at(-2);
    const isLone = (last === WANT_CRC || last === NAK) && (before === undefined || before === 0x0a || before === 0x0d);
    const lone = this.#lone;
    if (last === undefined || !isLone) {
      this.#lone = null;
      return null;
    }
    this.#lone = { byte: last, at };
    const isRepeated =
      bytes.length === 1 && lone?.byte === last && at - lone.at >= MIN_REPEAT && at - lone.at <= MAX_REPEAT;
    return isRepeated ? { kind: 'send', protocol: 'block' } : null;
  }

  #zmodem(bytes: Uint8Array): TransferRequest | null {
    const carried = this.#carry.length;
    if (carried === 0 && bytes.at(-1) !== ZPAD && !bytes.includes(ZDLE)) {
      return null;
    }
    const all = new Uint8Array(carried + bytes.length);
    all.set(this.#carry);
    all.set(bytes, carried);
    this.#carry = new Uint8Array();
    for (let at = all.indexOf(ZDLE); at !== -1; at = all.indexOf(ZDLE, at + 1)) {
      if (all[at - 1] !== ZPAD || all[at - 2] !== ZPAD) {
        continue;
      }
      if (all.length < at - 2 + HEADER_BYTES) {
        this.#carry = all.slice(at - 2);
        return null;
      }
      const request = all[at + 1] === ZHEX ? requestIn(all.subarray(at + 2, at + 2 + DIGITS)) : null;
      if (request !== null) {
        return request;
      }
    }
    const stars = all.at(-1) === ZPAD ? (all.at(-2) === ZPAD ? 2 : 1) : 0;
    this.#carry = all.slice(all.length - stars);
    return null;
  }
}

/** Reads the digits of a hex header. Returns null if its CRC is wrong. */
function requestIn(digits: Uint8Array): TransferRequest | null {
  const values = [...digits].map((digit) => hexDigit(digit & 0x7f));
  const bytes = Array.from({ length: DIGITS / 2 }, (_, at) => ((values[2 * at] ?? 0) << 4) | (values[2 * at + 1] ?? 0));
  const [type, , , , , high = 0, low = 0] = bytes;
  if (values.includes(-1) || crc16(bytes.slice(0, 5)) !== ((high << 8) | low)) {
    return null;
  }
  if (type === frame.ZRQINIT) {
    return { kind: 'receive', protocol: 'zmodem' };
  }
  return type === frame.ZRINIT ? { kind: 'send', protocol: 'zmodem' } : null;
}

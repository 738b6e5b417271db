/**
 * Headers and data subpackets of ZMODEM (Forsberg, "The ZMODEM Inter Application File Transfer Protocol", 1988, chapters
 * 7 and 11).
 */
import { crc16, crc32 } from '../crc.ts';

export const ZPAD = 0x2a;
/** Escapes the next byte. The same byte as CAN. */
export const ZDLE = 0x18;
export const ZHEX = 0x42;
export const ZBIN = 0x41;
export const ZBIN32 = 0x43;
export const XON = 0x11;
export const XOFF = 0x13;

/** Frame types (section 11). */
export const frame = {
  ZRQINIT: 0,
  ZRINIT: 1,
  ZSINIT: 2,
  ZACK: 3,
  ZFILE: 4,
  ZSKIP: 5,
  ZNAK: 6,
  ZABORT: 7,
  ZFIN: 8,
  ZRPOS: 9,
  ZDATA: 10,
  ZEOF: 11,
  ZFERR: 12,
  ZCRC: 13,
  ZCHALLENGE: 14,
  ZCOMPL: 15,
  ZCAN: 16,
  ZFREECNT: 17,
  ZCOMMAND: 18,
  ZSTDERR: 19,
} as const;

export type FrameType = (typeof frame)[keyof typeof frame];

/** Ends of a subpacket: the frame ends or continues, with or without an acknowledgement (section 7.4). */
export const subpacketEnd = {
  /** The frame ends, no answer. */
  ZCRCE: 0x68,
  /** The frame continues, no answer. */
  ZCRCG: 0x69,
  /** The frame continues, ZACK expected. */
  ZCRCQ: 0x6a,
  /** The frame ends, ZACK expected. */
  ZCRCW: 0x6b,
} as const;

export type SubpacketEnd = (typeof subpacketEnd)[keyof typeof subpacketEnd];

/** Escaped forms of 0x7f and 0xff. */
export const ZRUB0 = 0x6c;
export const ZRUB1 = 0x6d;

/** Abilities of a receiver: flags of ZRINIT in ZF0 (section 11.2). */
export const receiverFlag = {
  /** Sends and receives at the same time. */
  CANFDX: 0x01,
  /** Receives while it writes to the disk. */
  CANOVIO: 0x02,
  /** Takes CRC-32. */
  CANFC32: 0x20,
  /** Wants control characters escaped. */
  ESCCTL: 0x40,
} as const;

/** Conversion in ZF0 of ZFILE (section 11.5). */
export const conversion = { ZCBIN: 1, ZCRESUM: 3 } as const;

/** Binary headers and subpackets carry a CRC of this many bits. */
export type CrcBits = 16 | 32;

/** Four bytes of a header: a position, lowest byte first. */
export function positionBytes(position: number): Uint8Array {
  return Uint8Array.of(position, position >>> 8, position >>> 16, position >>> 24);
}

export function positionOf(data: Uint8Array): number {
  const [low = 0, second = 0, third = 0, high = 0] = data;
  return (low | (second << 8) | (third << 16) | (high << 24)) >>> 0;
}

/** Four bytes of a header: flags, ZF3 first and ZF0 last. */
export function flagBytes(zf0: number): Uint8Array {
  return Uint8Array.of(0, 0, 0, zf0);
}

/** Encodes a hex header, as receivers send them and as every session begins. */
export function encodeHexHeader(type: FrameType, data: Uint8Array): Uint8Array {
  const content = Uint8Array.of(type, ...data);
  const crc = crc16(content);
  const digits = [...content, crc >> 8, crc & 0xff].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  // XON frees a line that was stopped by noise; after ZACK and ZFIN it could disturb the stream that follows.
  const end = type === frame.ZACK || type === frame.ZFIN ? '\r\x8a' : '\r\x8a\x11';
  return Uint8Array.from(`**\x18B${digits}${end}`, (character) => character.charCodeAt(0));
}

/**
 * Escapes bytes for the wire: ZDLE, the flow control characters, and a CR after `@`, which a Telenet line takes for a
 * command (section 7.2).
 */
export class Escaper {
  /** True: escapes all control characters, because the receiver asked for it. */
  escapesControls = false;
  #out = new Uint8Array(4_096);
  #length = 0;
  #last = 0;

  encodeBinaryHeader(type: FrameType, data: Uint8Array, bits: CrcBits): Uint8Array {
    this.#length = 0;
    this.#raw(ZPAD, ZDLE, bits === 32 ? ZBIN32 : ZBIN);
    const content = Uint8Array.of(type, ...data);
    this.#escaped(content);
    this.#crc(content, [], bits);
    return this.#out.slice(0, this.#length);
  }

  encodeSubpacket(data: Uint8Array, end: SubpacketEnd, bits: CrcBits): Uint8Array {
    this.#length = 0;
    this.#escaped(data);
    this.#raw(ZDLE, end);
    this.#crc(data, [end], bits);
    return this.#out.slice(0, this.#length);
  }

  #crc(data: Uint8Array, end: readonly number[], bits: CrcBits): void {
    if (bits === 32) {
      this.#escaped(positionBytes(crc32(end, crc32(data))));
    } else {
      const crc = crc16(end, crc16(data));
      this.#escaped(Uint8Array.of(crc >> 8, crc));
    }
  }

  #raw(...bytes: number[]): void {
    this.#reserve(bytes.length);
    for (const byte of bytes) {
      this.#out[this.#length++] = byte;
      this.#last = byte;
    }
  }

  #escaped(bytes: Uint8Array): void {
    this.#reserve(bytes.length * 2);
    const out = this.#out;
    let length = this.#length;
    let last = this.#last;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if ((byte & 0x60) === 0 && this.#mustEscape(byte, last)) {
        out[length++] = ZDLE;
        last = byte ^ 0x40;
      } else {
        last = byte;
      }
      out[length++] = last;
    }
    this.#length = length;
    this.#last = last;
  }

  /** @param byte A control character, with or without the parity bit. */
  #mustEscape(byte: number, last: number): boolean {
    switch (byte & 0x7f) {
      case 0x10:
      case XON:
      case XOFF:
        return true;
      case ZDLE:
        return byte === ZDLE || this.escapesControls;
      case 0x0d:
        return this.escapesControls || (last & 0x7f) === 0x40;
      default:
        return this.escapesControls;
    }
  }

  #reserve(more: number): void {
    if (this.#length + more > this.#out.length) {
      const larger = new Uint8Array((this.#length + more) * 2);
      larger.set(this.#out.subarray(0, this.#length));
      this.#out = larger;
    }
  }
}

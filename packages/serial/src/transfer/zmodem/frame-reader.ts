/**
 * Reads headers and subpackets of ZMODEM out of a stream in which anything else may stand: text before the start,
 * noise, the rest of a damaged frame.
 */
import type { LinkReader } from '../byte-link.ts';
import { crc16, crc32 } from '../crc.ts';
import {
  type CrcBits,
  type FrameType,
  frame,
  positionOf,
  type SubpacketEnd,
  subpacketEnd,
  XOFF,
  XON,
  ZBIN,
  ZBIN32,
  ZDLE,
  ZHEX,
  ZPAD,
  ZRUB0,
  ZRUB1,
} from './frame.ts';

export type FrameEvent =
  | { readonly kind: 'header'; readonly type: FrameType; readonly data: Uint8Array }
  | { readonly kind: 'data'; readonly bytes: Uint8Array; readonly end: SubpacketEnd }
  /** A header or a subpacket was damaged. */
  | { readonly kind: 'bad' }
  /** The other side cancels: five CANs in a row. */
  | { readonly kind: 'cancel' };

/** Largest subpacket, in bytes. The protocol has 1,024; lrzsz sends up to 8,192 on request. */
const MAX_SUBPACKET = 8_192;
/** CANs in a row that cancel (section 7.5). */
const CANCEL_COUNT = 5;

const highestType = Math.max(...Object.values(frame));
const withData: readonly number[] = [frame.ZSINIT, frame.ZFILE, frame.ZDATA, frame.ZCOMMAND, frame.ZSTDERR];

type State = 'hunt' | 'pad' | 'kind' | 'hex' | 'binary' | 'data' | 'check';

export class FrameReader {
  readonly #link: LinkReader;
  #state: State = 'hunt';
  #cancels = 0;
  #isEscaped = false;
  /** True: CR and LF of a hex header are expected before its data. */
  #awaitsLineEnd = false;
  #bits: CrcBits = 16;
  readonly #header = new Uint8Array(9);
  #headerLength = 0;
  /** Data of the current subpacket. */
  #data = new Uint8Array(MAX_SUBPACKET);
  #dataLength = 0;
  #end: SubpacketEnd = subpacketEnd.ZCRCE;
  readonly #check = new Uint8Array(4);
  #checkLength = 0;

  constructor(link: LinkReader) {
    this.#link = link;
  }

  /** Returns the next event in what has arrived; null if there is none yet. */
  poll(): FrameEvent | null {
    for (let byte = this.#link.next(); byte !== -1; byte = this.#link.next()) {
      const event = this.#take(byte);
      if (event !== null) {
        return event;
      }
    }
    return null;
  }

  /**
   * Waits for the next event.
   *
   * @param deadline Time of the clock at which to give up.
   * @returns Null at the deadline.
   */
  async next(now: () => number, deadline: number): Promise<FrameEvent | null> {
    for (;;) {
      const event = this.poll();
      if (event !== null) {
        return event;
      }
      const left = deadline - now();
      if (left <= 0 || !(await this.#link.more(left))) {
        return null;
      }
    }
  }

  #take(byte: number): FrameEvent | null {
    this.#cancels = byte === ZDLE ? this.#cancels + 1 : 0;
    if (this.#cancels === CANCEL_COUNT) {
      this.#hunt();
      return { kind: 'cancel' };
    }
    switch (this.#state) {
      case 'hunt':
        if (byte === ZPAD) {
          this.#state = 'pad';
        }
        return null;
      case 'pad':
        this.#state = byte === ZDLE ? 'kind' : byte === ZPAD ? 'pad' : 'hunt';
        return null;
      case 'kind':
        this.#beginHeader(byte);
        return null;
      case 'hex':
        return this.#takeHex(byte & 0x7f);
      case 'binary':
      case 'data':
      case 'check':
        return this.#takeEscaped(byte);
    }
  }

  #beginHeader(kind: number): void {
    this.#headerLength = 0;
    this.#isEscaped = false;
    this.#bits = kind === ZBIN32 ? 32 : 16;
    this.#state = kind === ZHEX ? 'hex' : kind === ZBIN || kind === ZBIN32 ? 'binary' : 'hunt';
    this.#header.fill(0);
  }

  #takeHex(character: number): FrameEvent | null {
    const digit = hexDigit(character);
    if (digit === -1) {
      return this.#bad();
    }
    const at = this.#headerLength >> 1;
    this.#header[at] = ((this.#header[at] ?? 0) << 4) | digit;
    this.#headerLength++;
    return this.#headerLength === 14 ? this.#endHeader() : null;
  }

  #takeEscaped(byte: number): FrameEvent | null {
    if ((byte & 0x7f) === XON || (byte & 0x7f) === XOFF) {
      // Flow control of the line: a sender escapes its own.
      return null;
    }
    if (this.#awaitsLineEnd) {
      const isLineFeed = (byte & 0x7f) === 0x0a;
      this.#awaitsLineEnd = (byte & 0x7f) === 0x0d;
      if (isLineFeed || this.#awaitsLineEnd) {
        return null;
      }
    }
    if (!this.#isEscaped) {
      if (byte === ZDLE) {
        this.#isEscaped = true;
        return null;
      }
      return this.#takePlain(byte);
    }
    if (byte === ZDLE) {
      return null;
    }
    this.#isEscaped = false;
    if (byte >= subpacketEnd.ZCRCE && byte <= subpacketEnd.ZCRCW) {
      if (this.#state !== 'data') {
        return this.#bad();
      }
      this.#end = byte as SubpacketEnd;
      this.#checkLength = 0;
      this.#state = 'check';
      return null;
    }
    if (byte === ZRUB0 || byte === ZRUB1) {
      return this.#takePlain(byte === ZRUB0 ? 0x7f : 0xff);
    }
    return (byte & 0x60) === 0x40 ? this.#takePlain(byte ^ 0x40) : this.#bad();
  }

  #takePlain(byte: number): FrameEvent | null {
    switch (this.#state) {
      case 'binary':
        this.#header[this.#headerLength++] = byte;
        return this.#headerLength === 5 + this.#bits / 8 ? this.#endHeader() : null;
      case 'check':
        this.#check[this.#checkLength++] = byte;
        return this.#checkLength === this.#bits / 8 ? this.#endSubpacket() : null;
      default:
        if (this.#dataLength === MAX_SUBPACKET) {
          return this.#bad();
        }
        this.#data[this.#dataLength++] = byte;
        return null;
    }
  }

  #endHeader(): FrameEvent {
    const content = this.#header.subarray(0, 5);
    const check = this.#header.subarray(5, 5 + this.#bits / 8);
    const type = content[0] ?? 0;
    if (!isIntact(content, [], check) || type > highestType) {
      return this.#bad();
    }
    const isHex = this.#state === 'hex';
    this.#hunt();
    if (withData.includes(type)) {
      this.#state = 'data';
      this.#awaitsLineEnd = isHex;
    }
    return { kind: 'header', type: type as FrameType, data: content.slice(1) };
  }

  #endSubpacket(): FrameEvent {
    const bytes = this.#data.slice(0, this.#dataLength);
    const end = this.#end;
    if (!isIntact(bytes, [end], this.#check.subarray(0, this.#bits / 8))) {
      return this.#bad();
    }
    this.#hunt();
    if (end === subpacketEnd.ZCRCG || end === subpacketEnd.ZCRCQ) {
      this.#state = 'data';
    }
    return { kind: 'data', bytes, end };
  }

  #bad(): FrameEvent {
    this.#hunt();
    return { kind: 'bad' };
  }

  #hunt(): void {
    this.#state = 'hunt';
    this.#isEscaped = false;
    this.#awaitsLineEnd = false;
    this.#dataLength = 0;
  }
}

function isIntact(content: Uint8Array, end: readonly number[], check: Uint8Array): boolean {
  return check.length === 4
    ? crc32(end, crc32(content)) === positionOf(check)
    : crc16(end, crc16(content)) === (((check[0] ?? 0) << 8) | (check[1] ?? 0));
}

/** Senders write lower case digits (section 7.3); upper case ones are read, too. */
export function hexDigit(character: number): number {
  const digit = Number.parseInt(String.fromCharCode(character), 16);
  return Number.isNaN(digit) ? -1 : digit;
}

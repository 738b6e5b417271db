/**
 * SMP over console: a packet with its length before it and a CRC-16 behind it, in base64, cut into lines of at most 127 bytes that
 * say whether they begin a packet or go on with it (Zephyr, "SMP Transport Specification", section "UART/serial and console").
 * Whatever else is printed between lines is text. Takes bytes in any split.
 */
import { crc16 } from '../crc16.ts';

const FIRST_LINE = [0x06, 0x09] as const;
const NEXT_LINE = [0x04, 0x14] as const;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** "Frame formats": 127 bytes with the two marks and the line feed, and base64 comes in fours. */
const LINE_TEXT = 124;
const CRC_START = 0;
/** Of a line that is taken for one. Some servers have longer lines than they should. */
const LONGEST_LINE = 4_096;
const LONGEST_PACKET = 0xffff;

/** The lines of one packet, one after the other. @param packet up to 65,533 bytes. */
export function encodeLines(packet: Uint8Array): Uint8Array<ArrayBuffer> {
  const crc = crc16(packet, CRC_START);
  const length = packet.length + 2;
  const raw = new Uint8Array(packet.length + 4);
  raw.set([length >> 8, length & 0xff]);
  raw.set(packet, 2);
  raw.set([crc >> 8, crc & 0xff], packet.length + 2);
  const text = toBase64(raw);
  const lines = new Uint8Array(text.length + 3 * Math.ceil(text.length / LINE_TEXT));
  let at = 0;
  for (let start = 0; start < text.length; start += LINE_TEXT) {
    lines.set(start === 0 ? FIRST_LINE : NEXT_LINE, at);
    at += 2;
    for (let index = start; index < Math.min(start + LINE_TEXT, text.length); index++) {
      lines[at++] = text.charCodeAt(index);
    }
    lines[at++] = LINE_FEED;
  }
  return lines;
}

export interface LineSink {
  /** A packet whose CRC is right. */
  packet(bytes: Uint8Array): void;
  /** What a program prints, with its line ends. */
  text(bytes: Uint8Array): void;
}

export class LineDecoder {
  readonly #sink: LineSink;
  #line: number[] = [];
  /** What has come of a packet; null between packets. */
  #packet: number[] | null = null;

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#line.push(byte);
      if (byte === LINE_FEED) {
        this.#endLine();
      } else if (this.#line.length >= LONGEST_LINE) {
        this.#toText();
      }
    }
  }

  /** Forgets a packet and a line that have begun. */
  reset(): void {
    this.#packet = null;
    this.#toText();
  }

  #endLine(): void {
    const mark = this.#markAt();
    if (mark === null) {
      this.#toText();
      return;
    }
    const { isFirst, start } = mark;
    const end = this.#line.at(-2) === CARRIAGE_RETURN ? -2 : -1;
    const raw = fromBase64(String.fromCharCode(...this.#line.slice(start, end)));
    // What a program printed without a line end before the mark.
    if (start > 2) {
      this.#sink.text(Uint8Array.from(this.#line.slice(0, start - 2)));
    }
    this.#line = [];
    const before = isFirst ? [] : this.#packet;
    this.#packet = raw === null || before === null ? null : [...before, ...raw];
    this.#endPacket();
  }

  /** Where a line of a packet begins in what has come since the last line end. */
  #markAt(): { readonly isFirst: boolean; readonly start: number } | null {
    for (let at = this.#line.length - 2; at >= 0; at--) {
      const [one, two] = [this.#line[at], this.#line[at + 1]];
      const isFirst = one === FIRST_LINE[0] && two === FIRST_LINE[1];
      if (isFirst || (one === NEXT_LINE[0] && two === NEXT_LINE[1])) {
        return { isFirst, start: at + 2 };
      }
    }
    return null;
  }

  #endPacket(): void {
    const packet = this.#packet;
    if (packet === null || packet.length < 2) {
      return;
    }
    const length = ((packet[0] ?? 0) << 8) | (packet[1] ?? 0);
    if (packet.length < length + 2) {
      return;
    }
    this.#packet = null;
    const body = Uint8Array.from(packet.slice(2));
    // The CRC of a packet with its own CRC behind it is nothing.
    if (body.length === length && length <= LONGEST_PACKET && crc16(body, CRC_START) === 0) {
      this.#sink.packet(body.subarray(0, -2));
    }
  }

  #toText(): void {
    if (this.#line.length > 0) {
      this.#sink.text(Uint8Array.from(this.#line));
    }
    this.#line = [];
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += String.fromCharCode(byte);
  }
  return btoa(text);
}

function fromBase64(text: string): number[] | null {
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    return null;
  }
  return Array.from(atob(text), (character) => character.charCodeAt(0));
}

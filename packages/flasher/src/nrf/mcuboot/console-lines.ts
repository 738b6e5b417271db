/**
 * SMP over console (Zephyr, "SMP Transport Specification", section "UART/serial and console"). A packet has its
 * length in front and a CRC-16 at the end, in base64. It is split into lines of at most 127 bytes, whose marks say if
 * they begin or continue a packet. Anything between such lines is text.
 */
import { crc16 } from '../crc16.ts';

const FIRST_LINE = [0x06, 0x09] as const;
const NEXT_LINE = [0x04, 0x14] as const;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/**
 * Base64 characters of a line ("Frame formats"): 127 bytes less the two mark bytes and the line feed, in groups of
 * four.
 */
const LINE_TEXT = 124;
const CRC_START = 0;
/** Longest line that is accepted, in bytes. Some servers exceed the specified length. */
const LONGEST_LINE = 4_096;
const LONGEST_PACKET = 0xffff;

/**
 * Encodes a packet as its lines.
 *
 * @param packet Up to 65,533 bytes.
 */
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
  /** Receives a packet with a correct CRC. */
  packet(bytes: Uint8Array): void;
  /** Receives a program's output, including line endings. */
  text(bytes: Uint8Array): void;
}

export class LineDecoder {
  readonly #sink: LineSink;
  #line: number[] = [];
  /** Received part of a packet; null between packets. */
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

  /** Drops an unfinished packet; an unfinished line goes to `text`. */
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
    // Output of a program before the mark, without a line ending.
    if (start > 2) {
      this.#sink.text(Uint8Array.from(this.#line.slice(0, start - 2)));
    }
    this.#line = [];
    const before = isFirst ? [] : this.#packet;
    this.#packet = raw === null || before === null ? null : [...before, ...raw];
    this.#endPacket();
  }

  /** Finds the start of a packet's line in the bytes since the last line ending. */
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
    // The CRC over a packet and its own CRC is zero.
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
